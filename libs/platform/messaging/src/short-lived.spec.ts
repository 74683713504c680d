import { Clock, SECOND } from '@atrium/platform/kernel';
import { ShortLived } from './short-lived';

class HandClock extends Clock {
  at = 1_000_000;

  now(): Date {
    return new Date(this.at);
  }
}

interface Reading {
  readonly key: string;
  readonly before: { readonly n: number } | undefined;
  readonly end: (n: number) => void;
  readonly fail: () => void;
}

let clock: HandClock;
let readings: Reading[];
let known: ShortLived<{ readonly n: number }>;

beforeEach(() => {
  clock = new HandClock();
  readings = [];
  known = new ShortLived(
    (key, before) =>
      new Promise((resolve, reject) =>
        readings.push({ key, before, end: (n) => resolve({ n }), fail: () => reject(new Error('the database is unavailable')) }),
      ),
    { max: 2, clock },
  );
});

/** Reads a key for the first time. */
async function learn(key: string, n: number): Promise<void> {
  const value = known.get(key);
  readings.shift()?.end(n);
  expect(await value).toEqual({ n });
}

describe('what was read lately', () => {
  it('is read once by all that ask at the same time, and is then known at once', async () => {
    const asked = [known.get('a'), known.get('a')];
    expect(readings.map(({ key }) => key)).toEqual(['a']);
    readings[0]?.end(1);
    for (const value of asked) expect(await value).toEqual({ n: 1 });
    expect(known.get('a')).toEqual({ n: 1 });
    expect(readings).toHaveLength(1);
  });

  it('is read again beside the request after three seconds, and before it answers after five', async () => {
    await learn('a', 1);
    clock.at += 3 * SECOND - 1;
    expect(known.get('a')).toEqual({ n: 1 });
    expect(readings).toEqual([]);
    clock.at += 1;
    expect(known.get('a')).toEqual({ n: 1 });
    expect(readings).toMatchObject([{ key: 'a', before: { n: 1 } }]);
    clock.at += 2 * SECOND;
    const late = known.get('a');
    readings[0]?.end(2);
    expect(await late).toEqual({ n: 2 });
    expect(readings).toHaveLength(1);
  });

  it('answers for a minute where it cannot be read again', async () => {
    await learn('a', 1);
    for (const [after, answer] of [
      [5 * SECOND, { n: 1 }],
      [55 * SECOND - 1, { n: 1 }],
    ] as const) {
      clock.at += after;
      const value = known.get('a');
      readings.shift()?.fail();
      expect(await value).toEqual(answer);
    }
    clock.at += 1;
    const value = known.get('a');
    readings.shift()?.fail();
    await expect(value).rejects.toThrow('the database is unavailable');
  });

  it('is forgotten at once, also by a reading that began before', async () => {
    await learn('a', 1);
    clock.at += 3 * SECOND;
    expect(known.get('a')).toEqual({ n: 1 });
    known.forget('a');
    const fresh = known.get('a');
    expect(readings.map(({ before }) => before)).toEqual([{ n: 1 }, undefined]);
    readings[1]?.end(3);
    expect(await fresh).toEqual({ n: 3 });
    readings[0]?.end(2);
    await Promise.resolve();
    expect(known.get('a')).toEqual({ n: 3 });
  });

  it('makes room for what was asked for later', async () => {
    await learn('a', 1);
    await learn('b', 2);
    await learn('c', 3);
    expect(known.get('c')).toEqual({ n: 3 });
    expect(known.get('a')).toBeInstanceOf(Promise);
  });
});

import { findEndingBy } from './ending';
import { FairPlaces, OF_ALL } from './fair-places';

const RULES = { places: 8, reserve: 2, waitMs: 60_000, waiting: 100, full: 'All places are taken. Try again shortly.' };

/** Enters as often as asked; what has begun is counted by owner. */
function crowd(rules: Partial<typeof RULES> = {}) {
  const places = new FairPlaces({ ...RULES, ...rules });
  const begun: string[] = [];
  const enter = (owner: string, times = 1): void => {
    for (let at = 0; at < times; at++) {
      const wait = places.takePlace(owner);
      if (wait)
        wait.then(
          () => begun.push(owner),
          () => begun.push(`${owner} rejected`),
        );
      else begun.push(owner);
    }
  };
  const of = (owner: string): number => begun.filter((one) => one === owner).length;
  return { places, begun, enter, of };
}
const settled = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

describe('places that owners share', () => {
  it('are never all with one owner, so that another begins at once', async () => {
    const { enter, of } = crowd();
    enter('loud', 50);
    expect(of('loud')).toBe(6);
    enter('quiet', 2);
    expect(of('quiet')).toBe(2);
    await settled();
    expect(of('loud')).toBe(6);
  });

  it('go in turns to owners that wait, however much one waits with', async () => {
    const { places, begun, enter } = crowd();
    enter('loud', 50);
    enter('quiet', 4);
    begun.length = 0;
    for (let at = 0; at < 6; at++) {
      places.releasePlace('loud');
      await settled();
    }
    expect(begun.filter((owner) => owner === 'quiet')).toHaveLength(2);
    expect(begun.slice(0, 2)).toEqual(['quiet', 'quiet']);
  });

  it('may become fewer and more: what is held stays, and what waits begins when it is said that there are more', async () => {
    let places = 1;
    const shared = new FairPlaces({ ...RULES, places: () => places, reserve: 0 });
    const begun: string[] = [];
    for (const name of ['a', 'b', 'c']) {
      const wait = shared.takePlace('one');
      if (wait) void wait.then(() => begun.push(name));
      else begun.push(name);
    }
    expect(begun).toEqual(['a']);
    places = 3;
    shared.admitWaiting();
    await settled();
    expect(begun).toEqual(['a', 'b', 'c']);
    places = 1;
    shared.releasePlace('one');
    shared.releasePlace('one');
    expect(shared.takePlace('one')).toBeDefined();
  });

  it('are with one owner at most by half while others wait', async () => {
    const { places, enter, of } = crowd();
    enter('one', 50);
    enter('two', 50);
    for (let at = 0; at < 4; at++) {
      places.releasePlace('one');
      await settled();
    }
    expect(of('two')).toBe(4);
    expect(of('one') - 4).toBeLessThanOrEqual(4);
  });

  it('are all there for work that belongs to no owner', () => {
    const { enter, of } = crowd();
    enter(OF_ALL, 9);
    expect(of(OF_ALL)).toBe(8);
  });

  it('are left to others by work that belongs to no owner when they wait', async () => {
    const { places, enter, of } = crowd();
    enter(OF_ALL, 50);
    enter('quiet', 4);
    for (let at = 0; at < 2; at++) {
      places.releasePlace(OF_ALL);
      await settled();
    }
    // Those that a workspace would leave to others; from then on they take turns.
    expect(of('quiet')).toBe(2);
    places.releasePlace(OF_ALL);
    await settled();
    expect(of(OF_ALL) - 8).toBe(1);
  });

  it('are left by who waits with the request or job that asks', async () => {
    const { places } = crowd({ places: 1, reserve: 0 });
    let done = (): void => undefined;
    const running = places.runInPlace('one', () => new Promise<void>((resolve) => (done = resolve)));
    const ending = new AbortController();
    const forget = findEndingBy(() => ending.signal);
    const left = places.runInPlace('one', () => Promise.resolve());
    forget();
    ending.abort(new Error('the connection was closed'));
    await expect(left).rejects.toThrow('the connection was closed');
    expect(places.waiting).toBe(0);
    done();
    await running;
  });

  it('are not waited for by who asks when its request has ended already', async () => {
    const { places } = crowd({ places: 1, reserve: 0 });
    void places.takePlace('other');
    const forget = findEndingBy(() => AbortSignal.abort(new Error('the connection was closed')));
    await expect(places.runInPlace('one', () => Promise.resolve())).rejects.toThrow('the connection was closed');
    forget();
    expect(places.waiting).toBe(0);
  });

  it('are given up by owners that waited too long, and by those that wait in too great a number', async () => {
    jest.useFakeTimers();
    try {
      const { places, begun, enter } = crowd({ places: 2, reserve: 1, waiting: 2 });
      enter('one', 3);
      expect(() => places.takePlace('one')).toThrow(expect.objectContaining({ code: 'service_unavailable' }) as Error);
      expect(places.waiting).toBe(2);
      await jest.advanceTimersByTimeAsync(60_000);
      expect(begun).toEqual(['one', 'one rejected', 'one rejected']);
      expect(places.waiting).toBe(0);
    } finally {
      jest.useRealTimers();
    }
  });

  it('are left when work fails', async () => {
    const { places } = crowd({ places: 1, reserve: 0 });
    await expect(places.runInPlace('one', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    await expect(places.runInPlace('one', () => Promise.resolve(1))).resolves.toBe(1);
  });
});

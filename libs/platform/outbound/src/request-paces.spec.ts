import { Clock } from '@atrium/platform/kernel';
import { RequestPaces } from './request-paces';

class HandClock extends Clock {
  at = 1_000_000;

  now(): Date {
    return new Date(this.at);
  }
}

/** Paces that note how long each request waits instead of waiting. */
class Noted extends RequestPaces {
  readonly waits: number[] = [];

  protected override pauseFor(milliseconds: number, signal: AbortSignal): Promise<void> {
    this.waits.push(Math.round(milliseconds));
    signal.throwIfAborted();
    return Promise.resolve();
  }
}

const live = new AbortController().signal;
let clock: HandClock;
let paces: Noted;

beforeEach(() => {
  clock = new HandClock();
  paces = new Noted(clock);
});

const ask = async (times: number, perSecond = 4, key = 'storyblok:1'): Promise<number[]> => {
  for (let time = 0; time < times; time++) await paces.awaitTurn({ key, perSecond }, live);
  return paces.waits.splice(0);
};

describe('the pace of a service', () => {
  it('sends requests at equal distances, the first at once', async () => {
    expect(await ask(4)).toEqual([250, 500, 750]);
  });

  it('gives back no turns that nobody took', async () => {
    await ask(1);
    clock.at += 60_000;
    expect(await ask(3)).toEqual([250, 500]);
  });

  it('counts each key by itself', async () => {
    await ask(3);
    expect(await ask(2, 2, 'storyblok:2')).toEqual([500]);
  });

  it('is halved for a minute after a 429', async () => {
    await ask(1);
    paces.slowDown('storyblok:1');
    expect(await ask(2)).toEqual([250, 750]);
    clock.at += 60_000;
    expect(await ask(3)).toEqual([250, 500]);
  });

  it('waits as long as the service asks for, up to five minutes', async () => {
    paces.slowDown('storyblok:1', 3);
    expect(await ask(2)).toEqual([3_000, 3_500]);
    paces.slowDown('storyblok:2', 86_400);
    expect(await ask(1, 4, 'storyblok:2')).toEqual([300_000]);
  });

  it('shortens no pause that another answer asked for', async () => {
    paces.slowDown('storyblok:1', 30);
    paces.slowDown('storyblok:1', 1);
    expect(await ask(1)).toEqual([30_000]);
  });

  it('ends a wait with its signal', async () => {
    await ask(1);
    const leaving = new AbortController();
    leaving.abort(new Error('the run was cancelled'));
    await expect(paces.awaitTurn({ key: 'storyblok:1', perSecond: 4 }, leaving.signal)).rejects.toThrow('the run was cancelled');
    expect(await ask(1)).toEqual([250]);
  });

  it('really waits', async () => {
    const real = new RequestPaces(clock);
    await real.awaitTurn({ key: 'a', perSecond: 0.001 }, live);
    const leaving = new AbortController();
    const waiting = real.awaitTurn({ key: 'a', perSecond: 0.001 }, leaving.signal);
    leaving.abort(new Error('the run was cancelled'));
    await expect(waiting).rejects.toThrow();
  });
});

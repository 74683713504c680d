import { FailureCounters, type FailureCount } from '@atrium/identity';
import { ShareThrottle } from './share-throttle';

/** Counters of one process that forget nothing by themselves. */
class Counted extends FailureCounters {
  readonly counts = new Map<string, number>();
  readCounters = (names: readonly string[]): Promise<ReadonlyMap<string, FailureCount>> =>
    Promise.resolve(
      new Map(names.flatMap((name) => (this.counts.has(name) ? [[name, { count: this.counts.get(name) ?? 0, waitMs: 1_000 }]] : []))),
    );
  incrementCounter = (name: string): Promise<FailureCount> =>
    this.setCounter(name, (this.counts.get(name) ?? 0) + 1).then(() => ({ count: this.counts.get(name) ?? 0, waitMs: 1_000 }));
  setCounter = (name: string, count: number): Promise<void> => Promise.resolve(void this.counts.set(name, count));
  clearCounters = (names: readonly string[]): Promise<void> => Promise.resolve(names.forEach((name) => this.counts.delete(name)));
}

const attempts = (): ((address: string, right?: boolean) => Promise<'in' | 'wrong' | 'wait'>) => {
  const throttle = new ShareThrottle(new Counted());
  return (address, right = false) =>
    throttle
      .guardProof('a link', address, () => Promise.resolve(right))
      .then(
        (proven) => (proven ? 'in' : 'wrong'),
        () => 'wait',
      );
};
/** Strangers guess from fifty networks. */
const besiege = async (attempt: ReturnType<typeof attempts>): Promise<void> => {
  for (let i = 0; i < 50; i++) expect(await attempt(`198.18.${i}.1`)).toBe('wrong');
};

describe('guessing the password of a link', () => {
  it('is stopped by the sixth try of a network, whichever of its addresses is used', async () => {
    const attempt = attempts();
    for (let i = 0; i < 5; i++) expect(await attempt(`2001:db8:1:1::${i}`)).toBe('wrong');
    expect([await attempt('2001:db8:1:1:ffff::9', true), await attempt('2001:db8:1:2::1', true)]).toEqual(['wait', 'in']);
  });

  it('shuts out nobody who opened the link before', async () => {
    const attempt = attempts();
    expect(await attempt('203.0.113.7', true)).toBe('in');
    await besiege(attempt);
    expect([await attempt('203.0.113.7'), await attempt('203.0.113.7', true)]).toEqual(['wrong', 'in']);
  });

  it('leaves a guest who comes for the first time a try, and strangers one of each neighbourhood', async () => {
    const attempt = attempts();
    await besiege(attempt);
    expect(await attempt('203.0.113.7', true)).toBe('in');
    expect([await attempt('192.0.2.1'), await attempt('192.0.2.2'), await attempt('192.0.2.3', true)]).toEqual(['wrong', 'wait', 'wait']);
    expect([await attempt('2001:db8:1:1::1'), await attempt('2001:db8:1:2::1')]).toEqual(['wrong', 'wait']);
  });
});

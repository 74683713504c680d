import { FailureCounters, type FailureCount } from './failure-counters';
import { SignInThrottle, type Attempter } from './sign-in-throttle';

/** Counters of one process that forget nothing by themselves. */
class Counted extends FailureCounters {
  readonly counts = new Map<string, FailureCount>();
  readCounters = (names: readonly string[]): Promise<ReadonlyMap<string, FailureCount>> =>
    Promise.resolve(new Map([...this.counts].filter(([name]) => names.includes(name))));
  incrementCounter = (name: string, waitMs: number): Promise<FailureCount> =>
    this.setCounter(name, (this.counts.get(name)?.count ?? 0) + 1, waitMs).then(() => this.counts.get(name) as FailureCount);
  setCounter = (name: string, count: number, waitMs: number): Promise<void> =>
    Promise.resolve(void this.counts.set(name, { count, waitMs }));
  clearCounters = (names: readonly string[]): Promise<void> => Promise.resolve(names.forEach((name) => this.counts.delete(name)));
}

const ADA: Attempter = { account: 'ada@example.com', address: '203.0.113.7', era: 'first' };

let throttle: SignInThrottle;
beforeEach(() => {
  throttle = new SignInThrottle(new Counted());
});

const attempt = (from: Partial<Attempter>, right = false): Promise<'in' | 'wrong' | 'wait'> =>
  throttle
    .guardPassword({ ...ADA, ...from }, () => Promise.resolve(right || null))
    .then(
      (proven) => (proven ? 'in' : 'wrong'),
      () => 'wait',
    );
const strangers = async (account = ADA.account): Promise<void> => {
  for (let i = 0; i < 50; i++) expect(await attempt({ account, address: `198.18.${i}.1` })).toBe('wrong');
};

describe('strangers who guess', () => {
  it('shut out networks that never signed in, and none that did', async () => {
    await throttle.recordSignIn(ADA);
    await strangers();
    expect([await attempt({ address: '192.0.2.9' }, true), await attempt({}), await attempt({}, true)]).toEqual(['wait', 'wrong', 'in']);
  });

  it('shut out no device that signed in before, wherever it is', async () => {
    await strangers();
    expect(await attempt({ address: '192.0.2.9', device: 'phone' }, true)).toBe('in');
    for (let i = 0; i < 5; i++) await attempt({ address: '192.0.2.9', device: 'phone' });
    expect([
      await attempt({ address: '192.0.2.10', device: 'phone' }, true),
      await attempt({ address: '192.0.2.10', device: 'laptop' }, true),
    ]).toEqual(['wait', 'in']);
  });

  it('in the same network shut out nobody who has signed in there', async () => {
    await throttle.recordSignIn(ADA);
    for (let i = 0; i < 100; i++) await attempt({ account: `somebody-${i}@example.com` });
    expect([await attempt({ account: 'grace@example.com' }, true), await attempt({}, true)]).toEqual(['wait', 'in']);
  });

  it('are known by their /64, not by each of its addresses', async () => {
    for (let i = 0; i < 5; i++) expect(await attempt({ address: `2001:db8:1:1::${i}` })).toBe('wrong');
    expect([await attempt({ address: '2001:db8:1:1:abcd::1' }), await attempt({ address: '2001:db8:1:2::1' })]).toEqual(['wait', 'wrong']);
  });

  it('shut out nobody whose mailbox has answered', async () => {
    await strangers();
    expect(await attempt({}, true)).toBe('wait');
    await throttle.reopenAccount({ ...ADA, era: 'second' });
    expect(await attempt({ era: 'second' }, true)).toBe('in');
    expect(await attempt({ address: '192.0.2.9', era: 'second' }, true)).toBe('in');
    await strangers();
    expect(await attempt({ era: 'second' }, true)).toBe('in');
  });

  it('who once had the password are strangers again with the next one', async () => {
    await throttle.recordSignIn({ ...ADA, address: '192.0.2.66' });
    await strangers();
    expect([await attempt({ address: '192.0.2.66' }), await attempt({ address: '192.0.2.66', era: 'second' })]).toEqual(['wrong', 'wait']);
  });

  it('spend nothing of what codes are given', async () => {
    await strangers();
    expect(await throttle.guardCode(ADA, () => Promise.resolve('good'))).toBe('good');
  });
});

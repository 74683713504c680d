import type { CallerStamps } from '@atrium/identity';
import type { Principal } from '@atrium/platform/access';
import { RightsWatch } from './rights-watch';

const caller = (user_id: string): Principal => ({ tenant_id: 't', user_id }) as Principal;

describe('who follows threads', () => {
  const stamps = new Map<string, string>();
  const asked: string[][] = [];
  let isAway = false;
  let watch: RightsWatch;
  const look = (): Promise<void> => jest.advanceTimersByTimeAsync(2_000);

  beforeEach(() => {
    jest.useFakeTimers();
    stamps.clear();
    asked.length = 0;
    isAway = false;
    watch = new RightsWatch({
      readStamps: (callers) => {
        if (isAway) return Promise.reject(new Error('away'));
        asked.push(callers.map(({ user_id }) => user_id));
        return Promise.resolve(callers.map(({ user_id }) => stamps.get(user_id) ?? null));
      },
    } as CallerStamps);
  });
  afterEach(() => jest.useRealTimers());

  it('is looked at once after they came, and then when something about them changed', async () => {
    const [one, other] = [jest.fn(), jest.fn()];
    stamps.set('a', '1.0').set('b', '1.0');
    watch.watchRights(caller('a'), one);
    watch.watchRights(caller('b'), other);
    await look();
    await look();
    expect([one.mock.calls.length, other.mock.calls.length]).toEqual([1, 1]);
    stamps.set('b', '1.1');
    await look();
    expect([one.mock.calls.length, other.mock.calls.length]).toEqual([1, 2]);
  });

  it('costs one statement however many streams there are, and none without a stream', async () => {
    const leave = [
      watch.watchRights(caller('a'), jest.fn()),
      watch.watchRights(caller('a'), jest.fn()),
      watch.watchRights(caller('b'), jest.fn()),
    ];
    await look();
    expect(asked).toEqual([['a', 'b']]);
    for (const one of leave) one();
    await look();
    await look();
    expect(asked).toHaveLength(1);
    watch.watchRights(caller('c'), jest.fn());
    await look();
    expect(asked.at(-1)).toEqual(['c']);
  });

  it('is called back for each of their streams, and for none that has ended', async () => {
    const [stays, leaves] = [jest.fn(), jest.fn()];
    watch.watchRights(caller('a'), stays);
    const leave = watch.watchRights(caller('a'), leaves);
    await look();
    leave();
    stamps.set('a', '2.0');
    await look();
    expect([stays.mock.calls.length, leaves.mock.calls.length]).toEqual([2, 1]);
  });

  it('is looked at for each stream that is new, as its request may be older than the last look', async () => {
    stamps.set('a', '1.0');
    watch.watchRights(caller('a'), jest.fn());
    await look();
    const changed = jest.fn();
    watch.watchRights(caller('a'), changed);
    await look();
    expect(changed).toHaveBeenCalledTimes(1);
  });

  it('is looked at again after the database was away', async () => {
    const changed = jest.fn();
    stamps.set('a', '1.0');
    watch.watchRights(caller('a'), changed);
    await look();
    isAway = true;
    stamps.set('a', '2.0');
    await look();
    expect(changed).toHaveBeenCalledTimes(1);
    isAway = false;
    await look();
    expect(changed).toHaveBeenCalledTimes(2);
  });
});

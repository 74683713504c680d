import type { JsonObject } from '@atrium/platform/kernel';
import type { FollowedThread } from './followed-thread';
import { ThreadAudience } from './thread-audience';

type Found = { readonly data: JsonObject; readonly until: number | null };

const found = (...users: string[]): Found => ({ data: { users }, until: null });

describe('who is there', () => {
  const shown: JsonObject[] = [];
  const follower = { connection: { sendPresence: (data: JsonObject) => void shown.push(data) } } as unknown as FollowedThread;
  const looks: ((answer: Found | Error) => void)[] = [];
  let crowd: ThreadAudience;

  beforeEach(() => {
    jest.useFakeTimers();
    shown.length = looks.length = 0;
    crowd = new ThreadAudience(
      () => Promise.resolve({ leaveStream: () => Promise.resolve() }),
      () => new Promise((resolve, reject) => looks.push((answer) => (answer instanceof Error ? reject(answer) : resolve(answer)))),
    );
    crowd.addFollower(follower);
  });
  afterEach(() => {
    crowd.removeFollower(follower);
    jest.useRealTimers();
  });
  const settled = (): Promise<void> => jest.advanceTimersByTimeAsync(0);
  const answer = async (at: number, with_: Found | Error): Promise<void> => {
    looks[at]?.(with_);
    await settled();
  };

  it('is followed by the next who comes when the first could not', async () => {
    const join = jest.fn(() => Promise.resolve({ leaveStream: () => Promise.resolve() })).mockRejectedValueOnce(new Error('away'));
    const other = new ThreadAudience(join, () => Promise.resolve(found()));
    other.addFollower(follower);
    await expect(other.startListening()).rejects.toThrow('away');
    await expect(other.startListening()).resolves.toBeUndefined();
    other.removeFollower(follower);
  });

  it('is shown when it changes, and never as it was before', async () => {
    void crowd.startListening();
    await settled();
    await answer(0, found());
    void crowd.broadcastPresence();
    void crowd.broadcastPresence();
    await answer(2, found('ann'));
    await answer(1, found());
    expect(shown).toEqual([{ users: ['ann'] }]);
    void crowd.broadcastPresence();
    await answer(3, found('ann'));
    expect(shown).toHaveLength(1);
  });

  it('is asked again where the database did not answer, or somebody leaves by time alone', async () => {
    void crowd.startListening();
    await settled();
    await answer(0, { ...found('ann'), until: 1_000 });
    await jest.advanceTimersByTimeAsync(1_000);
    await answer(1, new Error('down'));
    expect(shown).toEqual([]);
    await jest.advanceTimersByTimeAsync(5_000);
    await answer(2, found());
    expect(shown).toEqual([{ users: [] }]);
    await jest.advanceTimersByTimeAsync(60_000);
    expect(looks).toHaveLength(3);
  });
});

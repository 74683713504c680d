import type { Principal } from '@atrium/platform/access';
import type { CallScope, Database } from '@atrium/platform/database';
import type { EventSocket } from '@atrium/platform/http';
import { Lanes, notFound } from '@atrium/platform/kernel';
import type { ThreadAccess } from '../threads/application/thread-access';
import { FollowedThread } from './followed-thread';
import type { ThreadConnection } from './thread-connection';
import type { ThreadStateRepository } from './thread-state.repository';

describe('an open stream that is checked', () => {
  let stored: string | null;
  let believed: string | null;
  let refusal: Error | undefined;
  const done: string[] = [];
  let ends: () => void;
  let followed: FollowedThread;
  let asked = 0;
  const lanes = new Lanes(1, 10);

  beforeEach(() => {
    jest.useFakeTimers();
    [stored, believed, refusal] = [null, null, undefined];
    done.length = asked = 0;
    followed = new FollowedThread({
      db: { read: (work: () => Promise<unknown>) => work() } as unknown as Database,
      access: { requireThread: () => (asked++, refusal ? Promise.reject(refusal) : Promise.resolve()) } as unknown as ThreadAccess,
      rows: { readState: () => Promise.resolve({ state: { run_id: stored } }) } as unknown as ThreadStateRepository,
      scope: { tenant_id: 't' } as CallScope,
      thread_id: 'th',
      connection: {
        caller: {} as Principal,
        isUpToDate: (run_id: string | null) => run_id === believed,
        catchUp: () => void done.push('catches up'),
        refuseReader: () => void done.push('is refused'),
      } as unknown as ThreadConnection,
      socket: { isOver: false, onEnd: (end: () => void) => (ends = end) } as unknown as EventSocket,
      lanes,
    });
  });
  afterEach(() => {
    ends();
    jest.useRealTimers();
  });

  it('goes on where it knows the run that answers', async () => {
    await followed.checkState();
    await jest.advanceTimersByTimeAsync(5_000);
    expect(done).toEqual([]);
  });

  it('is not disturbed by a change whose events arrive in a moment', async () => {
    believed = 'r';
    await followed.checkState();
    await jest.advanceTimersByTimeAsync(1_000);
    believed = null;
    await jest.advanceTimersByTimeAsync(5_000);
    expect(done).toEqual([]);
  });

  it('is brought up to date where the rows say the same a moment later', async () => {
    believed = 'r';
    await followed.checkState();
    expect(done).toEqual([]);
    await jest.advanceTimersByTimeAsync(2_000);
    expect(done).toEqual(['catches up']);
  });

  it('waits on while the rows go on changing', async () => {
    [stored, believed] = ['b', 'a'];
    await followed.checkState();
    stored = 'c';
    await jest.advanceTimersByTimeAsync(2_000);
    expect(done).toEqual([]);
    await jest.advanceTimersByTimeAsync(2_000);
    expect(done).toEqual(['catches up']);
  });

  it('ends for who may not read the thread any more, and after an outage it is checked again', async () => {
    refusal = new Error('down');
    await followed.checkState();
    expect(done).toEqual([]);
    refusal = notFound('thread');
    await jest.advanceTimersByTimeAsync(2_000);
    expect(done).toEqual(['is refused']);
  });

  it('is checked again when it finds no turn', async () => {
    const run = jest.spyOn(lanes, 'runInLane').mockRejectedValueOnce(new Error('the line is full'));
    await followed.checkState();
    expect(asked).toBe(0);
    await jest.advanceTimersByTimeAsync(2_000);
    expect(asked).toBe(1);
    run.mockRestore();
  });

  it('waits for its turn, and is checked once for all who ask until then', async () => {
    let free = (): void => undefined;
    const busy = lanes.runInLane(() => new Promise<void>((resolve) => (free = resolve)));
    const checks = [followed.checkState(), followed.checkState(), followed.checkState()];
    expect(asked).toBe(0);
    free();
    await Promise.all([busy, ...checks]);
    expect(asked).toBe(1);
  });
});

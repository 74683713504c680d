import type { RetentionTargets } from '@atrium/governance';
import type { Database } from '@atrium/platform/database';
import type { DeletedSpaceRows } from './deleted-spaces.rows';
import { SpaceRetention, THREADS_AT_ONCE } from './space-retention';

function retention(threads: number) {
  const batches: number[] = [];
  let left = threads;
  const db = { write: (work: () => unknown) => Promise.resolve(work()) } as unknown as Database;
  const withdrawThreads = (_space: string, most: number): Promise<number> => {
    const withdrawn = Math.min(most, left);
    left -= withdrawn;
    batches.push(withdrawn);
    return Promise.resolve(withdrawn);
  };
  const rows = { withdrawThreads } as unknown as DeletedSpaceRows;
  return { batches, retention: new SpaceRetention(db, {} as RetentionTargets, rows) };
}

describe('threads of a deleted space', () => {
  it('are withdrawn in batches until none is left, each with a sign of life', async () => {
    const { batches, retention: spaces } = retention(2 * THREADS_AT_ONCE + 3);
    const heartbeat = jest.fn(() => Promise.resolve());
    await spaces.withdrawThreads('s', { signal: new AbortController().signal, heartbeat });
    expect(batches).toEqual([THREADS_AT_ONCE, THREADS_AT_ONCE, 3]);
    expect(heartbeat).toHaveBeenCalledTimes(2);
  });

  it('wait for another attempt where the job is stopped', async () => {
    const { batches, retention: spaces } = retention(3);
    const run = { signal: AbortSignal.abort(new Error('stopped')), heartbeat: () => Promise.resolve() };
    await expect(spaces.withdrawThreads('s', run)).rejects.toThrow('stopped');
    expect(batches).toEqual([]);
  });
});

import type { LegalHolds, PersonDataSources, PersonRun } from '@atrium/governance';
import { inWorkspace, sql, type Database } from '@atrium/platform/database';
import { newId } from '@atrium/platform/kernel';
import { RunRetention } from '../../runs/records/application/run-retention';
import type { DueRunRows } from '../../runs/records/infrastructure/due-runs.rows';
import type { RemovedThreadRows } from '../infrastructure/removed-threads.rows';
import type { ThreadRemoval } from './thread-removal';
import { ThreadsOfPeople } from './threads-of-people';

type Erase = (person: { user_id: string }, run: PersonRun) => Promise<number>;

/** What an erasure of these rows does, in its order. */
async function erased(
  make: (sources: PersonDataSources, db: Database, rows: RemovedThreadRows & DueRunRows, holds: LegalHolds) => unknown,
): Promise<string[]> {
  const done: string[] = [];
  let erase: Erase | undefined;
  const sources = { registerTableHandler: (_: string, { erase: by }: { erase: Erase }) => (erase = by) } as unknown as PersonDataSources;
  const chosen = (): Promise<never[]> => {
    done.push('chosen');
    return Promise.resolve([]);
  };
  const db = { write: (work: () => unknown) => work() } as unknown as Database;
  const rows = { lockUnshared: chosen, deleteOwn: chosen } as unknown as RemovedThreadRows & DueRunRows;
  const holds = {
    blockNewHolds: () => Promise.resolve(void done.push('settled')),
    userHeldCondition: () => sql`NULL`,
  } as unknown as LegalHolds;
  make(sources, db, rows, holds);
  const run = { signal: new AbortController().signal, heartbeat: () => Promise.resolve() } as unknown as PersonRun;
  await inWorkspace(newId(), () => erase?.({ user_id: newId() }, run));
  return done;
}

describe('an erasure', () => {
  it('waits for legal holds that are being put before it chooses what goes', async () => {
    const removal = { removeThreads: () => Promise.resolve() } as unknown as ThreadRemoval;
    expect(await erased((sources, db, rows, holds) => new ThreadsOfPeople(sources, db, rows, holds, removal))).toEqual([
      'settled',
      'chosen',
    ]);
    expect(
      await erased((sources, db, rows, holds) => new RunRetention(sources, db, rows, undefined as never, holds, undefined as never)),
    ).toEqual(['settled', 'chosen']);
  });
});

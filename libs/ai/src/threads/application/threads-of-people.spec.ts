import type { LegalHolds, PersonDataSources, PersonRun } from '@atrium/governance';
import { inWorkspace, sql, type Database } from '@atrium/platform/database';
import { newId } from '@atrium/platform/kernel';
import { RunRetention } from '../../runs/records/application/run-retention';
import type { ThreadRemoval } from './thread-removal';
import { ThreadsOfPeople } from './threads-of-people';

type Erase = (person: { user_id: string }, run: PersonRun) => Promise<number>;

/** What an erasure of these rows does, in its order. */
async function erased(make: (sources: PersonDataSources, db: Database, holds: LegalHolds) => unknown): Promise<string[]> {
  const done: string[] = [];
  let erase: Erase | undefined;
  const sources = { registerTableHandler: (_: string, { erase: by }: { erase: Erase }) => (erase = by) } as unknown as PersonDataSources;
  const chosen = <T>(rows: T): Promise<T> => {
    done.push('chosen');
    return Promise.resolve(rows);
  };
  const tx = { query: () => chosen([]), execute: () => chosen(0) };
  const db = { write: (work: () => unknown) => work(), current: () => tx } as unknown as Database;
  const holds = { blockNewHolds: () => Promise.resolve(void done.push('settled')), ofUser: () => sql`NULL` } as unknown as LegalHolds;
  make(sources, db, holds);
  const run = { signal: new AbortController().signal, heartbeat: () => Promise.resolve() } as unknown as PersonRun;
  await inWorkspace(newId(), () => erase?.({ user_id: newId() }, run));
  return done;
}

describe('an erasure', () => {
  it('waits for legal holds that are being put before it chooses what goes', async () => {
    const removal = { removeThreads: () => Promise.resolve() } as unknown as ThreadRemoval;
    expect(await erased((sources, db, holds) => new ThreadsOfPeople(sources, db, holds, removal))).toEqual(['settled', 'chosen']);
    expect(await erased((sources, db, holds) => new RunRetention(sources, db, undefined as never, holds, undefined as never))).toEqual([
      'settled',
      'chosen',
    ]);
  });
});

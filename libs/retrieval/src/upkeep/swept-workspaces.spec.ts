import { requireScope, type Database } from '@atrium/platform/database';
import { SweptWorkspaces } from './swept-workspaces';
import type { SweptWorkspaceRows } from './swept-workspaces.rows';

const idOf = (number: number): string => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`;
const idsUpTo = (count: number): string[] => Array.from({ length: count }, (_, at) => idOf(at + 1));

/** So many workspaces in which something is overdue. */
function sweptWorkspaces(count: number): SweptWorkspaces {
  const behind = (ids: readonly string[], after: string | null, most: number): Promise<string[]> =>
    Promise.resolve(ids.filter((id) => after === null || id > after).slice(0, most));
  const rows = {
    listOverdue: (_: number, after: string | null, most: number) => behind(idsUpTo(count), after, most),
  };
  const db = { acrossTenants: (work: () => unknown) => work() };
  return new SweptWorkspaces(db as unknown as Database, rows as unknown as SweptWorkspaceRows);
}

describe('workspaces that are swept', () => {
  it.each([0, 99, 100, 101, 201])('are %i, each visited once and in order, within its own scope', async (count) => {
    const visited: string[] = [];
    const visit = (): Promise<void> => Promise.resolve(void visited.push(requireScope().tenant_id));
    await sweptWorkspaces(count).runForEachOverdue(600, visit, new AbortController().signal);
    expect(visited).toEqual(idsUpTo(count));
  });

  it('are all visited, also behind one whose work fails', async () => {
    let visits = 0;
    const visit = (): Promise<void> => (++visits === 2 ? Promise.reject(new Error('A lost file.')) : Promise.resolve());
    await sweptWorkspaces(3).runForEachOverdue(600, visit, new AbortController().signal);
    expect(visits).toBe(3);
  });

  it('are asked for no further once the run is to stop', async () => {
    const stop = new AbortController();
    let visits = 0;
    const visit = (): Promise<void> => Promise.resolve(void (++visits === 100 && stop.abort()));
    await sweptWorkspaces(300).runForEachOverdue(600, visit, stop.signal);
    expect(visits).toBe(100);
  });
});

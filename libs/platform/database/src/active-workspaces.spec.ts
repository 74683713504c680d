import { Logger } from '@nestjs/common';
import { ActiveWorkspaces } from './active-workspaces';
import { requireScope } from './current-scope';
import type { Database } from './database';

const idOf = (number: number): string => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`;

/** A database with so many active workspaces, in the order of their ids. */
function databaseWith(count: number): Database {
  const all = Array.from({ length: count }, (_, at) => ({ tenant_id: idOf(at + 1) }));
  const askAcrossTenants = (_: string, [after, limit]: [string | null, number]): Promise<object[]> =>
    Promise.resolve(all.filter(({ tenant_id }) => after === null || tenant_id > after).slice(0, limit));
  return { queryAcrossTenants: askAcrossTenants } as unknown as Database;
}

describe('a round over the active workspaces', () => {
  beforeEach(() => void jest.spyOn(Logger.prototype, 'warn').mockImplementation());
  afterEach(() => jest.restoreAllMocks());

  it.each([0, 1, 199, 200, 201, 401])('visits each of %i workspaces once, in order', async (count) => {
    const visited: string[] = [];
    await new ActiveWorkspaces(databaseWith(count)).runForEachWorkspace((id) => Promise.resolve(visited.push(id)), { failure: 'failed' });
    expect(visited).toEqual(Array.from({ length: count }, (_, at) => idOf(at + 1)));
  });

  it('works bound to the workspace, as the service itself', async () => {
    const scopes: unknown[] = [];
    await new ActiveWorkspaces(databaseWith(2)).runForEachWorkspace(
      () => {
        const { tenant_id, actor } = requireScope();
        return Promise.resolve(scopes.push([tenant_id, actor.kind]));
      },
      { failure: 'failed' },
    );
    expect(scopes).toEqual([
      [idOf(1), 'system'],
      [idOf(2), 'system'],
    ]);
  });

  it('passes over a workspace in trouble, and logs which one it was', async () => {
    const visited: string[] = [];
    await new ActiveWorkspaces(databaseWith(3)).runForEachWorkspace(
      (id) => (id === idOf(2) ? Promise.reject(new Error('trouble')) : Promise.resolve(visited.push(id))),
      { failure: 'the work failed' },
    );
    expect(visited).toEqual([idOf(1), idOf(3)]);
    expect(Logger.prototype.warn).toHaveBeenCalledWith(expect.objectContaining({ msg: 'the work failed', tenant_id: idOf(2) }));
  });

  it('ends before the next workspace once it is aborted', async () => {
    const stop = new AbortController();
    const visited: string[] = [];
    await new ActiveWorkspaces(databaseWith(3)).runForEachWorkspace(
      (id) => {
        stop.abort();
        return Promise.resolve(visited.push(id));
      },
      { failure: 'failed', signal: stop.signal },
    );
    expect(visited).toEqual([idOf(1)]);
  });
});

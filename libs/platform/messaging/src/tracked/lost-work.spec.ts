import { Logger } from '@nestjs/common';
import { requireScope } from '@atrium/platform/database';
import { LostWork } from './lost-work';
import type { LostWorkRows, UnfinishedWork, WorkPlace } from './lost-work.rows';

/** Unfinished rows by workspace, which are read in pages. */
function lostWorkOf(unfinished: Readonly<Record<string, readonly Partial<UnfinishedWork>[] | Error>>) {
  const ended: string[] = [];
  const read: string[] = [];
  const work = new LostWork({
    listWorkspaces: (after: string | null, most: number) =>
      Promise.resolve(
        Object.keys(unfinished)
          .filter((tenant_id) => after === null || tenant_id > after)
          .slice(0, most)
          .map((tenant_id) => ({ tenant_id, has_work: unfinished[tenant_id] instanceof Error || unfinished[tenant_id]?.length !== 0 })),
      ),
    listUnfinished: ({ job_id }: WorkPlace, most: number) => {
      const { tenant_id } = requireScope();
      read.push(tenant_id);
      const rows = unfinished[tenant_id] ?? [];
      if (rows instanceof Error) return Promise.reject(rows);
      return Promise.resolve(rows.slice(rows.findIndex((row) => row.job_id === job_id) + 1).slice(0, most));
    },
  } as unknown as LostWorkRows);
  work.register('parcel', (job_id) => {
    if (job_id.startsWith('broken')) return Promise.reject(new Error('It cannot be ended.'));
    ended.push(`${requireScope().tenant_id}:${job_id}`);
    return Promise.resolve();
  });
  return { work, ended, read };
}

const rows = (count: number, name = 'job'): Partial<UnfinishedWork>[] =>
  Array.from({ length: count }, (_, at) => ({ work: 'parcel', job_id: `${name}-${at}`, is_lost: true }));
const { signal } = new AbortController();

describe('lost work', () => {
  it('of a workspace with very much of it leaves the others their turn', async () => {
    const { work, ended } = lostWorkOf({ a: rows(1_000), b: rows(2) });
    expect(await work.endAll(signal)).toBe(1_002);
    expect(ended.indexOf('b:job-1')).toBeLessThan(200);
  });

  it('is found in all workspaces', async () => {
    const many = Object.fromEntries(Array.from({ length: 450 }, (_, at) => [`w${String(at).padStart(3, '0')}`, rows(1)]));
    const { work, ended } = lostWorkOf(many);
    expect(await work.endAll(signal)).toBe(450);
    expect(new Set(ended).size).toBe(450);
  });

  it('is looked for behind a page of workspaces without any, and only where there is some', async () => {
    const many = Object.fromEntries(Array.from({ length: 450 }, (_, at) => [`w${String(at).padStart(3, '0')}`, rows(at === 449 ? 1 : 0)]));
    const { work, read } = lostWorkOf(many);
    expect(await work.endAll(signal)).toBe(1);
    expect(read).toEqual(['w449']);
  });

  it('is ended in all workspaces behind one whose work cannot be read', async () => {
    const log = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    const { work, ended } = lostWorkOf({ a: new Error('The page cannot be read.'), b: rows(1) });
    expect(await work.endAll(signal)).toBe(1);
    expect(log).toHaveBeenCalledWith(expect.objectContaining({ tenant_id: 'a' }));
    log.mockRestore();
    expect(ended).toEqual(['b:job-0']);
  });

  it('that cannot be ended, or whose table is unknown here, holds up none behind it', async () => {
    const log = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    const unknown = rows(300, 'other').map((row) => ({ ...row, work: 'letter' }));
    const { work, ended } = lostWorkOf({ a: [...rows(300, 'broken'), ...unknown, ...rows(1)] });
    expect(await work.endAll(signal)).toBe(1);
    log.mockRestore();
    expect(ended).toEqual(['a:job-0']);
  });

  it('is only what the queue has no job for', async () => {
    const { work, ended } = lostWorkOf({ a: rows(150).map((row, at) => ({ ...row, is_lost: at === 149 })) });
    expect(await work.endAll(signal)).toBe(1);
    expect(ended).toEqual(['a:job-149']);
  });
});

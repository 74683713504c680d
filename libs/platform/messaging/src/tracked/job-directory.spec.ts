import { PermissionSet, type Principal } from '@atrium/platform/access';
import { MAX_LIMIT, pageBytesOf, sql, type Database, type RowBudget, type Sql } from '@atrium/platform/database';
import { JobDirectory } from './job-directory';

const caller = { tenant_id: 't', user_id: 'ann', key_id: null, permissions: PermissionSet.of([]) } as unknown as Principal;

/** The statement of a list over one table, and how many bytes its rows may have. */
async function listed(query: { readonly limit?: number; readonly offset?: number }): Promise<{ statement: string; bytes: number }> {
  let statement = '';
  let bytes = 0;
  const tx = {
    query: (asked: Sql, _: unknown, budget: RowBudget) => {
      statement = asked.text;
      for (const kilobyte = 1_024; budget.admits(kilobyte);) bytes += kilobyte;
      return Promise.resolve([]);
    },
  };
  const read = (work: (unit: unknown) => unknown): unknown => work(tx);
  const directory = new JobDirectory({ read, readMany: read } as unknown as Database);
  directory.register({
    mayShow: () => true,
    rowsFor: () => [
      {
        from: sql`parcel r`,
        where: sql`true`,
        requester: null,
        permitted: true,
        subjects: 'all',
        job_kind: sql`'shop.pack'`,
        queue: null,
        subject: null,
        href: sql`'/'`,
        columns: { result: sql`r.wide_result` },
      },
    ],
    cancelJob: () => Promise.resolve(),
  });
  await directory.list(caller, query);
  return { statement, bytes };
}

describe('a page of jobs', () => {
  it.each([{ limit: MAX_LIMIT }, { limit: 10, offset: 5_000 }])('of %j has the bytes of any page', async (query) => {
    expect((await listed(query)).bytes).toBe(pageBytesOf(MAX_LIMIT));
  });

  it('reads the columns of its jobs once the others are cut off', async () => {
    const { statement } = await listed({ limit: 10, offset: 5_000 });
    expect(statement.indexOf('wide_result')).toBeGreaterThan(statement.indexOf('OFFSET'));
    expect(statement.split('wide_result')).toHaveLength(2);
  });
});

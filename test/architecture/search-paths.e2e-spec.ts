import { testDatabase } from '@atrium/platform/testing';
import { ask } from './asking';

/** Functions and procedures of the service, without what extensions bring. */
const OURS =
  "pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace AND n.nspname = 'public' WHERE NOT EXISTS (SELECT FROM pg_depend e WHERE e.classid = 'pg_proc'::regclass AND e.objid = p.oid AND e.deptype = 'e')";

describe('the functions of the schema', () => {
  // A restore, pg_upgrade and maintenance run under another search path, and so does any client that sets one.
  it('each name the schemas they look in, or have a body that was resolved when it was made', async () => {
    const { ownerUrl } = await testDatabase();
    const loose = await ask(
      ownerUrl,
      `SELECT p.oid::regprocedure::text AS f FROM ${OURS} AND p.prosqlbody IS NULL AND NOT EXISTS (SELECT FROM unnest(p.proconfig) s WHERE s = 'search_path=public, pg_temp')`,
    );
    expect(loose).toEqual([]);
  });

  it('that PostgreSQL writes out in the statement that calls them have no setting that would make a call of each', async () => {
    const { ownerUrl } = await testDatabase();
    const inlined = ['current_tenant', 'file_number', 'phash_bands', 'budgets_of', 'budget_window', 'without_person', 'access_log_whole'];
    expect(
      await ask(
        ownerUrl,
        `SELECT p.proname AS f FROM ${OURS} AND p.proname = ANY ($1) AND (p.proconfig IS NOT NULL OR p.prosqlbody IS NULL)`,
        { values: [inlined] },
      ),
    ).toEqual([]);
  });

  // The plan of a trigger is made for the rows of its first calls and kept: a join made for one row takes the square of fifty thousand.
  it('that are called with the rows a statement changed never name these behind a JOIN or a comma', async () => {
    const { ownerUrl } = await testDatabase();
    const changed = `pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid, unnest(ARRAY[t.tgoldtable, t.tgnewtable]) AS rows WHERE rows IS NOT NULL`;
    expect((await ask(ownerUrl, `SELECT DISTINCT p.proname FROM ${changed}`)).length).toBeGreaterThan(5);
    expect(await ask(ownerUrl, `SELECT DISTINCT p.proname FROM ${changed} AND p.prosrc ~* ('(JOIN|,)\\s+' || rows || '\\M')`)).toEqual([]);
  });
});

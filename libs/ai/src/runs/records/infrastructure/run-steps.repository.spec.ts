import { createDataSource, Database, inWorkspace, sql } from '@atrium/platform/database';
import { newId } from '@atrium/platform/kernel';
import { eventually, testDatabase } from '@atrium/platform/testing';
import { Client } from 'pg';
import { RunStepsRepository } from './run-steps.repository';

const CALL = { call_id: 'c1', state: 'done' as const, output: { n: 1 }, shown: null, error: null };
const BROUGHT = { sources: [{ n: 1 }], taint: 'passages' };

describe('A call of a run', () => {
  const tenant = newId();
  let db: Database;
  let other: Client;
  let steps: RunStepsRepository;

  beforeAll(async () => {
    const { appUrl, ownerUrl } = await testDatabase();
    const owner = new Client({ connectionString: ownerUrl });
    await owner.connect();
    await owner.query('ALTER TABLE run DROP CONSTRAINT run_tenant_id_fkey, DROP CONSTRAINT run_tenant_id_run_agent_fkey');
    await owner.end();
    other = new Client({ connectionString: appUrl });
    await other.connect();
    const pool = { pool: 4, acquireTimeoutMs: 5_000 };
    db = new Database(await createDataSource({ url: appUrl, ...pool, applicationName: 'steps-spec' }, []).initialize(), {
      prepared: true,
      ...pool,
    });
    steps = new RunStepsRepository(db);
  });

  afterAll(async () => {
    await other.end();
    await db.onApplicationShutdown();
  });

  /** A run that the second attempt has, and one call of it. */
  async function running(run_status = 'running'): Promise<string> {
    const run_id = newId();
    await db.write(async (tx) => {
      await tx.execute(sql`
        INSERT INTO run (tenant_id, run_id, run_agent, run_agent_version, run_model, run_status, run_attempt)
        VALUES (${tenant}, ${run_id}, ${newId()}, 1, 'm', ${run_status}, 2)`);
      await tx.execute(sql`
        INSERT INTO run_tool_call (tenant_id, run_id, call_id, step, tool, state) VALUES (${tenant}, ${run_id}, 'c1', 1, 'search', 'pending')`);
    });
    return run_id;
  }

  const found = (run_id: string): Promise<object | undefined> =>
    db.read((tx) =>
      tx.first(sql`
        SELECT c.state, c.attempt, c.output, r.run_sources AS sources, r.run_tainted AS taint FROM run_tool_call c JOIN run r USING (tenant_id, run_id)
        WHERE c.tenant_id = ${tenant} AND c.run_id = ${run_id}`),
    );

  it('begins and ends for the attempt that has the run, with what it brought', async () => {
    await inWorkspace(tenant, async () => {
      const run_id = await running();
      await expect(steps.beginCall({ run_id, attempt: 2 }, 'c1')).resolves.toBe(true);
      expect(await found(run_id)).toMatchObject({ state: 'running', attempt: 2, sources: [], taint: null });
      await expect(steps.endCall({ run_id, attempt: 2 }, CALL, BROUGHT)).resolves.toBe(true);
      expect(await found(run_id)).toMatchObject({ state: 'done', output: { n: 1 }, ...BROUGHT });
    });
  });

  it.each([
    ['another attempt has', 'running', 1],
    ['nobody has any more', 'stopped', 2],
  ])('neither begins nor ends for a run that %s, and brings nothing to it', async (_, status, attempt) => {
    await inWorkspace(tenant, async () => {
      const run_id = await running(status);
      await expect(steps.beginCall({ run_id, attempt }, 'c1')).resolves.toBe(false);
      await expect(steps.endCall({ run_id, attempt }, CALL, BROUGHT)).resolves.toBe(false);
      expect(await found(run_id)).toMatchObject({ state: 'pending', output: null, sources: [], taint: null });
    });
  });

  it('that waited for the worker which took the run over does not begin afterwards', async () => {
    await inWorkspace(tenant, async () => {
      const run_id = await running();
      await other.query('BEGIN');
      await other.query("SELECT set_config('app.tenant_id', $1, true)", [tenant]);
      await other.query('UPDATE run SET run_attempt = 3 WHERE tenant_id = $1 AND run_id = $2', [tenant, run_id]);
      const begun = steps.beginCall({ run_id, attempt: 2 }, 'c1');
      await eventually(
        async () => (await other.query('SELECT FROM pg_locks WHERE NOT granted AND pid <> pg_backend_pid()')).rowCount,
        (waiting) => waiting === 1,
      );
      await other.query('COMMIT');
      await expect(begun).resolves.toBe(false);
      expect(await found(run_id)).toMatchObject({ state: 'pending' });
    });
  });
});

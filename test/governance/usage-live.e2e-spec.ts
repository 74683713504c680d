import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { UsageRollup, UsageReports, type Pivot } from '@atrium/governance';
import { Database, inWorkspace, sql } from '@atrium/platform/database';
import { eventually, ofThisFile, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { Client } from 'pg';
import { BRIEF_LEASES, startAtrium, startWorker } from '../support/api';
import { seedUsage, someIds, withQuery } from '../support/usage';

let api: RunningApi;

beforeAll(async () => {
  api = await startAtrium(BRIEF_LEASES);
});
afterAll(() => api.close());

const asked = (workspace: TestWorkspace): Promise<Pivot> =>
  pivot(workspace, { group_by: 'agent_name', time_granularity: 'day', tz: 'Asia/Kathmandu' });
const pivot = async (workspace: TestWorkspace, query: Record<string, string>): Promise<Pivot> => {
  const { as_of: _, ...rest } = (await workspace.owner.client.get(withQuery('/admin/usage/pivot', query)).expect(200)).body as Pivot;
  return rest as Pivot;
};

/** Charges as eight busy writers make them: small transactions of an entry and its delta, until asked to stop. */
async function writeUntil(tenant_id: string, users: readonly string[], stopped: () => boolean): Promise<number> {
  const client = new Client({ connectionString: api.database.ownerUrl });
  await client.connect();
  let written = 0;
  try {
    for (; !stopped(); written += 5) {
      await pause(20);
      await client.query(
        `WITH made AS (
           INSERT INTO usage_entry (tenant_id, usage_id, usage_timestamp, usage_user, usage_param, usage_consumed_units, usage_consumed_credits, usage_cost_id)
           SELECT $1, gen_random_uuid(), now() - random() * interval '34 days', ($2::uuid[])[1 + n], 'ai.output_tokens', round((random() * 900)::numeric, 6), round(random()::numeric, 6), $1 FROM generate_series(0, 4) n RETURNING *)
         INSERT INTO usage_delta (tenant_id, usage_timestamp, usage_param, usage_user, usage_consumed_units, usage_consumed_credits)
         SELECT tenant_id, usage_timestamp, usage_param, usage_user, usage_consumed_units, usage_consumed_credits FROM made`,
        [tenant_id, users],
      );
    }
  } finally {
    await client.end();
  }
  return written;
}

describe('a report while charges come in', () => {
  it('[governance 3] equals a sum over the entries of the same snapshot, a hundred times, while eight writers write and the roller rolls', async () => {
    const workspace = await api.workspace();
    const users = someIds(5);
    await seedUsage(api, workspace.tenant_id, { entries: 5_000, days: 34, users, agents: someIds(3) });
    const [db, reports, rollup] = [api.app.get(Database), api.app.get(UsageReports), api.app.get(UsageRollup)];
    let over = false;
    const writers = Array.from({ length: 8 }, () => writeUntil(workspace.tenant_id, users, () => over));
    let rolled = 0;
    const roller = (async (): Promise<void> => {
      while (!over) rolled += await rollup.rollBatch(500);
    })();

    const questions = [
      {
        query: { group_by: 'date', tz: 'America/New_York' },
        line: sql`to_char(usage_timestamp AT TIME ZONE 'America/New_York', 'YYYY-MM-DD')`,
      },
      { query: { group_by: 'usage_user', tz: 'Asia/Kathmandu' }, line: sql`usage_user::text` },
    ] as const;
    const seen = new Set<number>();
    for (let i = 0; i < 100; i++) {
      const { query, line } = questions[i % 2]!;
      await inWorkspace(workspace.tenant_id, () =>
        db.read(async (tx) => {
          await tx.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ');
          const report = await reports.getPivot({ ...query, usage_timestamp: [new Date(Date.now() - 33 * 86_400_000).toISOString()] });
          const direct = await tx.query<{ line: string | null; n: number; credits: number }>(
            sql`SELECT ${line} AS line, count(*) AS n, sum(usage_consumed_credits) AS credits FROM usage_entry
                WHERE usage_timestamp >= ${report.usage_timestamp[0]}::timestamptz AND usage_timestamp <= ${report.usage_timestamp[1]}::timestamptz GROUP BY 1`,
          );
          const rows = report.data
            .filter((row) => row.usage_entries > 0)
            .map((row) => String([row.key, row.usage_entries, row.usage_consumed_credits]));
          expect(new Set(rows)).toEqual(new Set(direct.map((row) => String([row.line, row.n, row.credits]))));
          seen.add(report.total.usage_entries);
        }),
      );
    }
    over = true;
    const written = (await Promise.all(writers)).reduce((sum, n) => sum + n, 0);
    await roller;
    expect(seen.size).toBeGreaterThan(50);
    expect(rolled).toBeGreaterThan(1_000);
    await rollup.rollUpUsage();
    const [left] = await api.sql<{ entries: string; cells: string; delta: string }>(
      `SELECT (SELECT count(*) FROM usage_entry WHERE tenant_id = $1) AS entries, (SELECT sum(usage_entries) FROM usage_cells WHERE tenant_id = $1) AS cells, (SELECT count(*) FROM usage_delta WHERE tenant_id = $1) AS delta`,
      [workspace.tenant_id],
    );
    expect(left).toEqual({ entries: String(5_000 + written), cells: String(5_000 + written), delta: '0' });
    const sums = await api.sql<{ n: string; credits: string }>(
      `SELECT sum(usage_entries)::text AS n, sum(usage_consumed_credits)::text AS credits FROM usage_hourly WHERE tenant_id = $1 GROUP BY usage_group
       UNION ALL SELECT sum(usage_entries)::text, sum(usage_consumed_credits)::text FROM usage_daily WHERE tenant_id = $1 GROUP BY usage_group`,
      [workspace.tenant_id],
    );
    const [all] = await api.sql<{ n: string; credits: string }>(
      'SELECT count(*)::text AS n, sum(usage_consumed_credits)::text AS credits FROM usage_entry WHERE tenant_id = $1',
      [workspace.tenant_id],
    );
    expect(sums).toEqual(Array.from({ length: 10 }, () => all));
  }, 120_000);
});

/** A process of its own that is in the midst of a batch: it has moved rows and not yet committed. */
async function rollerInMidBatch(): Promise<{ kill(): Promise<void> }> {
  const program = `const { Client } = require('pg'); const client = new Client({ connectionString: process.env.ROLLER_URL });
    client.connect().then(() => client.query('BEGIN')).then(() => client.query('SELECT usage_roll(600) AS moved')).then(({ rows }) => console.log(rows[0].moved)); setInterval(() => {}, 1000);`;
  const child = ofThisFile(
    spawn(process.execPath, ['-e', program], {
      cwd: join(__dirname, '../..'),
      env: { ...process.env, ROLLER_URL: api.database.appUrl },
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  );
  const [moved] = (await once(child.stdout, 'data')) as [Buffer];
  expect(moved.toString().trim()).toBe('600');
  return {
    async kill() {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

describe('the roller', () => {
  it('[governance 8] changes no number: with 1,000 entries unrolled, while it is in mid batch, after it was killed there, and when it is done', async () => {
    const workspace = await api.workspace();
    const rollup = api.app.get(UsageRollup);
    await seedUsage(api, workspace.tenant_id, { entries: 3_000, days: 20, users: someIds(3), agents: someIds(3) });
    await rollup.rollUpUsage();
    const before = (await asked(workspace)).total.usage_entries;
    await seedUsage(api, workspace.tenant_id, { entries: 1_000, days: 20, users: someIds(2), agents: someIds(2) });
    const right = await asked(workspace);
    expect(right.total.usage_entries).toBe(before + 1_000);

    const killed = await rollerInMidBatch();
    expect(await asked(workspace)).toEqual(right);
    expect(await rollup.rollBatch()).toBe(0);
    await killed.kill();
    expect(await asked(workspace)).toEqual(right);
    expect(await api.sql(`SELECT count(*)::int AS left FROM usage_delta WHERE tenant_id = $1`, [workspace.tenant_id])).toEqual([
      { left: 1_000 },
    ]);

    let moved = 0;
    while (moved < 1_000) moved += await rollup.rollBatch(300);
    expect(await asked(workspace)).toEqual(right);
    expect(await api.sql(`SELECT FROM usage_delta WHERE tenant_id = $1`, [workspace.tenant_id])).toEqual([]);
  });

  it('may be at work while the rollups are made again, and reports stay exact', async () => {
    const workspace = await api.workspace();
    const rollup = api.app.get(UsageRollup);
    await seedUsage(api, workspace.tenant_id, { entries: 3_000, days: 25, users: someIds(3), agents: someIds(3) });
    await rollup.rollBatch(1_500);
    const right = await asked(workspace);
    const work = Promise.all([
      rollup.rebuildRollups({ workspace: workspace.tenant_id, from: new Date(Date.now() - 26 * 86_400_000), to: new Date() }),
      rollup.rollUpUsage(),
    ]);
    for (let i = 0; i < 10; i++) expect(await asked(workspace)).toEqual(right);
    await work;
    await rollup.rollUpUsage();
    expect(await asked(workspace)).toEqual(right);
  });

  it('runs by the clock in a worker', async () => {
    const workspace = await api.workspace();
    await seedUsage(api, workspace.tenant_id, { entries: 200, days: 3, users: someIds(2), agents: someIds(2) });
    await startWorker(api);
    await eventually(
      () => api.sql(`SELECT FROM usage_delta WHERE tenant_id = $1`, [workspace.tenant_id]),
      (left) => left.length === 0,
    );
    expect(await api.sql(`SELECT sum(usage_entries)::int AS n FROM usage_thin WHERE tenant_id = $1`, [workspace.tenant_id])).toEqual([
      { n: 200 },
    ]);
  });
});

import { UsageRollup, UsageRanges, UsageSumsRows } from '@atrium/governance';
import { Database, inWorkspace, sql } from '@atrium/platform/database';
import { newId } from '@atrium/platform/kernel';
import type { RunningApi, TestWorkspace } from '@atrium/platform/testing';
import { addEntries, seedUsage, someIds } from '../support/usage';
import { daysAgo, get, NIL, pivot, startNamingAgents, type Query, type Sum } from './reporting';

let api: RunningApi;
const names = new Map<string, string>();

beforeAll(async () => {
  api = await startNamingAgents(names);
});
afterAll(() => api.close());

describe('GET /admin/usage/pivot', () => {
  it('[governance 6] has one row for an agent that was renamed, two for two of one name, and says which was deleted', async () => {
    const workspace = await api.workspace();
    const [renamed, twin, gone] = someIds(3) as [string, string, string];
    names.set(renamed, 'Scout');
    names.set(twin, 'Ranger');
    await addEntries(api, workspace.tenant_id, [
      { at: `${daysAgo(3)}T10:00:00Z`, agent: renamed, credits: '5' },
      { at: `${daysAgo(3)}T10:00:00Z`, agent: twin, credits: '3' },
      { at: `${daysAgo(3)}T11:00:00Z`, agent: gone, credits: '2' },
      { at: `${daysAgo(3)}T11:00:00Z`, credits: '1' },
    ]);
    await api.app.get(UsageRollup).rollUpUsage();
    expect((await pivot(workspace, { group_by: 'agent_name' })).data.map(({ label }) => label)).toEqual([
      'Scout',
      'Ranger',
      `Deleted agent ${gone.slice(0, 8)}`,
      'None',
    ]);
    names.set(renamed, 'Ranger');
    await addEntries(api, workspace.tenant_id, [{ at: `${daysAgo(2)}T10:00:00Z`, agent: renamed, credits: '5' }]);
    const { data } = await pivot(workspace, { group_by: 'agent_name' });
    expect(data.map(({ key, label, usage_consumed_credits }) => [key, label, usage_consumed_credits])).toEqual([
      [renamed, 'Ranger', 10],
      [twin, 'Ranger', 3],
      [gone, `Deleted agent ${gone.slice(0, 8)}`, 2],
      [null, 'None', 1],
    ]);
  });

  it('[governance 5] sums from 10:07 to 16:52 what the entries sum to, and reads entries of the two edges alone', async () => {
    const workspace = await api.workspace();
    await seedUsage(api, workspace.tenant_id, { entries: 30_000, days: 120, users: someIds(6), agents: someIds(4) });
    const bounds = [`${daysAgo(100)}T10:07:00.000Z`, `${daysAgo(5)}T16:52:00.000Z`] as const;
    // Both moments are in the range, and those a millisecond beyond are not.
    const beside = (moment: string, by: number): string => new Date(Date.parse(moment) + by).toISOString();
    await addEntries(
      api,
      workspace.tenant_id,
      [beside(bounds[0], -1), ...bounds, beside(bounds[1], 1)].map((at, n) => ({ at, units: '1', credits: String(10 ** (n + 4)) })),
    );
    await api.app.get(UsageRollup).rollUpUsage();
    await api.sql('ANALYZE usage_entry, usage_delta, usage_cells, usage_days, usage_thin, usage_hourly, usage_daily');
    const db = api.app.get(Database);
    for (const [row, group_by] of [
      ['param', 'usage_param'],
      ['user', 'usage_user'],
    ] as const) {
      const { total } = await pivot(workspace, { group_by, usage_timestamp: bounds });
      const [direct] = await api.sql<{ n: number; credits: number }>(
        'SELECT count(*)::int AS n, sum(usage_consumed_credits)::float8 AS credits FROM usage_entry WHERE tenant_id = $1 AND usage_timestamp BETWEEN $2 AND $3',
        [workspace.tenant_id, ...bounds],
      );
      expect([total.usage_entries, total.usage_consumed_credits]).toEqual([direct!.n, direct!.credits]);

      const plan = await inWorkspace(workspace.tenant_id, () =>
        db.read(async (tx) => {
          const range = await api.app.get(UsageRanges).resolveRange(tx, { usage_timestamp: bounds });
          const statement = api.app
            .get(UsageSumsRows)
            .sumsStatement([{ range: range.cut, starts: [], filter: {}, row, column: 'nothing' }]);
          const [explained] = await tx.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(sql`EXPLAIN (ANALYZE, FORMAT JSON) ${statement}`);
          return nodesOf(explained!['QUERY PLAN'][0].Plan);
        }),
      );
      const raw = plan.filter((node) => node['Relation Name']?.startsWith('usage_entry') && node['Actual Loops'] > 0);
      const months = bounds.map((bound) => `usage_entry_${bound.slice(0, 7).replace('-', '_')}`);
      expect(new Set(raw.map((node) => node['Relation Name']))).toEqual(new Set(months));
      const [edges] = await api.sql<{ n: number }>(
        `SELECT count(*)::int AS n FROM usage_entry WHERE tenant_id = $1 AND (usage_timestamp >= $2::timestamptz AND usage_timestamp < $2::timestamptz + interval '8 minutes' OR usage_timestamp >= $3::timestamptz - interval '7 minutes' AND usage_timestamp <= $3::timestamptz)`,
        [workspace.tenant_id, ...bounds],
      );
      expect(raw.reduce((sum, node) => sum + node['Actual Rows'] * node['Actual Loops'], 0)).toBe(edges!.n);
      expect(raw.every((node) => /Index/.test(node['Node Type']))).toBe(true);
    }
  });

  // What `npm run bench -- usage` takes the time of, at 10^6 and 10^7 entries: here as the rows that are read, at fewer of them.
  it('[governance 34] reads hardly more for ten times the entries of the same users, agents and days, and a fiftieth of what a bare sum reads', async () => {
    const [users, agents] = [someIds(3), someIds(2)];
    const bounds = [daysAgo(12), daysAgo(3)];
    const db = api.app.get(Database);
    const seeded = async (entries: number): Promise<{ tenant_id: string; total: number }> => {
      const { tenant_id } = await api.workspace();
      await seedUsage(api, tenant_id, { entries, days: 14, users, agents });
      while ((await api.app.get(UsageRollup).rollUpUsage()) > 0);
      const [row] = await api.sql<{ n: number }>(
        'SELECT count(*)::int AS n FROM usage_entry WHERE tenant_id = $1 AND usage_timestamp >= $2::date AND usage_timestamp < $3::date + 1',
        [tenant_id, ...bounds],
      );
      return { tenant_id, total: row?.n ?? 0 };
    };
    const [middle, large] = [await seeded(10_000), await seeded(100_000)];
    await api.sql('ANALYZE usage_entry, usage_delta, usage_cells, usage_days, usage_thin, usage_hourly, usage_daily');
    const rowsRead = ({ tenant_id }: { tenant_id: string }, row: 'param' | 'user', filter: { usage_user?: string }): Promise<number> =>
      inWorkspace(tenant_id, () =>
        db.read(async (tx) => {
          const range = await api.app.get(UsageRanges).resolveRange(tx, { usage_timestamp: bounds });
          const statement = api.app.get(UsageSumsRows).sumsStatement([{ range: range.cut, starts: [], filter, row, column: 'nothing' }]);
          const [explained] = await tx.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(sql`EXPLAIN (ANALYZE, FORMAT JSON) ${statement}`);
          return nodesOf(explained!['QUERY PLAN'][0].Plan)
            .filter((node) => node['Relation Name'] !== undefined)
            .reduce((sum, node) => sum + rowsOf(node), 0);
        }),
      );
    for (const row of ['param', 'user'] as const)
      for (const filter of [{}, { usage_user: users[0]! }]) {
        const [few, many] = [await rowsRead(middle, row, filter), await rowsRead(large, row, filter)];
        expect({ row, filter, few: few > 0, isFlat: many <= few * 1.5 }).toEqual({ row, filter, few: true, isFlat: true });
        expect({ row, filter, isFiftieth: many * 50 <= large.total }).toEqual({ row, filter, isFiftieth: true });
      }
  });

  it('[governance 7] reports cells whose entries the details page through, exactly', async () => {
    const workspace = await api.workspace();
    const [users, agents, prompts] = [someIds(4), someIds(3), someIds(2)];
    await seedUsage(api, workspace.tenant_id, { entries: 4_000, days: 40, users, agents, prompts });
    await api.app.get(UsageRollup).rollUpUsage();
    await seedUsage(api, workspace.tenant_id, { entries: 300, days: 40, users, agents, prompts });
    const shapes = [
      { group_by: 'agent_name', filter: 'agent_id' },
      { group_by: 'prompt_name', filter: 'prompt_id' },
      { group_by: 'usage_user', filter: 'usage_user' },
    ] as const;
    for (let i = 0; i < 10; i++) {
      const { group_by, filter } = shapes[i % 3]!;
      const byWeek = i % 2 === 0;
      const report = await pivot(workspace, { group_by, tz: 'Asia/Kathmandu', ...(byWeek ? { time_granularity: 'week' } : {}) });
      const row = report.data[Math.floor(Math.random() * report.data.length)]!;
      const columns = Object.keys(row.cells);
      const column = columns[Math.floor(Math.random() * columns.length)]!;
      const period = report.periods.find(({ key }) => key === column);
      const range = period ? [period.from, new Date(Date.parse(period.to) - 1).toISOString()] : report.usage_timestamp;
      const cell = row.cells[column]!;
      const behind = await everyDetail(workspace, {
        [filter]: row.key ?? NIL,
        usage_timestamp: range,
        ...(byWeek ? {} : { usage_param: column }),
        limit: '70',
      });
      expect(behind.map(({ usage_id }) => usage_id)).toHaveLength(new Set(behind.map(({ usage_id }) => usage_id)).size);
      expect([behind.length, millionths(behind.map((entry) => entry.usage_consumed_credits))]).toEqual([
        cell.usage_entries,
        millionths([cell.usage_consumed_credits]),
      ]);
    }
  });

  it('shows all periods in order by date, those without use too, and columns by parameter', async () => {
    const workspace = await api.workspace();
    await addEntries(api, workspace.tenant_id, [
      { at: `${daysAgo(3)}T10:00:00Z`, param: 'render', credits: '0.5' },
      { at: `${daysAgo(1)}T10:00:00Z`, param: 'studio_image', units: '2', credits: '1' },
    ]);
    const report = await pivot(workspace, { group_by: 'date', usage_timestamp: [daysAgo(4), daysAgo(1)] });
    expect(report).toMatchObject({
      group_by: 'date',
      time_granularity: 'day',
      tz: 'UTC',
      columns: ['render', 'studio_image'],
      truncated: false,
      edges: 'exact',
      total: { usage_entries: 2, usage_consumed_units: null, usage_consumed_credits: 1.5 },
      other: { usage_entries: 0 },
    });
    expect(report.data.map(({ key, usage_entries, cells }) => [key, usage_entries, cells])).toEqual([
      [daysAgo(4), 0, {}],
      [daysAgo(3), 1, { render: { usage_entries: 1, usage_consumed_units: 1, usage_consumed_credits: 0.5 } }],
      [daysAgo(2), 0, {}],
      [daysAgo(1), 1, { studio_image: { usage_entries: 1, usage_consumed_units: 2, usage_consumed_credits: 1 } }],
    ]);
    const months = await pivot(workspace, {
      group_by: 'usage_param',
      time_granularity: 'month',
      usage_timestamp: ['2026-01-15', '2026-03-10'],
    });
    expect([months.columns, months.periods[0]!.from, months.periods[2]!.to]).toEqual([
      ['2026-01', '2026-02', '2026-03'],
      '2026-01-15T00:00:00.000Z',
      '2026-03-11T00:00:00.000Z',
    ]);
  });

  it('covers the last 30 local days by default, in the zone of the workspace', async () => {
    const workspace = await api.workspace();
    await api.sql(`UPDATE workspace SET ws_timezone = 'Asia/Kathmandu' WHERE tenant_id = $1`, [workspace.tenant_id]);
    const { tz, periods, as_of } = await pivot(workspace, { group_by: 'date' });
    const today = new Date(Date.parse(as_of) + 345 * 60_000).toISOString().slice(0, 10);
    expect([tz, periods.length, periods.at(-1)!.key]).toEqual(['Asia/Kathmandu', 30, today]);
  });

  it('sums rows beyond 5,000 as other; the total covers them', async () => {
    const workspace = await api.workspace();
    const users = someIds(5_003);
    await addEntries(
      api,
      workspace.tenant_id,
      users.map((user, i) => ({ at: `${daysAgo(2)}T10:00:00Z`, user, credits: String(10_000 - i) })),
    );
    const report = await pivot(workspace, { group_by: 'usage_user' });
    expect(report.data.map(({ key }) => key)).toEqual(users.slice(0, 5_000));
    expect(report).toMatchObject({
      truncated: true,
      other: { usage_entries: 3, usage_consumed_credits: 5_000 + 4_999 + 4_998 },
      total: { usage_entries: 5_003 },
    });
  });

  it('takes the nil uuid for nobody, and a member of another workspace for an unknown one', async () => {
    const [ours, theirs] = [await api.workspace(), await api.workspace()];
    await addEntries(api, ours.tenant_id, [{ at: `${daysAgo(2)}T10:00:00Z` }, { at: `${daysAgo(2)}T10:00:00Z`, user: ours.owner.user_id }]);
    await addEntries(api, theirs.tenant_id, [{ at: `${daysAgo(2)}T10:00:00Z`, user: theirs.owner.user_id }]);
    for (const rolled of [false, true]) {
      if (rolled) await api.app.get(UsageRollup).rollUpUsage();
      for (const [usage_user, entries] of [
        [NIL, 1],
        [ours.owner.user_id, 1],
        [theirs.owner.user_id, 0],
        [newId(), 0],
      ] as const) {
        expect((await pivot(ours, { group_by: 'usage_param', usage_user })).total.usage_entries).toBe(entries);
        expect((await get<{ data: object[] }>(ours, '/admin/usage/details', { usage_user })).data).toHaveLength(entries);
      }
    }
  });
});

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly Plans?: readonly PlanNode[];
}
/** Rows that a scan has read, those too that its conditions threw away. */
const rowsOf = (node: PlanNode): number =>
  (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)) * node['Actual Loops'];

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

interface Detail extends Sum {
  readonly usage_id: string;
}
const millionths = (credits: readonly number[]): number => credits.reduce((sum, value) => sum + Math.round(value * 1e6), 0);

async function everyDetail(workspace: TestWorkspace, query: Query): Promise<Detail[]> {
  const all: Detail[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page: { data: Detail[]; next_cursor: string | null } = await get(workspace, '/admin/usage/details', { ...query, cursor });
    all.push(...page.data);
    cursor = page.next_cursor;
  }
  return all;
}

import { UsageLabels, UsageRollup, UsageRanges, UsageSumsRows, type Pivot } from '@atrium/governance';
import { Database, inWorkspace, sql } from '@atrium/platform/database';
import { newId } from '@atrium/platform/kernel';
import type { RunningApi, TestWorkspace } from '@atrium/platform/testing';
import { startAtrium } from '../support/api';
import { addEntries, seedUsage, someIds, withQuery } from '../support/usage';

const NIL = '00000000-0000-0000-0000-000000000000';
const DAY = 86_400_000;

interface Sum {
  readonly usage_entries: number;
  readonly usage_consumed_units: number | null;
  readonly usage_consumed_credits: number;
}
type Query = Record<string, string | readonly string[] | undefined>;

let api: RunningApi;
const names = new Map<string, string>();

beforeAll(async () => {
  api = await startAtrium();
  // As the context that owns agents does when it starts.
  api.app.get(UsageLabels).register('agent', (ids) => Promise.resolve(new Map(ids.flatMap((id) => (names.has(id) ? [[id, names.get(id)!] as const] : [])))));
});
afterAll(() => api.close());

const daysAgo = (days: number): string => new Date(Date.now() - days * DAY).toISOString().slice(0, 10);
const get = async <T>(workspace: TestWorkspace, path: string, query: Query): Promise<T> => (await workspace.owner.client.get(withQuery(path, query)).expect(200)).body as T;
const pivot = (workspace: TestWorkspace, query: Query): Promise<Pivot> => get(workspace, '/admin/usage/pivot', query);

describe('GET /admin/usage/pivot', () => {
  it('[governance 6] has one row for an agent that was renamed, two for two of one name, and says which was deleted', async () => {
    const workspace = await api.workspace();
    const [renamed, twin, gone] = someIds(3) as [string, string, string];
    names.set(renamed, 'Scout');
    names.set(twin, 'Ranger');
    await addEntries(api, workspace.tenant_id, [{ at: `${daysAgo(3)}T10:00:00Z`, agent: renamed, credits: '5' }, { at: `${daysAgo(3)}T10:00:00Z`, agent: twin, credits: '3' }, { at: `${daysAgo(3)}T11:00:00Z`, agent: gone, credits: '2' }, { at: `${daysAgo(3)}T11:00:00Z`, credits: '1' }]);
    await api.app.get(UsageRollup).roll();
    expect((await pivot(workspace, { group_by: 'agent_name' })).data.map(({ label }) => label)).toEqual(['Scout', 'Ranger', `Deleted agent ${gone.slice(0, 8)}`, 'None']);
    names.set(renamed, 'Ranger');
    await addEntries(api, workspace.tenant_id, [{ at: `${daysAgo(2)}T10:00:00Z`, agent: renamed, credits: '5' }]);
    const { data } = await pivot(workspace, { group_by: 'agent_name' });
    expect(data.map(({ key, label, usage_consumed_credits }) => [key, label, usage_consumed_credits])).toEqual([[renamed, 'Ranger', 10], [twin, 'Ranger', 3], [gone, `Deleted agent ${gone.slice(0, 8)}`, 2], [null, 'None', 1]]);
  });

  it('[governance 5] sums from 10:07 to 16:52 what the entries sum to, and reads entries of the two edges alone', async () => {
    const workspace = await api.workspace();
    await seedUsage(api, workspace.tenant_id, { entries: 30_000, days: 120, users: someIds(6), agents: someIds(4) });
    await api.app.get(UsageRollup).roll();
    await api.sql('ANALYZE usage_entry, usage_delta, usage_cells, usage_days, usage_thin, usage_hourly, usage_daily');
    const bounds = [`${daysAgo(100)}T10:07:00.000Z`, `${daysAgo(5)}T16:52:00.000Z`];
    const db = api.app.get(Database);
    for (const [row, group_by] of [['param', 'usage_param'], ['user', 'usage_user']] as const) {
      const { total } = await pivot(workspace, { group_by, usage_timestamp: bounds });
      const [direct] = await api.sql<{ n: number; credits: number }>('SELECT count(*)::int AS n, sum(usage_consumed_credits)::float8 AS credits FROM usage_entry WHERE tenant_id = $1 AND usage_timestamp BETWEEN $2 AND $3', [workspace.tenant_id, ...bounds]);
      expect([total.usage_entries, total.usage_consumed_credits]).toEqual([direct!.n, direct!.credits]);

      const plan = await inWorkspace(workspace.tenant_id, () =>
        db.read(async (tx) => {
          const range = await api.app.get(UsageRanges).resolve(tx, { usage_timestamp: bounds });
          const statement = api.app.get(UsageSumsRows).statement([{ range: range.cut, starts: [], filter: {}, row, column: 'nothing' }]);
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

  it('[governance 7] tells of cells whose entries the details page through, exactly', async () => {
    const workspace = await api.workspace();
    const [users, agents, prompts] = [someIds(4), someIds(3), someIds(2)];
    await seedUsage(api, workspace.tenant_id, { entries: 4_000, days: 40, users, agents, prompts });
    await api.app.get(UsageRollup).roll();
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
      const behind = await everyDetail(workspace, { [filter]: row.key ?? NIL, usage_timestamp: range, ...(byWeek ? {} : { usage_param: column }), limit: '70' });
      expect(behind.map(({ usage_id }) => usage_id)).toHaveLength(new Set(behind.map(({ usage_id }) => usage_id)).size);
      expect([behind.length, millionths(behind.map((entry) => entry.usage_consumed_credits))]).toEqual([cell.usage_entries, millionths([cell.usage_consumed_credits])]);
    }
  });

  it('shows all periods in order by date, those without use too, and columns by parameter', async () => {
    const workspace = await api.workspace();
    await addEntries(api, workspace.tenant_id, [{ at: `${daysAgo(3)}T10:00:00Z`, param: 'render', credits: '0.5' }, { at: `${daysAgo(1)}T10:00:00Z`, param: 'studio_image', units: '2', credits: '1' }]);
    const report = await pivot(workspace, { group_by: 'date', usage_timestamp: [daysAgo(4), daysAgo(1)] });
    expect(report).toMatchObject({ group_by: 'date', time_granularity: 'day', tz: 'UTC', columns: ['render', 'studio_image'], truncated: false, edges: 'exact', total: { usage_entries: 2, usage_consumed_units: null, usage_consumed_credits: 1.5 }, other: { usage_entries: 0 } });
    expect(report.data.map(({ key, usage_entries, cells }) => [key, usage_entries, cells])).toEqual([
      [daysAgo(4), 0, {}],
      [daysAgo(3), 1, { render: { usage_entries: 1, usage_consumed_units: 1, usage_consumed_credits: 0.5 } }],
      [daysAgo(2), 0, {}],
      [daysAgo(1), 1, { studio_image: { usage_entries: 1, usage_consumed_units: 2, usage_consumed_credits: 1 } }],
    ]);
    const months = await pivot(workspace, { group_by: 'usage_param', time_granularity: 'month', usage_timestamp: ['2026-01-15', '2026-03-10'] });
    expect([months.columns, months.periods[0]!.from, months.periods[2]!.to]).toEqual([['2026-01', '2026-02', '2026-03'], '2026-01-15T00:00:00.000Z', '2026-03-11T00:00:00.000Z']);
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
    await addEntries(api, workspace.tenant_id, users.map((user, i) => ({ at: `${daysAgo(2)}T10:00:00Z`, user, credits: String(10_000 - i) })));
    const report = await pivot(workspace, { group_by: 'usage_user' });
    expect(report.data.map(({ key }) => key)).toEqual(users.slice(0, 5_000));
    expect(report).toMatchObject({ truncated: true, other: { usage_entries: 3, usage_consumed_credits: 5_000 + 4_999 + 4_998 }, total: { usage_entries: 5_003 } });
  });

  it('takes the nil uuid for nobody, and a member of another workspace for an unknown one', async () => {
    const [ours, theirs] = [await api.workspace(), await api.workspace()];
    await addEntries(api, ours.tenant_id, [{ at: `${daysAgo(2)}T10:00:00Z` }, { at: `${daysAgo(2)}T10:00:00Z`, user: ours.owner.user_id }]);
    await addEntries(api, theirs.tenant_id, [{ at: `${daysAgo(2)}T10:00:00Z`, user: theirs.owner.user_id }]);
    for (const rolled of [false, true]) {
      if (rolled) await api.app.get(UsageRollup).roll();
      for (const [usage_user, entries] of [[NIL, 1], [ours.owner.user_id, 1], [theirs.owner.user_id, 0], [newId(), 0]] as const) {
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
  readonly Plans?: readonly PlanNode[];
}
const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

interface Detail extends Sum {
  readonly usage_id: string;
}
const millionths = (credits: readonly number[]): number => credits.reduce((sum, value) => sum + Math.round(value * 1e6), 0);

async function everyDetail(workspace: TestWorkspace, query: Query): Promise<Detail[]> {
  const all: Detail[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page: { data: Detail[]; next_cursor: string | null } = await get(workspace, '/admin/usage/details', { ...query, cursor });
    all.push(...page.data);
    cursor = page.next_cursor;
  }
  return all;
}

describe('GET /admin/usage/aggregated', () => {
  it('sums in total and by parameter, beside the equally long range before, and by any group', async () => {
    const workspace = await api.workspace();
    await addEntries(api, workspace.tenant_id, [
      { at: `${daysAgo(2)}T10:00:00Z`, param: 'studio_image', units: '3', credits: '1.5', user: workspace.owner.user_id },
      { at: `${daysAgo(2)}T12:00:00Z`, param: 'ai.output_tokens', units: '100.5', credits: '0.00603' },
      { at: `${daysAgo(4)}T12:00:00Z`, param: 'ai.output_tokens', units: '1', credits: '0.25' },
    ]);
    const range = [`${daysAgo(2)}T00:00:00.000Z`, `${daysAgo(1)}T23:59:59.999Z`];
    const plain = await get<Record<string, unknown>>(workspace, '/admin/usage/aggregated', { usage_timestamp: range });
    expect(plain).toMatchObject({
      usage_timestamp: range,
      tz: 'UTC',
      total: { usage_entries: 2, usage_consumed_units: null, usage_consumed_credits: 1.50603 },
      by_param: [
        { usage_param: 'ai.output_tokens', unit: 'token', usage_entries: 1, usage_consumed_units: 100.5, usage_consumed_credits: 0.00603 },
        { usage_param: 'studio_image', unit: 'image', usage_entries: 1, usage_consumed_units: 3, usage_consumed_credits: 1.5 },
      ],
      previous: { usage_timestamp: [`${daysAgo(4)}T00:00:00.000Z`, `${daysAgo(3)}T23:59:59.999Z`], total: { usage_entries: 1, usage_consumed_credits: 0.25 } },
    });
    expect(plain).not.toHaveProperty('rows');
    const rows = (group: string): Promise<[string | null, string, number][]> =>
      get<{ rows: (Sum & { key: string | null; label: string })[] }>(workspace, '/admin/usage/aggregated', { usage_timestamp: range, pivot: group }).then(({ rows: found }) => found.map(({ key, label, usage_entries }) => [key, label, usage_entries]));
    expect(await rows('usage_user')).toEqual([[workspace.owner.user_id, 'Owner', 1], [null, 'None', 1]]);
    expect(await rows('usage_param')).toEqual([['studio_image', 'studio_image', 1], ['ai.output_tokens', 'ai.output_tokens', 1]]);
    expect(await rows('date')).toEqual([[daysAgo(2), daysAgo(2), 2], [daysAgo(1), daysAgo(1), 0]]);
  });
});

describe('the lists of entries', () => {
  it('show the entries of the workspace, by time or credits, with names in the details', async () => {
    const [ours, theirs] = [await api.workspace(), await api.workspace()];
    const agent = newId();
    names.set(agent, 'Scout');
    await addEntries(api, theirs.tenant_id, [{ at: `${daysAgo(1)}T10:00:00Z`, credits: '99' }]);
    await addEntries(api, ours.tenant_id, [
      { at: `${daysAgo(3)}T10:00:00Z`, param: 'studio_image', details: 'png@2x', credits: '2.5', user: ours.owner.user_id, agent },
      { at: `${daysAgo(2)}T10:00:00Z`, param: 'render', credits: '10', prompt: newId() },
      { at: `${daysAgo(1)}T10:00:00Z`, param: 'render', details: 'pdf', credits: '-1', user: newId() },
    ]);
    const credits = async (query: Query, path = '/admin/usage/entries'): Promise<number[]> => (await get<{ data: Sum[] }>(ours, path, query)).data.map((entry) => entry.usage_consumed_credits);
    expect(await credits({})).toEqual([-1, 10, 2.5]);
    expect(await credits({ sort: 'usage_timestamp' })).toEqual([2.5, 10, -1]);
    expect(await credits({ sort: '-usage_consumed_credits' })).toEqual([10, 2.5, -1]);
    expect(await credits({ sort: 'usage_consumed_credits', limit: '1', offset: '1' })).toEqual([2.5]);
    const first = await get<{ data: Sum[]; next_cursor: string }>(ours, '/admin/usage/entries', { sort: 'usage_consumed_credits', limit: '1' });
    expect(await credits({ sort: 'usage_consumed_credits', cursor: first.next_cursor })).toEqual([2.5, 10]);
    expect(await credits({ usage_param: 'render' })).toEqual([-1, 10]);
    expect(await credits({ usage_param: ['render', 'studio_image'], usage_details: 'png@2x' })).toEqual([2.5]);
    expect(await credits({ usage_details: '' })).toEqual([10]);
    expect(await credits({ usage_timestamp: [daysAgo(3), daysAgo(2)] })).toEqual([10, 2.5]);
    expect(await credits({ usage_timestamp: `${daysAgo(2)}T10:00:00.000Z` })).toEqual([-1, 10]);
    expect(await credits({ usage_timestamp: [`${daysAgo(2)}T10:00:00Z`, `${daysAgo(2)}T10:00:00Z`] })).toEqual([10]);
    expect(await credits({ agent_id: agent }, '/admin/usage/details')).toEqual([2.5]);
    expect(await credits({ agent_id: NIL, prompt_id: NIL }, '/admin/usage/details')).toEqual([-1]);
    const { data } = await get<{ data: { usage_user_name: string | null; agent_name: string | null; prompt_name: string | null }[] }>(ours, '/admin/usage/details', {});
    expect(data.map(({ usage_user_name, agent_name, prompt_name }) => [usage_user_name, agent_name, prompt_name?.slice(0, 14) ?? null])).toEqual([['Former member', null, null], [null, null, 'Deleted prompt'], ['Owner', 'Scout', null]]);
    expect(Object.keys(data[0]!)).not.toContain('usage_consumed_credits_key');
  });
});

describe('the caller', () => {
  it('sees their own entries and sums, and nobody else’s', async () => {
    const workspace = await api.workspace();
    const viewer = await workspace.member('viewer');
    const now = new Date().toISOString();
    await addEntries(api, workspace.tenant_id, [
      { at: now, user: viewer.user_id, param: 'studio_image', units: '2', credits: '1' },
      { at: now, user: viewer.user_id, param: 'render', credits: '0' },
      { at: now, user: workspace.owner.user_id, credits: '7' },
    ]);
    for (const rolled of [false, true]) {
      if (rolled) await api.app.get(UsageRollup).roll();
      const list = (await viewer.client.get('/usage').expect(200)).body as { data: { usage_user: string }[] };
      expect(list.data.map(({ usage_user }) => usage_user)).toEqual([viewer.user_id, viewer.user_id]);
      const summary = (await viewer.client.get('/usage/summary?time_granularity=month').expect(200)).body as object;
      expect(summary).toMatchObject({
        tz: 'UTC',
        total: { usage_entries: 2, usage_consumed_credits: 1 },
        by_param: [{ usage_param: 'render', unit: 'page' }, { usage_param: 'studio_image', unit: 'image', usage_entries: 1, usage_consumed_units: 2, usage_consumed_credits: 1 }],
        periods: [{ key: now.slice(0, 7), usage_entries: 2, usage_consumed_credits: 1 }],
        budgets: [],
      });
    }
    await viewer.client.get(`/usage?usage_user=${workspace.owner.user_id}`).expect(400);
    expect((await workspace.owner.client.post('/admin/budgets', { bud_name: 'Mine', bud_scope: 'each_user', bud_period: 'month', bud_credits: 5, bud_action: 'warn' })).status).toBe(201);
    expect((await viewer.client.get('/usage/summary').expect(200)).body).toMatchObject({ budgets: [{ bud_name: 'Mine', bud_spent: 1 }] });
  });
});

describe('GET /admin/usage/forecast', () => {
  it('knows nothing of fewer than seven days, and then what days of a name cost', async () => {
    const workspace = await api.workspace();
    await addEntries(api, workspace.tenant_id, Array.from({ length: 6 }, (_, i) => ({ at: `${daysAgo(i + 1)}T10:00:00Z`, credits: '4' })));
    const unknown = { daily_mean: null, daily_trend: null, credits_needed: null, runs_out_at: null };
    expect(await get(workspace, '/admin/usage/forecast', {})).toEqual(unknown);
    await addEntries(api, workspace.tenant_id, [{ at: `${daysAgo(7)}T10:00:00Z`, credits: '4' }, { at: new Date().toISOString(), credits: '1000' }]);
    expect(await get(workspace, '/admin/usage/forecast', {})).toMatchObject({ daily_mean: 4, daily_trend: 0, credits_needed: 120 });
    expect(await get(workspace, '/admin/usage/forecast', { horizon_days: '3' })).toMatchObject({ credits_needed: 12 });
    for (const horizon_days of ['0', '91', 'x']) await workspace.owner.client.get(withQuery('/admin/usage/forecast', { horizon_days })).expect(400);
  });
});

describe('POST /admin/usage/simulate', () => {
  it('tells what usage would have cost under other prices, beside what it did', async () => {
    const workspace = await api.workspace();
    const at = `${daysAgo(2)}T10:07:00Z`;
    await addEntries(api, workspace.tenant_id, [
      { at, param: 'ai.output_tokens', details: 'local/small', units: '1000', credits: '0.06' },
      { at, param: 'ai.output_tokens', details: 'local/large', units: '100', credits: '0.006' },
      { at, param: 'studio_image', units: '2', credits: '1' },
    ]);
    const costs = [{ cost_param: 'ai.output_tokens', cost_credits_per_unit: 0.00001 }, { cost_param: 'ai.output_tokens', cost_details: 'local/large', cost_credits_per_unit: 0.001 }];
    for (const rolled of [false, true]) {
      if (rolled) await api.app.get(UsageRollup).roll();
      const { body } = await workspace.owner.client.post('/admin/usage/simulate', { costs, usage_timestamp: [daysAgo(3), daysAgo(1)] }).expect(200);
      expect(body).toMatchObject({
        total: { usage_entries: 3, usage_consumed_credits: 1.066, simulated_credits: 1.11 },
        by_param: [
          { usage_param: 'ai.output_tokens', unit: 'token', usage_entries: 2, usage_consumed_units: 1100, usage_consumed_credits: 0.066, simulated_credits: 0.11 },
          { usage_param: 'studio_image', unit: 'image', usage_entries: 1, usage_consumed_credits: 1, simulated_credits: 1 },
        ],
      });
    }
    const other = await api.workspace();
    expect((await other.owner.client.post('/admin/usage/simulate', { costs }).expect(200)).body).toMatchObject({ total: { usage_entries: 0, usage_consumed_credits: 0, simulated_credits: 0 }, by_param: [] });
    const refused = [{}, { costs: [] }, { costs: [{ cost_param: 'ai.magic', cost_credits_per_unit: 1 }] }, { costs: [{ cost_param: 'render', cost_credits_per_unit: -1 }] }, { costs: [costs[0], costs[0]] }, { costs, usage_timestamp: ['a'] }, { costs, usage_timestamp: ['2026-02-02', '2026-02-01'] }];
    for (const body of refused) expect([body, (await workspace.owner.client.post('/admin/usage/simulate', body)).status]).toEqual([body, 400]);
    const editor = await workspace.member('editor');
    expect((await editor.client.post('/admin/usage/simulate', { costs }).expect(403)).body).toMatchObject({ code: 'permission_denied', detail: 'You need the permission admin:usage.' });
  });
});

const REPORTS = ['/admin/usage/pivot?group_by=date', '/admin/usage/aggregated', '/admin/usage/details', '/admin/usage/entries', '/admin/usage/forecast'];

describe('reports of usage', () => {
  it.each(REPORTS)('are refused without admin:usage, by its name: %s', async (path) => {
    const workspace = await api.workspace();
    const editor = await workspace.member('editor');
    const { body } = (await editor.client.get(path).expect(403)) as { body: { code: string; detail: string } };
    expect([body.code, body.detail]).toEqual(['permission_denied', 'You need the permission admin:usage.']);
    const keyed = await workspace.member('admin', ['admin:usage']);
    await keyed.client.get(path).expect(200);
    await api.stranger.get(path).expect(401);
  });

  it('refuse what they can not answer, and name the field', async () => {
    const workspace = await api.workspace();
    const refused: readonly [Query, string][] = [
      [{}, 'group_by'],
      [{ group_by: 'log_user' }, 'group_by'],
      [{ group_by: 'date', time_granularity: 'hour' }, 'time_granularity'],
      ...['Mars/Base', 'FOO+3', 'posix/UTC', '+02:00', 'utc', 'x'.repeat(300), ''].map((tz): [Query, string] => [{ group_by: 'date', tz }, 'tz']),
      [{ group_by: 'date', usage_timestamp: ['2026-01-01', '2026-01-02', '2026-01-03'] }, 'usage_timestamp'],
      ...['yesterday', '2026-02-30', '2026-13-01', '2026-01-01T25:00:00Z', ''].map((at): [Query, string] => [{ group_by: 'date', usage_timestamp: at }, 'usage_timestamp']),
      [{ group_by: 'date', usage_timestamp: ['2026-02-02', '2026-02-01'] }, 'usage_timestamp'],
      [{ group_by: 'date', usage_timestamp: ['2025-01-01', '2026-02-05'] }, 'usage_timestamp'],
      [{ group_by: 'date', time_granularity: 'week', usage_timestamp: ['2020-01-01', '2025-06-01'] }, 'usage_timestamp'],
      [{ group_by: 'date', time_granularity: 'month', usage_timestamp: ['2014-01-01', '2024-01-01'] }, 'usage_timestamp'],
      [{ group_by: 'usage_user', usage_timestamp: ['0001-01-01', '9999-12-31'] }, 'usage_timestamp'],
      [{ group_by: 'date', usage_param: 'ai.magic' }, 'usage_param'],
      [{ group_by: 'date', usage_param: ['render', ''] }, 'usage_param'],
      [{ group_by: 'date', usage_user: 'me' }, 'usage_user'],
      [{ group_by: 'date', usage_details: 'x'.repeat(201) }, 'usage_details'],
      [{ group_by: 'date', limit: '5' }, 'limit'],
    ];
    for (const [query, path] of refused) {
      const answer = await workspace.owner.client.get(withQuery('/admin/usage/pivot', query));
      const { code, errors } = answer.body as { code: string; errors?: { path: string }[] };
      expect({ query, status: answer.status, code, path: errors?.[0]?.path }).toEqual({ query, status: 400, code: 'validation_failed', path });
    }
    await workspace.owner.client.get(withQuery('/admin/usage/pivot', { group_by: 'date', usage_timestamp: ['2025-01-01', '2026-02-04'] })).expect(200);
    for (const path of ['/admin/usage/entries', '/admin/usage/details', '/usage']) {
      for (const query of [{ usage_param: 'ai.magic' }, { usage_timestamp: ['2026-02-02', '2026-02-01'] }, { usage_timestamp: ['a', 'b', 'c'] }]) await workspace.owner.client.get(withQuery(path, query)).expect(400);
    }
  });

  it('take every text of a filter literally, and a parameter nobody used for nothing', async () => {
    const workspace = await api.workspace();
    await addEntries(api, workspace.tenant_id, [{ at: new Date().toISOString(), details: 'local/small' }]);
    for (const usage_details of ['%', 'local_small', `'; DROP TABLE usage_entry; --`, '"', '🐦']) {
      expect((await pivot(workspace, { group_by: 'date', usage_details })).total).toEqual({ usage_entries: 0, usage_consumed_units: 0, usage_consumed_credits: 0 });
      expect((await get<{ data: object[] }>(workspace, '/admin/usage/entries', { usage_details })).data).toEqual([]);
    }
    expect(await pivot(workspace, { group_by: 'usage_user', usage_param: 'voice.seconds' })).toMatchObject({ data: [], columns: [], total: { usage_entries: 0 } });
  });
});

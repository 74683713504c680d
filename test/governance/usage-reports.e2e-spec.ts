import { UsageRollup } from '@atrium/governance';
import { newId } from '@atrium/platform/kernel';
import type { RunningApi } from '@atrium/platform/testing';
import { addEntries, withQuery } from '../support/usage';
import { daysAgo, get, NIL, pivot, startNamingAgents, type Query, type Sum } from './reporting';

let api: RunningApi;
const names = new Map<string, string>();

beforeAll(async () => {
  api = await startNamingAgents(names);
});
afterAll(() => api.close());

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
      previous: {
        usage_timestamp: [`${daysAgo(4)}T00:00:00.000Z`, `${daysAgo(3)}T23:59:59.999Z`],
        total: { usage_entries: 1, usage_consumed_credits: 0.25 },
      },
    });
    expect(plain).not.toHaveProperty('rows');
    const rows = (group: string): Promise<[string | null, string, number][]> =>
      get<{ rows: (Sum & { key: string | null; label: string })[] }>(workspace, '/admin/usage/aggregated', {
        usage_timestamp: range,
        pivot: group,
      }).then(({ rows: found }) => found.map(({ key, label, usage_entries }) => [key, label, usage_entries]));
    expect(await rows('usage_user')).toEqual([
      [workspace.owner.user_id, 'Owner', 1],
      [null, 'None', 1],
    ]);
    expect(await rows('usage_param')).toEqual([
      ['studio_image', 'studio_image', 1],
      ['ai.output_tokens', 'ai.output_tokens', 1],
    ]);
    expect(await rows('date')).toEqual([
      [daysAgo(2), daysAgo(2), 2],
      [daysAgo(1), daysAgo(1), 0],
    ]);
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
    const credits = async (query: Query, path = '/admin/usage/entries'): Promise<number[]> =>
      (await get<{ data: Sum[] }>(ours, path, query)).data.map((entry) => entry.usage_consumed_credits);
    expect(await credits({})).toEqual([-1, 10, 2.5]);
    expect(await credits({ sort: 'usage_timestamp' })).toEqual([2.5, 10, -1]);
    expect(await credits({ sort: '-usage_consumed_credits' })).toEqual([10, 2.5, -1]);
    expect(await credits({ sort: 'usage_consumed_credits', limit: '1', offset: '1' })).toEqual([2.5]);
    const first = await get<{ data: Sum[]; next_cursor: string }>(ours, '/admin/usage/entries', {
      sort: 'usage_consumed_credits',
      limit: '1',
    });
    expect(await credits({ sort: 'usage_consumed_credits', cursor: first.next_cursor })).toEqual([2.5, 10]);
    expect(await credits({ usage_param: 'render' })).toEqual([-1, 10]);
    expect(await credits({ usage_param: ['render', 'studio_image'], usage_details: 'png@2x' })).toEqual([2.5]);
    expect(await credits({ usage_details: '' })).toEqual([10]);
    expect(await credits({ usage_timestamp: [daysAgo(3), daysAgo(2)] })).toEqual([10, 2.5]);
    expect(await credits({ usage_timestamp: `${daysAgo(2)}T10:00:00.000Z` })).toEqual([-1, 10]);
    expect(await credits({ usage_timestamp: [`${daysAgo(2)}T10:00:00Z`, `${daysAgo(2)}T10:00:00Z`] })).toEqual([10]);
    expect(await credits({ agent_id: agent }, '/admin/usage/details')).toEqual([2.5]);
    expect(await credits({ agent_id: NIL, prompt_id: NIL }, '/admin/usage/details')).toEqual([-1]);
    const { data } = await get<{ data: { usage_user_name: string | null; agent_name: string | null; prompt_name: string | null }[] }>(
      ours,
      '/admin/usage/details',
      {},
    );
    expect(
      data.map(({ usage_user_name, agent_name, prompt_name }) => [usage_user_name, agent_name, prompt_name?.slice(0, 14) ?? null]),
    ).toEqual([
      ['Former member', null, null],
      [null, null, 'Deleted prompt'],
      ['Owner', 'Scout', null],
    ]);
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
      if (rolled) await api.app.get(UsageRollup).rollUpUsage();
      const list = (await viewer.client.get('/usage').expect(200)).body as { data: { usage_user: string }[] };
      expect(list.data.map(({ usage_user }) => usage_user)).toEqual([viewer.user_id, viewer.user_id]);
      const summary = (await viewer.client.get('/usage/summary?time_granularity=month').expect(200)).body as object;
      expect(summary).toMatchObject({
        tz: 'UTC',
        total: { usage_entries: 2, usage_consumed_credits: 1 },
        by_param: [
          { usage_param: 'render', unit: 'page' },
          { usage_param: 'studio_image', unit: 'image', usage_entries: 1, usage_consumed_units: 2, usage_consumed_credits: 1 },
        ],
        periods: [{ key: now.slice(0, 7), usage_entries: 2, usage_consumed_credits: 1 }],
        budgets: [],
      });
    }
    await viewer.client.get(`/usage?usage_user=${workspace.owner.user_id}`).expect(400);
    expect(
      (
        await workspace.owner.client.post('/admin/budgets', {
          bud_name: 'Mine',
          bud_scope: 'each_user',
          bud_period: 'month',
          bud_credits: 5,
          bud_action: 'warn',
        })
      ).status,
    ).toBe(201);
    expect((await viewer.client.get('/usage/summary').expect(200)).body).toMatchObject({ budgets: [{ bud_name: 'Mine', bud_spent: 1 }] });
  });
});

describe('GET /admin/usage/forecast', () => {
  it('knows nothing of fewer than seven days, and then what days of a name cost', async () => {
    const workspace = await api.workspace();
    await addEntries(
      api,
      workspace.tenant_id,
      Array.from({ length: 6 }, (_, i) => ({ at: `${daysAgo(i + 1)}T10:00:00Z`, credits: '4' })),
    );
    const unknown = { daily_mean: null, daily_trend: null, credits_needed: null, runs_out_at: null };
    expect(await get(workspace, '/admin/usage/forecast', {})).toEqual(unknown);
    await addEntries(api, workspace.tenant_id, [
      { at: `${daysAgo(7)}T10:00:00Z`, credits: '4' },
      { at: new Date().toISOString(), credits: '1000' },
    ]);
    expect(await get(workspace, '/admin/usage/forecast', {})).toMatchObject({ daily_mean: 4, daily_trend: 0, credits_needed: 120 });
    expect(await get(workspace, '/admin/usage/forecast', { horizon_days: '3' })).toMatchObject({ credits_needed: 12 });
    const refused = await workspace.owner.client.get(withQuery('/admin/usage/forecast', { horizon_days: '91' })).expect(400);
    expect((refused.body as { errors: object[] }).errors).toMatchObject([{ path: 'horizon_days' }]);
  });
});

describe('POST /admin/usage/simulate', () => {
  it('reports what usage would have cost under other prices, beside what it did', async () => {
    const workspace = await api.workspace();
    const at = `${daysAgo(2)}T10:07:00Z`;
    await addEntries(api, workspace.tenant_id, [
      { at, param: 'ai.output_tokens', details: 'local/small', units: '1000', credits: '0.06' },
      { at, param: 'ai.output_tokens', details: 'local/large', units: '100', credits: '0.006' },
      { at, param: 'studio_image', units: '2', credits: '1' },
    ]);
    const costs = [
      { cost_param: 'ai.output_tokens', cost_credits_per_unit: 0.00001 },
      { cost_param: 'ai.output_tokens', cost_details: 'local/large', cost_credits_per_unit: 0.001 },
    ];
    for (const rolled of [false, true]) {
      if (rolled) await api.app.get(UsageRollup).rollUpUsage();
      const { body } = await workspace.owner.client
        .post('/admin/usage/simulate', { costs, usage_timestamp: [daysAgo(3), daysAgo(1)] })
        .expect(200);
      expect(body).toMatchObject({
        total: { usage_entries: 3, usage_consumed_credits: 1.066, simulated_credits: 1.11 },
        by_param: [
          {
            usage_param: 'ai.output_tokens',
            unit: 'token',
            usage_entries: 2,
            usage_consumed_units: 1100,
            usage_consumed_credits: 0.066,
            simulated_credits: 0.11,
          },
          { usage_param: 'studio_image', unit: 'image', usage_entries: 1, usage_consumed_credits: 1, simulated_credits: 1 },
        ],
      });
    }
    const other = await api.workspace();
    expect((await other.owner.client.post('/admin/usage/simulate', { costs }).expect(200)).body).toMatchObject({
      total: { usage_entries: 0, usage_consumed_credits: 0, simulated_credits: 0 },
      by_param: [],
    });
    const refused = [{}, { costs: [costs[0], costs[0]] }, { costs, usage_timestamp: ['2026-02-02', '2026-02-01'] }];
    for (const body of refused)
      expect([body, (await workspace.owner.client.post('/admin/usage/simulate', body)).status]).toEqual([body, 400]);
    const editor = await workspace.member('editor');
    expect((await editor.client.post('/admin/usage/simulate', { costs }).expect(403)).body).toMatchObject({
      code: 'permission_denied',
      detail: 'You need the permission admin:usage. Ask an administrator of the workspace for it.',
    });
  });
});

const REPORTS = [
  '/admin/usage/pivot?group_by=date',
  '/admin/usage/aggregated',
  '/admin/usage/details',
  '/admin/usage/entries',
  '/admin/usage/forecast',
];

describe('reports of usage', () => {
  it.each(REPORTS)('are refused without admin:usage, by its name: %s', async (path) => {
    const workspace = await api.workspace();
    const editor = await workspace.member('editor');
    const { body } = (await editor.client.get(path).expect(403)) as { body: { code: string; detail: string } };
    expect([body.code, body.detail]).toEqual([
      'permission_denied',
      'You need the permission admin:usage. Ask an administrator of the workspace for it.',
    ]);
    const keyed = await workspace.member('admin', ['admin:usage']);
    await keyed.client.get(path).expect(200);
    await api.stranger.get(path).expect(401);
  });

  it('refuse what they cannot answer, and name the field', async () => {
    const workspace = await api.workspace();
    const refused: readonly [Query, string][] = [
      [{}, 'group_by'],
      ...['Mars/Base', 'FOO+3', 'posix/UTC', '+02:00', 'utc'].map((tz): [Query, string] => [{ group_by: 'date', tz }, 'tz']),
      [{ group_by: 'date', usage_timestamp: ['2026-02-02', '2026-02-01'] }, 'usage_timestamp'],
      [{ group_by: 'date', usage_timestamp: ['2025-01-01', '2026-02-05'] }, 'usage_timestamp'],
      [{ group_by: 'date', time_granularity: 'week', usage_timestamp: ['2020-01-01', '2025-06-01'] }, 'usage_timestamp'],
      [{ group_by: 'date', time_granularity: 'month', usage_timestamp: ['2014-01-01', '2024-01-01'] }, 'usage_timestamp'],
      [{ group_by: 'usage_user', usage_timestamp: ['0001-01-01', '9999-12-31'] }, 'usage_timestamp'],
    ];
    for (const [query, path] of refused) {
      const answer = await workspace.owner.client.get(withQuery('/admin/usage/pivot', query));
      const { code, errors } = answer.body as { code: string; errors?: { path: string }[] };
      expect({ query, status: answer.status, code, path: errors?.[0]?.path }).toEqual({
        query,
        status: 400,
        code: 'validation_failed',
        path,
      });
    }
    await workspace.owner.client
      .get(withQuery('/admin/usage/pivot', { group_by: 'date', usage_timestamp: ['2025-01-01', '2026-02-04'] }))
      .expect(200);
    for (const path of ['/admin/usage/entries', '/admin/usage/details', '/usage']) {
      for (const query of [{ usage_param: 'ai.magic' }, { usage_timestamp: ['2026-02-02', '2026-02-01'] }])
        await workspace.owner.client.get(withQuery(path, query)).expect(400);
    }
  });

  it('take every text of a filter literally, and a parameter nobody used for nothing', async () => {
    const workspace = await api.workspace();
    await addEntries(api, workspace.tenant_id, [{ at: new Date().toISOString(), details: 'local/small' }]);
    for (const usage_details of ['%', 'local_small', `'; DROP TABLE usage_entry; --`, '"', '🐦']) {
      expect((await pivot(workspace, { group_by: 'date', usage_details })).total).toEqual({
        usage_entries: 0,
        usage_consumed_units: 0,
        usage_consumed_credits: 0,
      });
      expect((await get<{ data: object[] }>(workspace, '/admin/usage/entries', { usage_details })).data).toEqual([]);
    }
    expect(await pivot(workspace, { group_by: 'usage_user', usage_param: 'voice.seconds' })).toMatchObject({
      data: [],
      columns: [],
      total: { usage_entries: 0 },
    });
  });
});

import { UsageRollup } from '@atrium/governance';
import { newId } from '@atrium/platform/kernel';
import type { RunningApi, TestWorkspace } from '@atrium/platform/testing';
import { OPERATOR_TOKENS, OperatorClient } from '../support/operating';
import { startAtrium } from '../support/api';
import { commandLine } from '../support/command-line';
import { seedUsage, someIds, withQuery } from '../support/usage';

jest.setTimeout(180_000);

const ZONES = ['UTC', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'America/New_York', 'Africa/Cairo', 'Pacific/Chatham'];
const DAY = 86_400_000;

let api: RunningApi;
let workspace: TestWorkspace;

beforeAll(async () => {
  api = await startAtrium({ OPERATOR_TOKENS });
  workspace = await api.workspace();
  await seedUsage(api, workspace.tenant_id, { entries: 20_000, days: 60, users: someIds(8), agents: someIds(4) });
  await api.app.get(UsageRollup).rollUpUsage();
  await seedUsage(api, workspace.tenant_id, { entries: 200, days: 60, users: someIds(2), agents: someIds(2) });
});
afterAll(() => api.close());

const dateBefore = (days: number): string => new Date(Date.now() - days * DAY).toISOString().slice(0, 10);

/** Every cell of a report by date or agent, and what a plain GROUP BY says of it. */
async function reportAndTruth(
  zone: string,
  width: 'day' | 'week' | 'month',
  group: 'date' | 'agent_name',
): Promise<[Set<string>, Set<string>]> {
  const range = [dateBefore(50), dateBefore(2)];
  const query = { group_by: group, time_granularity: width, tz: zone, usage_timestamp: range };
  const { data } = (await workspace.owner.client.get(withQuery('/admin/usage/pivot', query)).expect(200)).body as {
    data: { key: string | null; cells: Record<string, { usage_entries: number; usage_consumed_credits: number }> }[];
  };
  const shown = data.flatMap(({ key, cells }) =>
    Object.entries(cells).map(([column, sum]) =>
      String([...(group === 'date' ? [key, column] : [column, key ?? 'none']), sum.usage_entries, sum.usage_consumed_credits]),
    ),
  );
  const truth = await api.sql<{ key: string; col: string; n: string; credits: string }>(
    `SELECT to_char(date_trunc('${width}', usage_timestamp AT TIME ZONE $2), '${width === 'month' ? 'YYYY-MM' : 'YYYY-MM-DD'}') AS key, ${group === 'date' ? 'usage_param' : "coalesce(usage_agent::text, 'none')"} AS col, count(*) AS n, sum(usage_consumed_credits)::text AS credits
     FROM usage_entry WHERE tenant_id = $1 AND (usage_timestamp AT TIME ZONE $2)::date BETWEEN $3::date AND $4::date GROUP BY 1, 2`,
    [workspace.tenant_id, zone, ...range],
  );
  return [new Set(shown), new Set(truth.map(({ key, col, n, credits }) => String([key, col, Number(n), Number(credits)])))];
}

async function damage(): Promise<void> {
  for (const [table, start] of [
    ['usage_cells', 'cell_start'],
    ['usage_days', 'day_start'],
    ['usage_thin', 'cell_start'],
    ['usage_hourly', 'hour_start'],
    ['usage_daily', 'day_start'],
  ]) {
    await api.sql(
      `UPDATE ${table} SET usage_consumed_credits = usage_consumed_credits + 1, usage_entries = usage_entries * 2 WHERE tenant_id = $1 AND ${start} BETWEEN now() - interval '40 days' AND now() - interval '20 days'`,
      [workspace.tenant_id],
    );
    await api.sql(
      `DELETE FROM ${table} WHERE tenant_id = $1 AND ${start} BETWEEN now() - interval '15 days' AND now() - interval '10 days'`,
      [workspace.tenant_id],
    );
  }
  const [shown, truth] = await reportAndTruth('UTC', 'day', 'date');
  expect(shown).not.toEqual(truth);
}

async function expectExact(zones = ZONES): Promise<void> {
  for (const zone of zones) {
    for (const width of ['day', 'week', 'month'] as const) {
      for (const group of ['date', 'agent_name'] as const) {
        const [shown, truth] = await reportAndTruth(zone, width, group);
        expect(shown).toEqual(truth);
      }
    }
  }
}

describe('making the rollups again', () => {
  it('[governance 9] by `atrium usage rebuild` over a damaged range makes every report equal the entries again', async () => {
    await damage();
    const { code, out } = await commandLine([
      'usage',
      'rebuild',
      '--workspace',
      workspace.tenant_id,
      '--from',
      `${dateBefore(45)}T00:00:00Z`,
      '--json',
    ]);
    expect([code, JSON.parse(out)]).toEqual([0, { workspaces: 1, cells: expect.any(Number) as number }]);
    await expectExact();
  });

  it('is what gives an installation with usage its sums by the hour and by the day', async () => {
    for (const table of ['usage_hourly', 'usage_daily']) await api.sql(`DELETE FROM ${table} WHERE tenant_id = $1`, [workspace.tenant_id]);
    const [empty] = await reportAndTruth('Asia/Kathmandu', 'week', 'agent_name');
    await api.sql(`SELECT usage_sum_up($1, '-infinity', 'infinity')`, [workspace.tenant_id]);
    const [shown, truth] = await reportAndTruth('Asia/Kathmandu', 'week', 'agent_name');
    expect(shown).toEqual(truth);
    expect(empty).not.toEqual(truth);
  });

  it('by an operator over HTTP does the same, for one workspace or for all', async () => {
    const operator = new OperatorClient(api.url);
    await damage();
    const { body } = await operator
      .post('/usage/rebuild', { workspace: workspace.tenant_id, from: `${dateBefore(45)}T00:00:00Z`, to: new Date().toISOString() })
      .expect(200);
    expect(body).toEqual({ workspaces: 1, cells: expect.any(Number) as number });
    await expectExact(['Asia/Kathmandu']);
    const all = await operator.post('/usage/rebuild', { from: `${dateBefore(3)}T00:00:00Z`, to: new Date().toISOString() }).expect(200);
    expect(all.body).toMatchObject({ workspaces: 1 });
    await operator.post('/usage/rebuild', { workspace: newId(), from: dateBefore(3), to: dateBefore(1) }).expect(404);
    await operator.post('/usage/rebuild', { from: dateBefore(1), to: dateBefore(3) }).expect(400);
    await operator.post('/usage/rebuild', { from: 'yesterday' }).expect(400);
    await workspace.owner.client.post('/operator/v1/usage/rebuild', {}).expect(404);
  });
});

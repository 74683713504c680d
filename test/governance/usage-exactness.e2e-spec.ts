import { UsageRollup } from '@atrium/governance';
import type { RunningApi, TestWorkspace } from '@atrium/platform/testing';
import { startAtrium } from '../support/api';
import { ask as askDatabase } from '../architecture/asking';
import { addEntries, seedUsage, someIds, withQuery } from '../support/usage';
import { repeated } from '../support/repeated';

const ZONES = ['UTC', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'America/New_York', 'Africa/Cairo', 'Pacific/Chatham'];
const WIDTHS = ['day', 'week', 'month'] as const;
const FORMS = { day: 'YYYY-MM-DD', week: 'YYYY-MM-DD', month: 'YYYY-MM' };
/** Fourteen months of entries; a report by day holds 400 days of them. */
const DAYS = { day: 395, week: 420, month: 420 };

interface Sum {
  readonly usage_entries: number;
  readonly usage_consumed_units: number | null;
  readonly usage_consumed_credits: number;
}
interface Pivot {
  readonly periods: { readonly key: string; readonly from: string; readonly to: string }[];
  readonly columns: string[];
  readonly data: (Sum & { readonly key: string | null; readonly label: string; readonly cells: Record<string, Sum> })[];
  readonly total: Sum;
}

let api: RunningApi;
let ours: TestWorkspace;

beforeAll(async () => {
  api = await startAtrium();
  ours = await api.workspace();
  const theirs = await api.workspace();
  await seedUsage(api, ours.tenant_id, {
    entries: repeated('USAGE_ENTRIES', { usual: 40_000, deep: 200_000 }),
    days: 426,
    users: someIds(40),
    agents: someIds(12),
    prompts: someIds(5),
    together: 10,
  });
  await seedUsage(api, theirs.tenant_id, { entries: 500, days: 426, users: someIds(4), agents: someIds(2) });
  await api.app.get(UsageRollup).rollBatch(300_000);
  // Some of it is not rolled up yet.
  await seedUsage(api, ours.tenant_id, { entries: 1_000, days: 426, users: someIds(3), agents: someIds(2) });
  await api.sql('ANALYZE usage_entry, usage_delta, usage_cells, usage_days, usage_thin, usage_hourly, usage_daily');
}, 120_000);
afterAll(() => api.close());

const dateBefore = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
const pivot = async (query: Record<string, string | string[] | undefined>): Promise<Pivot> =>
  (await ours.owner.client.get(withQuery('/admin/usage/pivot', query)).expect(200)).body as Pivot;

/** The same by a plain GROUP BY over the entries: period, column, count, units, credits. */
function grouped(
  zone: string,
  width: keyof typeof FORMS,
  column: string,
  [from, to]: readonly [string, string],
): Promise<{ key: string; col: string; n: string; units: string; credits: string }[]> {
  return api.sql(
    `SELECT to_char(date_trunc('${width}', usage_timestamp AT TIME ZONE $2), '${FORMS[width]}') AS key, ${column} AS col, count(*) AS n, sum(usage_consumed_units)::text AS units, sum(usage_consumed_credits)::text AS credits
     FROM usage_entry WHERE tenant_id = $1 AND (usage_timestamp AT TIME ZONE $2)::date BETWEEN $3::date AND $4::date GROUP BY 1, 2`,
    [ours.tenant_id, zone, from, to],
  );
}

describe('the pivot over fourteen months', () => {
  it.each(ZONES)(
    '[governance 2] equals a direct GROUP BY over the entries in %s, by day, week and month, to the last digit',
    async (zone) => {
      for (const width of WIDTHS) {
        const range = [dateBefore(DAYS[width]), dateBefore(-1)] as const;
        const answer = await pivot({ group_by: 'date', time_granularity: width, tz: zone, usage_timestamp: [...range] });
        const expected = await grouped(zone, width, 'usage_param', range);
        const cells = answer.data.flatMap((row) =>
          Object.entries(row.cells).map(([col, sum]) => [
            row.key,
            col,
            sum.usage_entries,
            sum.usage_consumed_units,
            sum.usage_consumed_credits,
          ]),
        );
        expect(new Set(cells.map(String))).toEqual(
          new Set(expected.map(({ key, col, n, units, credits }) => String([key, col, Number(n), Number(units), Number(credits)]))),
        );
        expect(answer.data.map(({ key }) => key)).toEqual(answer.periods.map(({ key }) => key));
        expect(answer.data.reduce((sum, row) => sum + row.usage_entries, 0)).toBe(answer.total.usage_entries);
      }
    },
  );

  it.each(
    ZONES.flatMap((zone) =>
      (
        [
          ['agent', 'agent_name', 'usage_agent'],
          ['member', 'usage_user', 'usage_user'],
          ['prompt', 'prompt_name', 'usage_prompt'],
        ] as const
      ).map(([what, group, column]) => [what, zone, group, column] as const),
    ),
  )(
    '[governance 2] by %s and week equals a direct GROUP BY in %s too, from days inside and cells at the edges',
    async (_, zone, group_by, column) => {
      const range = [dateBefore(100), dateBefore(3)] as const;
      const answer = await pivot({ group_by, time_granularity: 'week', tz: zone, usage_timestamp: [...range] });
      const expected = await grouped(zone, 'week', `coalesce(${column}::text, 'none')`, range);
      const cells = answer.data.flatMap((row) =>
        Object.entries(row.cells).map(([key, sum]) => String([key, row.key ?? 'none', sum.usage_entries, sum.usage_consumed_credits])),
      );
      expect(new Set(cells)).toEqual(new Set(expected.map(({ key, col, n, credits }) => String([key, col, Number(n), Number(credits)]))));
      const credits = answer.data.map((row) => row.usage_consumed_credits);
      expect(credits).toEqual([...credits].sort((a, b) => b - a));
    },
  );

  it('has no units where it would add units of different kinds, and has them where it would not', async () => {
    const mixed = await pivot({ group_by: 'usage_user' });
    expect(mixed.total.usage_consumed_units).toBeNull();
    const plain = await pivot({ group_by: 'usage_user', usage_param: ['ai.input_tokens', 'ai.output_tokens'] });
    expect(plain.total.usage_consumed_units).toBeGreaterThan(0);
    expect(plain.columns).toEqual(['ai.input_tokens', 'ai.output_tokens']);
  });
});

describe('periods', () => {
  it('[governance 4] are as long as the clocks make them: 23 hours in New York when clocks go forward; in Cairo the day begins at 01:00', async () => {
    const york = await pivot({ group_by: 'date', tz: 'America/New_York', usage_timestamp: ['2026-03-05', '2026-03-11'] });
    const hours = york.periods.map(({ key, from, to }) => [key, (Date.parse(to) - Date.parse(from)) / 3_600_000]);
    expect(hours).toEqual([
      ['2026-03-05', 24],
      ['2026-03-06', 24],
      ['2026-03-07', 24],
      ['2026-03-08', 23],
      ['2026-03-09', 24],
      ['2026-03-10', 24],
      ['2026-03-11', 24],
    ]);
    // Friday, 24 April 2026: 00:00 does not exist in Cairo.
    const cairo = await pivot({ group_by: 'date', tz: 'Africa/Cairo', usage_timestamp: ['2026-04-23', '2026-04-25'] });
    expect(cairo.periods.map(({ from }) => from)).toEqual([
      '2026-04-22T22:00:00.000Z',
      '2026-04-23T22:00:00.000Z',
      '2026-04-24T21:00:00.000Z',
    ]);
    const [local] = await api.sql<{ local: string }>(
      `SELECT to_char($1::timestamptz AT TIME ZONE 'Africa/Cairo', 'YYYY-MM-DD HH24:MI') AS local`,
      [cairo.periods[1]!.from],
    );
    expect(local).toEqual({ local: '2026-04-24 01:00' });
  });

  it('begin with the first of two midnights where clocks go back over it', async () => {
    // Sunday, 1 November 2026: in Havana 00:00 to 01:00 comes twice.
    const [day] = (await pivot({ group_by: 'date', tz: 'America/Havana', usage_timestamp: ['2026-11-01', '2026-11-01'] })).periods;
    expect(day).toEqual({ key: '2026-11-01', from: '2026-11-01T04:00:00.000Z', to: '2026-11-02T05:00:00.000Z' });
  });

  it('have bounds that are whole cells: since 1990 the offset of every zone is a multiple of 15 minutes', async () => {
    const odd = await api.sql<{ name: string }>(
      `SELECT DISTINCT z.name FROM pg_timezone_names z, generate_series(timestamptz '1990-01-01 00:00Z', timestamptz '2038-01-01 00:00Z', interval '7 days') t
       WHERE z.name !~ '^(posix/|right/)' AND extract(epoch FROM (t AT TIME ZONE z.name) - (t AT TIME ZONE 'UTC'))::integer % 900 <> 0`,
    );
    expect(odd).toEqual([]);
  }, 60_000);
});

describe('the rollups', () => {
  it('are made again from the entries where they were damaged, and reports are exact again', async () => {
    const range = [dateBefore(60), dateBefore(1)] as const;
    const ask = (): Promise<Pivot> =>
      pivot({ group_by: 'agent_name', time_granularity: 'day', tz: 'Asia/Kathmandu', usage_timestamp: [...range] });
    const byDate = (): Promise<Pivot> => pivot({ group_by: 'date', tz: 'Asia/Kathmandu', usage_timestamp: [...range] });
    const right = [(await ask()).data, (await byDate()).data];
    for (const [table, start] of [
      ['usage_cells', 'cell_start'],
      ['usage_days', 'day_start'],
      ['usage_thin', 'cell_start'],
      ['usage_hourly', 'hour_start'],
      ['usage_daily', 'day_start'],
    ]) {
      await api.sql(
        `UPDATE ${table} SET usage_consumed_credits = usage_consumed_credits + 1, usage_entries = usage_entries * 2 WHERE tenant_id = $1 AND ${start} BETWEEN now() - interval '40 days' AND now() - interval '20 days'`,
        [ours.tenant_id],
      );
      await api.sql(
        `DELETE FROM ${table} WHERE tenant_id = $1 AND ${start} BETWEEN now() - interval '15 days' AND now() - interval '10 days'`,
        [ours.tenant_id],
      );
    }
    expect((await ask()).data).not.toEqual(right[0]);
    const rebuilt = await api.app
      .get(UsageRollup)
      .rebuildRollups({ workspace: ours.tenant_id, from: new Date(Date.now() - 45 * 86_400_000), to: new Date() });
    expect(rebuilt.workspaces).toBe(1);
    expect([(await ask()).data, (await byDate()).data]).toEqual(right);
    const expected = await grouped('Asia/Kathmandu', 'day', 'usage_param', range);
    expect((await byDate()).total.usage_entries).toBe(expected.reduce((sum, { n }) => sum + Number(n), 0));
  });

  it('keep what retention has taken from the entries; bounds back there are as fine as a quarter of an hour', async () => {
    const workspace = await api.workspace();
    const day = new Date(Date.now() - 30 * 86_400_000).toISOString().slice(0, 10);
    await addEntries(api, workspace.tenant_id, [{ at: `${day}T10:03:00Z` }, { at: `${day}T10:10:00Z` }, { at: `${day}T10:20:00Z` }]);
    await api.app.get(UsageRollup).rollUpUsage();
    const ask = async (bounds: string[]): Promise<{ total: Sum; edges: string; usage_timestamp: string[] }> =>
      (await workspace.owner.client.get(withQuery('/admin/usage/pivot', { group_by: 'usage_param', usage_timestamp: bounds })).expect(200))
        .body as never;
    expect(await ask([`${day}T10:07:00Z`, `${day}T10:29:59.999Z`])).toMatchObject({ total: { usage_entries: 2 }, edges: 'exact' });
    await askDatabase(api.database.appUrl, `SELECT usage_entries_purge(now() - interval '10 days', 100)`, { tenant: workspace.tenant_id });
    expect(await api.sql('SELECT FROM usage_entry WHERE tenant_id = $1', [workspace.tenant_id])).toEqual([]);
    expect(await ask([`${day}T10:07:00Z`, `${day}T10:29:59.999Z`])).toMatchObject({
      total: { usage_entries: 3 },
      edges: 'quarter_hour',
      usage_timestamp: [`${day}T10:00:00.000Z`, `${day}T10:29:59.999Z`],
    });
    expect(await ask([day, day])).toMatchObject({ total: { usage_entries: 3 }, edges: 'exact' });
    await api.app
      .get(UsageRollup)
      .rebuildRollups({ workspace: workspace.tenant_id, from: new Date(Date.now() - 40 * 86_400_000), to: new Date() });
    expect(await ask([day, day])).toMatchObject({ total: { usage_entries: 3 } });
  });
});

import { Database, type UnitOfWork } from '@atrium/platform/database';
import { NIL_ID } from '@atrium/platform/kernel';
import type { Principal } from '@atrium/platform/access';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { USAGE_PARAMS, USAGE_PARAM_NAMES, isUsageParam } from '../../credits/domain/usage-params';
import { NOTHING, type Granularity, type Group, type Period, type Sum, type UsageFilter } from '../domain/usage-report';
import type { Dimension } from '../infrastructure/usage-parts';
import { UsageSumsRows, type PlacedSum } from '../infrastructure/usage-sums.rows';
import { BudgetsService } from '../../credits/application/budgets.service';
import { RecentUse, type RecentDays } from '../../credits/application/recent-use';
import { UsageLabels } from './usage-labels';
import { UsageRanges, type AskedRange, type ReportRange } from './usage-ranges';

export interface PivotQuery extends AskedRange, UsageFilter {
  readonly group_by: Group;
}

export interface AggregatedQuery extends AskedRange, UsageFilter {
  readonly pivot?: Group | undefined;
}

export interface ReportRow extends Sum {
  readonly key: string | null;
  readonly label: string;
}

export interface PivotRow extends ReportRow {
  readonly cells: Readonly<Record<string, Sum>>;
}

export interface ParamSum extends Sum {
  readonly usage_param: string;
  readonly unit: string;
}

/** A report as a table. Every sum comes from one statement, so rows, cells, `other` and `total` agree. */
export interface Pivot extends Pick<ReportRange, 'tz' | 'usage_timestamp' | 'periods' | 'edges' | 'as_of'> {
  readonly group_by: Group;
  readonly time_granularity: Granularity | null;
  readonly columns: readonly string[];
  readonly data: readonly PivotRow[];
  readonly total: Sum;
  readonly other: Sum;
  readonly truncated: boolean;
}

const DIMENSION: Readonly<Record<Group, Dimension>> = {
  date: 'period',
  usage_user: 'user',
  agent_name: 'agent',
  prompt_name: 'prompt',
  usage_param: 'param',
};

/** Reports of what the workspace used: exact at every moment, in every time zone. */
@Injectable()
export class UsageReports implements OnModuleInit {
  constructor(
    private readonly db: Database,
    private readonly ranges: UsageRanges,
    private readonly sums: UsageSumsRows,
    private readonly labels: UsageLabels,
    private readonly budgets: BudgetsService,
    private readonly recentUse: RecentUse,
  ) {}

  onModuleInit(): void {
    this.recentUse.register((tx) => this.readRecentDays(tx));
  }

  async getPivot(query: PivotQuery): Promise<Pivot> {
    const byDate = query.group_by === 'date';
    const time_granularity = query.time_granularity ?? (byDate ? 'day' : undefined);
    const column = !byDate && time_granularity ? 'period' : 'param';
    await this.ranges.checkZone(query.tz);
    return this.db.readMany(async (tx) => {
      const range = await this.ranges.resolveRange(tx, { ...query, time_granularity });
      const question = {
        range: range.cut,
        starts: range.starts,
        filter: query,
        row: DIMENSION[query.group_by],
        column,
        ranked: !byDate,
      } as const;
      const [sums = []] = await this.sums.readSums(tx, [question]);
      const other = sums.find(({ level }) => level === 'other');
      const cells = cellsByRow(sums, column === 'period' ? range.periods : undefined);
      const rows = await this.rowsOf(query.group_by, sums, range.periods);
      const { tz, usage_timestamp, periods, edges, as_of } = range;
      return {
        group_by: query.group_by,
        time_granularity: time_granularity ?? null,
        tz,
        usage_timestamp,
        periods,
        columns: column === 'period' ? periods.map(({ key }) => key) : paramsIn(sums),
        data: rows.map(([line, row]) => ({ ...row, cells: cells.get(line) ?? {} })),
        total: sumAt(sums, 'total'),
        other: other ? bare(other) : NOTHING,
        truncated: other !== undefined,
        edges,
        as_of,
      };
    });
  }

  async getAggregates(query: AggregatedQuery): Promise<object> {
    const time_granularity = query.pivot === 'date' ? ('day' as const) : undefined;
    await this.ranges.checkZone(query.tz);
    return this.db.readMany(async (tx) => {
      const range = await this.ranges.resolveRange(tx, { ...query, time_granularity });
      const before = this.ranges.getPrecedingRange(range);
      const question = { range: range.cut, starts: range.starts, filter: query, column: 'nothing' } as const;
      const [sums = [], earlier = [], rows] = await this.sums.readSums(tx, [
        { ...question, row: 'param' },
        { ...question, range: before.cut, row: 'nothing' },
        ...(query.pivot ? [{ ...question, row: DIMENSION[query.pivot], ranked: query.pivot !== 'date' }] : []),
      ]);
      const { tz, usage_timestamp, edges, as_of } = range;
      const other = rows?.find(({ level }) => level === 'other');
      return {
        usage_timestamp,
        tz,
        total: sumAt(sums, 'total'),
        by_param: byParam(sums),
        ...(query.pivot && rows
          ? {
              rows: (await this.rowsOf(query.pivot, rows, range.periods)).map(([, row]) => row),
              other: other ? bare(other) : NOTHING,
              truncated: other !== undefined,
            }
          : {}),
        previous: { usage_timestamp: before.usage_timestamp, total: sumAt(earlier, 'total') },
        edges,
        as_of,
      };
    });
  }

  /** What the caller used, and which budgets bind them; without a range, this month. */
  async getSummary(caller: Principal, asked: AskedRange): Promise<object> {
    await this.ranges.checkZone(asked.tz);
    return this.db.read(async (tx) => {
      const range = await this.ranges.resolveRange(tx, asked, 'this month');
      const question = { range: range.cut, starts: range.starts, filter: { usage_user: caller.user_id }, column: 'nothing' } as const;
      const [sums = [], periods] = await this.sums.readSums(tx, [
        { ...question, row: 'param' },
        ...(asked.time_granularity ? [{ ...question, row: 'period' as const }] : []),
      ]);
      const { tz, usage_timestamp, edges, as_of } = range;
      const { usage_entries, usage_consumed_credits } = sumAt(sums, 'total');
      return {
        usage_timestamp,
        tz,
        total: { usage_entries, usage_consumed_credits },
        by_param: byParam(sums),
        ...(periods ? { periods: range.periods.map((period, i) => ({ ...period, ...sumAt(periods, 'row', String(i + 1)) })) } : {}),
        budgets: await this.budgets.listBindingBudgets(caller),
        edges,
        as_of,
      };
    });
  }

  /** Credits of each of the last 28 full local days, and what day it is. */
  async readRecentDays(tx: UnitOfWork): Promise<RecentDays> {
    const range = await this.ranges.resolveRange(tx, { time_granularity: 'day' }, 'last 28 full days');
    const [sums = []] = await this.sums.readSums(tx, [
      { range: range.cut, starts: range.starts, filter: {}, row: 'period', column: 'nothing' },
    ]);
    const days = range.periods.map(({ key }, i) => {
      const { usage_consumed_credits: credits, usage_entries } = sumAt(sums, 'row', String(i + 1));
      return { key, credits, used: usage_entries > 0 };
    });
    return { days, now: range.now };
  }

  /** Periods in order, those without use too; everything else by credits, then key. Each with its line in the sums. */
  private async rowsOf(group: Group, sums: readonly PlacedSum[], periods: readonly Period[]): Promise<[line: string, row: ReportRow][]> {
    const rows = sums.filter(({ level }) => level === 'row').sort((a, b) => a.place - b.place);
    if (group === 'date') return periods.map(({ key }, i) => [String(i + 1), { key, label: key, ...sumAt(rows, 'row', String(i + 1)) }]);
    const lines = rows.map(({ line }) => line ?? NIL_ID);
    const names = await this.namesOf(
      group,
      lines.filter((line) => line !== NIL_ID),
    );
    return rows.map((sum, i) => {
      const line = lines[i] ?? NIL_ID;
      return [line, { key: line === NIL_ID ? null : line, label: names.get(line) ?? 'None', ...bare(sum) }];
    });
  }

  private namesOf(group: Exclude<Group, 'date'>, keys: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (group === 'usage_param') return Promise.resolve(new Map(keys.map((key) => [key, key])));
    return this.labels.findLabels(group === 'usage_user' ? 'user' : group === 'agent_name' ? 'agent' : 'prompt', keys);
  }
}

const bare = ({ usage_entries, usage_consumed_units, usage_consumed_credits }: Sum): Sum => ({
  usage_entries,
  usage_consumed_units,
  usage_consumed_credits,
});

function sumAt(sums: readonly PlacedSum[], level: PlacedSum['level'], line: string | null = null): Sum {
  const found = sums.find((sum) => sum.level === level && sum.line === line);
  return found ? bare(found) : NOTHING;
}

/** Parameters that occur, in the order of the catalog. */
function paramsIn(sums: readonly PlacedSum[]): string[] {
  const seen = new Set(sums.map(({ col }) => col));
  return USAGE_PARAM_NAMES.filter((name) => seen.has(name));
}

/** Cells by the line of their row, under the key of their period or the name of their parameter. */
function cellsByRow(sums: readonly PlacedSum[], periods: readonly Period[] | undefined): ReadonlyMap<string, Record<string, Sum>> {
  const cells = new Map<string, Record<string, Sum>>();
  for (const sum of sums) {
    if (sum.level !== 'cell' || sum.line === null || sum.col === null) continue;
    const row = cells.get(sum.line) ?? {};
    row[periods ? (periods[Number(sum.col) - 1]?.key ?? sum.col) : sum.col] = bare(sum);
    cells.set(sum.line, row);
  }
  return cells;
}

function byParam(sums: readonly PlacedSum[]): ParamSum[] {
  const found = new Map(sums.flatMap((sum) => (sum.level === 'row' && sum.line !== null ? [[sum.line, sum] as const] : [])));
  return USAGE_PARAM_NAMES.flatMap((usage_param) => {
    const sum = found.get(usage_param);
    return sum && isUsageParam(usage_param) ? [{ usage_param, unit: USAGE_PARAMS[usage_param].unit, ...bare(sum) }] : [];
  });
}

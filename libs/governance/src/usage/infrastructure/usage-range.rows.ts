import { requireScope, sql, type Sql, type UnitOfWork } from '@atrium/platform/database';
import { DAY } from '@atrium/platform/kernel';
import { Injectable } from '@nestjs/common';
import type { Granularity } from '../domain/usage-report';

/** A bound of a range as it was asked for: a moment, or a local day. */
export type Bound = { readonly moment: Date } | { readonly day: string };

/** A range as it was asked for; without bounds it is `byDefault`. */
export interface RangeQuestion {
  readonly tz: string | undefined;
  readonly bounds: readonly Bound[];
  readonly byDefault: 'last 30 days' | 'this month' | 'last 28 full days';
  readonly granularity: Granularity | undefined;
  /** Periods beyond this many are not computed. */
  readonly atMost: number;
}

/** A range in moments (milliseconds since 1970, the end not in it), with its local periods. */
export interface ResolvedRange {
  readonly tz: string;
  readonly now: number;
  readonly from: number;
  readonly until: number;
  /** From when on all entries are kept. */
  readonly keptFrom: number;
  /** Empty without a granularity; the first may begin before the range. */
  readonly periods: readonly { readonly key: string; readonly start: number }[];
}

/** No policy keeps entries longer; months that are completely older are dropped. */
const LONGEST_KEPT_MS = 3_650 * DAY;

const KEY_FORM: Readonly<Record<Granularity, string>> = { day: 'YYYY-MM-DD', week: 'YYYY-MM-DD', month: 'YYYY-MM' };

const milliseconds = (moment: Sql): Sql => sql`(extract(epoch FROM ${moment}) * 1000)::bigint`;
const startOf = (local: Sql): Sql => sql`local_start(${local}, z.tz)`;
const today = sql`date_trunc('day', now() AT TIME ZONE z.tz)`;

/** Local time: every boundary of a report is computed here, by PostgreSQL's zones. */
@Injectable()
export class UsageRangeRows {
  async resolveRange(tx: UnitOfWork, question: RangeQuestion): Promise<ResolvedRange> {
    const { tenant_id } = requireScope();
    const [row] = await tx.querySteady<{
      tz: string;
      now: number;
      from: number;
      until: number;
      kept_from: number | null;
      periods: { key: string; start: number }[] | null;
    }>(sql`
      WITH z AS (SELECT coalesce(${question.tz ?? null}::text, (SELECT ws_timezone FROM workspace WHERE tenant_id = ${tenant_id})) AS tz),
           r AS (SELECT z.tz, ${lower(question)} AS lower, ${upper(question)} AS upper FROM z)
      SELECT r.tz, ${milliseconds(sql`now()`)} AS now, ${milliseconds(sql`r.lower`)} AS from, ${milliseconds(sql`r.upper`)} AS until,
             (SELECT ${milliseconds(sql`hor_raw_from`)} FROM usage_horizon WHERE tenant_id = ${tenant_id}) AS kept_from, ${periods(question)} AS periods
      FROM r`);
    if (!row) throw new Error('A range has no answer.');
    return {
      tz: row.tz,
      now: row.now,
      from: row.from,
      until: row.until,
      keptFrom: Math.max(row.kept_from ?? 0, row.now - LONGEST_KEPT_MS),
      periods: row.periods ?? [],
    };
  }
}

function lower({ bounds: [from], byDefault }: RangeQuestion): Sql {
  if (from) return 'day' in from ? startOf(sql`${from.day}::timestamp`) : sql`${from.moment}::timestamptz`;
  if (byDefault === 'this month') return startOf(sql`date_trunc('month', now() AT TIME ZONE z.tz)`);
  return startOf(sql`${today} - ${byDefault === 'last 30 days' ? 29 : 28} * interval '1 day'`);
}

/** A moment is in the range, and a day wholly; without an upper bound the range ends with today, or with the month. */
function upper({ bounds: [from, to], byDefault }: RangeQuestion): Sql {
  if (to)
    return 'day' in to ? startOf(sql`${to.day}::timestamp + interval '1 day'`) : sql`${to.moment}::timestamptz + interval '1 millisecond'`;
  const tomorrow = startOf(sql`${today} + interval '1 day'`);
  if (from)
    return 'day' in from
      ? sql`greatest(${tomorrow}, ${startOf(sql`${from.day}::timestamp + interval '1 day'`)})`
      : sql`greatest(${tomorrow}, ${from.moment}::timestamptz + interval '1 millisecond')`;
  if (byDefault === 'this month') return startOf(sql`date_trunc('month', now() AT TIME ZONE z.tz) + interval '1 month'`);
  return byDefault === 'last 30 days' ? tomorrow : startOf(today);
}

function periods({ granularity, atMost }: RangeQuestion): Sql {
  if (!granularity) return sql`NULL::json`;
  const step = `1 ${granularity}`;
  return sql`(
    SELECT json_agg(json_build_object('key', to_char(at, ${KEY_FORM[granularity]}::text), 'start', ${milliseconds(sql`local_start(at, r.tz)`)}) ORDER BY at)
    FROM (
      SELECT at FROM generate_series(date_trunc(${granularity}::text, r.lower AT TIME ZONE r.tz),
        least((r.upper - interval '1 millisecond') AT TIME ZONE r.tz, date_trunc(${granularity}::text, r.lower AT TIME ZONE r.tz) + ${atMost}::integer * ${step}::interval), ${step}::interval) at
    ) local)`;
}

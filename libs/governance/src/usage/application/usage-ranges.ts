import { TimeZones, type UnitOfWork } from '@atrium/platform/database';
import { DAY, invalidField } from '@atrium/platform/kernel';
import { Injectable } from '@nestjs/common';
import { MAX_PERIODS, type Granularity, type Period } from '../domain/usage-report';
import { cutEdges, type CutRange } from '../domain/usage-spans';
import { UsageRangeRows, type Bound, type RangeQuestion } from '../infrastructure/usage-range.rows';

const LONGEST_MS = 121 * 31 * DAY;
const PLAIN_DATE = /^\d{4}-\d{2}-\d{2}$/;

/** When a report is about, as the caller said it. */
export interface AskedRange {
  readonly tz?: string | undefined;
  /** One bound (from) or two, each a date-time or a plain date, which means the local day. */
  readonly usage_timestamp?: readonly string[] | undefined;
  readonly time_granularity?: Granularity | undefined;
}

/** A range ready to be summed, and how the response describes it. */
export interface ReportRange {
  readonly cut: CutRange;
  readonly starts: readonly number[];
  readonly periods: readonly Period[];
  readonly tz: string;
  readonly usage_timestamp: readonly [string, string];
  readonly edges: 'exact' | 'quarter_hour';
  readonly as_of: string;
  readonly now: number;
  readonly keptFrom: number;
}

const iso = (at: number): string => new Date(at).toISOString();

export const boundOf = (text: string): Bound => (PLAIN_DATE.test(text) ? { day: text } : { moment: new Date(text) });

/** Turns what callers say of time into ranges: zones by name, local days, the default range, and the limits. */
@Injectable()
export class UsageRanges {
  constructor(
    private readonly zones: TimeZones,
    private readonly rows: UsageRangeRows,
  ) {}

  /** Refuses a zone that has no such name; asked before a unit of work is opened. */
  async checkZone(tz: string | undefined): Promise<void> {
    if (tz !== undefined) await this.zones.assertTimeZone('tz', tz);
  }

  async resolveRange(tx: UnitOfWork, asked: AskedRange, byDefault: RangeQuestion['byDefault'] = 'last 30 days'): Promise<ReportRange> {
    const { tz, time_granularity: granularity } = asked;
    const atMost = granularity ? MAX_PERIODS[granularity] : 0;
    const { periods, ...range } = await this.rows.resolveRange(tx, {
      tz,
      bounds: (asked.usage_timestamp ?? []).map(boundOf),
      byDefault,
      granularity,
      atMost,
    });
    if (range.from >= range.until) throw invalidField('usage_timestamp', 'starts after it ends', 'order');
    if (range.until - range.from > LONGEST_MS) throw invalidField('usage_timestamp', 'spans more than 120 months', 'too_long');
    if (granularity && periods.length > atMost)
      throw invalidField('usage_timestamp', `spans more than ${atMost} ${granularity}s`, 'too_long');

    const cut = cutEdges(range, range.keptFrom);
    const from = cut.widened ? Math.min(cut.whole.from, range.from) : range.from;
    const until = cut.widened && !cut.edges.some((edge) => edge.until === range.until) ? cut.whole.until : range.until;
    const starts = periods.map(({ start }) => start);
    return {
      cut,
      starts,
      periods: periods.map(({ key, start }, i) => ({
        key,
        from: iso(Math.max(start, from)),
        to: iso(Math.min(starts[i + 1] ?? until, until)),
      })),
      tz: range.tz,
      usage_timestamp: [iso(from), iso(until - 1)],
      edges: cut.widened ? 'quarter_hour' : 'exact',
      as_of: iso(range.now),
      now: range.now,
      keptFrom: range.keptFrom,
    };
  }

  /** The equally long range before. */
  getPrecedingRange({ usage_timestamp: [from, to], keptFrom }: ReportRange): {
    readonly cut: CutRange;
    readonly usage_timestamp: readonly [string, string];
  } {
    const begin = Date.parse(from);
    const length = Date.parse(to) + 1 - begin;
    return { cut: cutEdges({ from: begin - length, until: begin }, keptFrom), usage_timestamp: [iso(begin - length), iso(begin - 1)] };
  }
}

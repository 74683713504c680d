import { Database, TimeZones, type ListParameters, type Page } from '@atrium/platform/database';
import { DAY, HOUR, invalidField } from '@atrium/platform/kernel';
import { Injectable } from '@nestjs/common';
import type { AccessLogRowRead, RequestStats, SoughtTexts, StatsGroup } from '../domain/access-log-entry';
import { AccessLogReading } from '../infrastructure/access-log-reading.rows';
import { UsageRangeRows } from '../../usage/infrastructure/usage-range.rows';

const LONGEST_DAYS = 31;

export interface AccessLogFilters extends ListParameters, SoughtTexts {
  readonly log_timestamp?: readonly Date[];
}

export interface StatsQuestion {
  readonly group_by: StatsGroup;
  readonly log_timestamp?: readonly Date[];
  readonly tz?: string;
}

/** What administrators read of the access log: its rows, and sums over them. */
@Injectable()
export class AccessLogsService {
  constructor(
    private readonly db: Database,
    private readonly log: AccessLogReading,
    private readonly ranges: UsageRangeRows,
    private readonly zones: TimeZones,
  ) {}

  list({ limit, ...query }: AccessLogFilters): Promise<Page<AccessLogRowRead>> {
    const [from, to] = query.log_timestamp ?? [];
    return this.log.listLogRows(limit === undefined ? query : { ...query, limit_extended: limit }, [from, to]);
  }

  async getStats({ group_by, log_timestamp = [], tz }: StatsQuestion): Promise<{ readonly data: RequestStats[] }> {
    if (tz !== undefined) await this.zones.assertTimeZone('tz', tz);
    return this.db.readMany(async (tx) => {
      const range = await this.ranges.resolveRange(tx, {
        tz,
        bounds: log_timestamp.map((moment) => ({ moment })),
        byDefault: 'last 30 days',
        granularity: undefined,
        atMost: 0,
      });
      if (range.from >= range.until) throw invalidField('log_timestamp', 'starts after it ends', 'order');
      // A day more or less an hour: clocks are changed.
      if (range.until - range.from > LONGEST_DAYS * DAY + HOUR)
        throw invalidField('log_timestamp', `spans more than ${LONGEST_DAYS} days`, 'too_long');
      return { data: await this.log.readStats(tx, group_by, range) };
    });
  }
}

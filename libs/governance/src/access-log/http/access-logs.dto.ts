import { Decimal, NestedList, Text, Whole } from '@atrium/platform/database';
import { acceptParameter, Answer, ListQuery, PageOf, View } from '@atrium/platform/http';
import { AccessLogEntry, STATS_GROUPS, type StatsGroup } from '../domain/access-log-entry';

const AT_MOST = 10_000;
const SOUGHT = { kind: 'text', min: 3, max: 1_000 } as const;

@Answer()
class AccessLogView extends View(AccessLogEntry) {
  @Text({ optional: true, about: 'Current name of the user who made the request.' }) log_user_name!: string | null;
}

export class AccessLogPage extends PageOf(AccessLogView) {}

export class ListAccessLogs extends ListQuery(AccessLogEntry, { atMost: AT_MOST, without: ['log_user_agent'] }) {
  override log_timestamp?: Date[];
  override log_url?: string;
  override log_query?: string;
  override log_params?: string;
  override log_body?: string;
  override log_user_agent?: string;
}
acceptParameter(ListAccessLogs, { ...SOUGHT, name: 'log_url', about: 'Path contains this text, ignoring case.' });
acceptParameter(ListAccessLogs, {
  ...SOUGHT,
  name: 'log_query',
  about: 'Query contains this text as written in JSON, ignoring case.',
});
acceptParameter(ListAccessLogs, {
  ...SOUGHT,
  name: 'log_params',
  about: 'Path parameters contain this text as written in JSON.',
});
acceptParameter(ListAccessLogs, { ...SOUGHT, name: 'log_body', about: 'Body contains this text as written in JSON, ignoring case.' });
acceptParameter(ListAccessLogs, { ...SOUGHT, name: 'log_user_agent', about: 'User agent contains this text, ignoring case.' });

export class AccessLogStatsQuery {
  group_by!: StatsGroup;
  log_timestamp?: Date[];
  tz?: string;
}
const RANGE = {
  type: 'array',
  items: { type: 'string', format: 'date-time' },
  maxItems: 2,
  description: 'One value: from that time on. Two values: an inclusive range of at most 31 days. Default: the last 30 days.',
} as const;
acceptParameter(
  AccessLogStatsQuery,
  { name: 'group_by', kind: 'choice', values: STATS_GROUPS, about: 'Dimension by which requests are grouped.' },
  undefined,
  true,
);
acceptParameter(AccessLogStatsQuery, { name: 'log_timestamp', kind: 'stamp', filter: 'range' }, { ...RANGE, items: { ...RANGE.items } });
acceptParameter(AccessLogStatsQuery, {
  name: 'tz',
  kind: 'text',
  min: 1,
  max: 100,
  about: 'Time zone of days (IANA name). Default: the time zone of the workspace.',
  example: 'Europe/Lisbon',
});

@Answer()
export class RequestStatsView {
  @Text({ max: 2_048, optional: true, about: 'Route, id, status or date. Null for requests without one.' }) key!: string | null;
  @Text({ max: 2_048, optional: true, about: 'Name of the user or API key; otherwise the same as `key`.' }) label!: string | null;
  @Whole({ about: 'Number of requests; a sampled row counts as ten.', example: 120 }) requests!: number;
  @Whole({ about: 'Number of requests with a status of 400 or above.', example: 2 }) errors!: number;
  @Decimal({ about: 'Median duration in milliseconds.', example: 8.2 }) p50_ms!: number;
  @Decimal({ about: '95th percentile of the duration in milliseconds.', example: 31.5 }) p95_ms!: number;
  @Whole({ about: 'Bytes of all response bodies.', example: 482_113 }) bytes_out!: number;
}

@Answer()
export class AccessLogStats {
  @NestedList(() => RequestStatsView, {
    about: 'Up to 1,000 groups with the most requests, sorted by requests, or by date with `group_by=date`.',
  })
  data!: RequestStatsView[];
}

import { Decimal, NestedList, Text, Whole } from '@atrium/platform/database';
import { acceptParameter, Answer, ListQuery, PageOf, View } from '@atrium/platform/http';
import { AccessLogEntry, STATS_GROUPS, type StatsGroup } from '../domain/access-log-entry';

const AT_MOST = 10_000;
const SOUGHT = { kind: 'text', min: 3, max: 1_000 } as const;

@Answer()
class AccessLogView extends View(AccessLogEntry) {
  @Text({ optional: true, about: 'Name of who called, as it is now.' }) log_user_name!: string | null;
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
acceptParameter(ListAccessLogs, { ...SOUGHT, name: 'log_url', about: 'The path holds this text, in any case.' });
acceptParameter(ListAccessLogs, {
  ...SOUGHT,
  name: 'log_query',
  about: 'The query holds this text, in any case, as it is written in JSON.',
});
acceptParameter(ListAccessLogs, {
  ...SOUGHT,
  name: 'log_params',
  about: 'The parameters of the path hold this text, as they are written in JSON.',
});
acceptParameter(ListAccessLogs, { ...SOUGHT, name: 'log_body', about: 'The body holds this text, in any case, as it is written in JSON.' });
acceptParameter(ListAccessLogs, { ...SOUGHT, name: 'log_user_agent', about: 'The user agent holds this text, in any case.' });

export class AccessLogStatsQuery {
  group_by!: StatsGroup;
  log_timestamp?: Date[];
  tz?: string;
}
const RANGE = {
  type: 'array',
  items: { type: 'string', format: 'date-time' },
  maxItems: 2,
  description: 'One value: from; two: an inclusive range of at most 31 days. Without it: the last 30 days.',
} as const;
acceptParameter(
  AccessLogStatsQuery,
  { name: 'group_by', kind: 'choice', values: STATS_GROUPS, about: 'What requests are summed by.' },
  undefined,
  true,
);
acceptParameter(AccessLogStatsQuery, { name: 'log_timestamp', kind: 'stamp', filter: 'range' }, { ...RANGE, items: { ...RANGE.items } });
acceptParameter(AccessLogStatsQuery, {
  name: 'tz',
  kind: 'text',
  min: 1,
  max: 100,
  about: 'Time zone of days, by name; else that of the workspace.',
  example: 'Europe/Lisbon',
});

@Answer()
export class RequestStatsView {
  @Text({ max: 2_048, optional: true, about: 'Route, id, status or date; null where requests have none.' }) key!: string | null;
  @Text({ max: 2_048, optional: true, about: 'Name of the user or the key; else the key itself.' }) label!: string | null;
  @Whole({ about: 'Requests; a sampled row counts for ten.', example: 120 }) requests!: number;
  @Whole({ about: 'Of them, those answered with a status of 400 or above.', example: 2 }) errors!: number;
  @Decimal({ about: 'Half of them took so many milliseconds at most.', example: 8.2 }) p50_ms!: number;
  @Decimal({ about: '95 of 100 took so many milliseconds at most.', example: 31.5 }) p95_ms!: number;
  @Whole({ about: 'Bytes of the bodies that went.', example: 482_113 }) bytes_out!: number;
}

@Answer()
export class AccessLogStats {
  @NestedList(() => RequestStatsView, { about: 'The busiest 1,000 groups, the busiest first; dates in their order.' })
  data!: RequestStatsView[];
}

import { Choice, Decimal, Flag, Id, Json, Ref, Resource, Stamp, Text, Whole } from '@atrium/platform/database';
import type { JsonObject } from '@atrium/platform/kernel';

export const PRINCIPAL_KINDS = ['person', 'service', 'extension', 'user_via_extension', 'public'] as const;

/** One finished request of the workspace, as it is read: who asked for what, and how it ended. Never changed. */
@Resource({ table: 'access_log', sort: '-log_timestamp', isFoundById: false })
export class AccessLogEntry {
  @Id({ about: 'Id of the row.' }) readonly log_id!: string;
  @Stamp({ about: 'When the request began.', filter: 'range', sort: true }) readonly log_timestamp!: Date;
  @Ref({ optional: true, about: 'User who made the request; null for visitors.', filter: 'equals' }) readonly log_user!: string | null;
  @Ref({ optional: true, about: 'The API key that was used.', filter: 'equals' }) readonly log_key!: string | null;
  @Ref({ optional: true, about: 'The extension that called.', filter: 'equals' }) readonly log_extension!: string | null;
  @Ref({ optional: true, about: 'The session that was used.', filter: 'equals' }) readonly log_session!: string | null;
  @Choice(PRINCIPAL_KINDS, { about: 'Kind of caller.', filter: 'equals' })
  readonly log_principal!: (typeof PRINCIPAL_KINDS)[number];
  @Text({ max: 10, about: 'Method.', example: 'POST', filter: 'equals' }) readonly log_method!: string;
  @Text({ max: 2_048, about: 'Path without the query; secrets in it are redacted.', example: '/api/v1/albums' }) readonly log_url!: string;
  @Text({ max: 2_048, optional: true, about: 'Pattern of the route that answered.', example: '/api/v1/albums/:id', filter: 'equals' })
  readonly log_route!: string | null;
  @Text({ optional: true, about: 'The operation, as this document calls it.', example: 'createAlbum', filter: 'equals' })
  readonly log_operation!: string | null;
  @Json({ optional: true, about: 'Parameters of the path.' }) readonly log_params!: JsonObject | null;
  @Json({
    optional: true,
    about:
      'Query. Ids, days, truth values, `sort` and the size of the page as they came; of everything else the shape: `{"q": "[string 12]"}`.',
  })
  readonly log_query!: JsonObject | null;
  @Json({
    optional: true,
    about:
      'Shape of the body: `{"text": "[string 12]"}`. Values are kept of settings and albums alone, secrets nowhere. Instead of a body above 4 KB `{"_truncated": true, "_bytes": …, "_keys": […]}`.',
  })
  readonly log_body!: JsonObject | null;
  @Whole({ about: 'HTTP status.', example: 201, filter: 'range' }) readonly log_status!: number;
  @Text({ optional: true, about: 'Code of the problem it was answered with.', example: 'not_found', filter: 'equals' }) readonly log_code!:
    string | null;
  @Decimal({ about: 'Duration in milliseconds.', example: 12.4, filter: 'range', sort: true }) readonly log_duration_ms!: number;
  @Whole({ optional: true, about: 'Bytes of the body that came.', filter: 'equals' }) readonly log_bytes_in!: number | null;
  @Whole({ optional: true, about: 'Bytes of the body that went.', filter: 'equals' }) readonly log_bytes_out!: number | null;
  @Text({ optional: true, about: 'Address of the client.', example: '203.0.113.7', filter: 'equals' }) readonly log_ip!: string | null;
  @Text({ max: 512, optional: true, about: 'User agent.', filter: 'contains' }) readonly log_user_agent!: string | null;
  @Text({ about: 'Id of the request: its `X-Request-Id`.', filter: 'equals' }) readonly log_request_id!: string;
  @Text({ optional: true, about: 'Trace it belonged to.', filter: 'equals' }) readonly log_trace_id!: string | null;
  @Text({ max: 16, optional: true, about: 'Idempotency key: the first 16 hexadecimal digits of its SHA-256.', filter: 'equals' })
  readonly log_idempotency_key!: string | null;
  @Flag({ optional: true, about: 'Whether the answer was that of an earlier request with the same idempotency key.', filter: 'equals' })
  readonly log_replayed!: boolean | null;
  @Text({
    optional: true,
    about: 'The permission that let it pass; several, with spaces between, where all were needed; null where none was.',
    example: 'media:edit',
    filter: 'equals',
  })
  readonly log_permission!: string | null;
  @Flag({ about: 'Whether the row represents ten requests: visits to public pages above 50 a second are sampled.', filter: 'equals' })
  readonly log_sampled!: boolean;
}

/** A row with the name of its user, as it is now. */
export type AccessLogRowRead = Omit<AccessLogEntry, 'log_timestamp'> & {
  readonly log_timestamp: string;
  readonly log_user_name: string | null;
};

/** Parts of a row that are searched by a text they hold. */
export interface SoughtTexts {
  readonly log_url?: string | undefined;
  readonly log_query?: string | undefined;
  readonly log_params?: string | undefined;
  readonly log_body?: string | undefined;
}

export const STATS_GROUPS = ['log_route', 'log_user', 'log_status', 'log_key', 'date'] as const;
export type StatsGroup = (typeof STATS_GROUPS)[number];

/** Requests of one group: how many, how they ended, how long they took. */
export interface RequestStats {
  readonly key: string | null;
  readonly label: string | null;
  readonly requests: number;
  readonly errors: number;
  readonly p50_ms: number;
  readonly p95_ms: number;
  readonly bytes_out: number;
}

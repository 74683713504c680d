import { Choice, Decimal, Flag, Id, Json, Ref, Resource, Stamp, Text, Whole } from '@atrium/platform/database';
import type { JsonObject } from '@atrium/platform/kernel';

export const PRINCIPAL_KINDS = ['person', 'service', 'extension', 'user_via_extension', 'public'] as const;

/** One finished request of the workspace, as it is read: who asked for what, and how it ended. Never changed. */
@Resource({ table: 'access_log', sort: '-log_timestamp', isFoundById: false })
export class AccessLogEntry {
  @Id({ about: 'Id of the row.' }) readonly log_id!: string;
  @Stamp({ about: 'When the request was received.', filter: 'range', sort: true }) readonly log_timestamp!: Date;
  @Ref({ optional: true, about: 'User who made the request. Null for visitors.', filter: 'equals' }) readonly log_user!: string | null;
  @Ref({ optional: true, about: 'The API key that was used.', filter: 'equals' }) readonly log_key!: string | null;
  @Ref({ optional: true, about: 'Extension that made the request.', filter: 'equals' }) readonly log_extension!: string | null;
  @Ref({ optional: true, about: 'The session that was used.', filter: 'equals' }) readonly log_session!: string | null;
  @Choice(PRINCIPAL_KINDS, { about: 'Kind of principal that made the request.', filter: 'equals' })
  readonly log_principal!: (typeof PRINCIPAL_KINDS)[number];
  @Text({ max: 10, about: 'HTTP method.', example: 'POST', filter: 'equals' }) readonly log_method!: string;
  @Text({ max: 2_048, about: 'Path without the query; secrets in it are redacted.', example: '/api/v1/albums' }) readonly log_url!: string;
  @Text({ max: 2_048, optional: true, about: 'Pattern of the matched route.', example: '/api/v1/albums/:id', filter: 'equals' })
  readonly log_route!: string | null;
  @Text({ optional: true, about: '`operationId` of the operation.', example: 'createAlbum', filter: 'equals' })
  readonly log_operation!: string | null;
  @Json({ optional: true, about: 'Path parameters.' }) readonly log_params!: JsonObject | null;
  @Json({
    optional: true,
    about:
      'Query parameters. Ids, days, booleans, `sort` and page sizes are logged with their values, everything else by its shape: `{"q": "[string 12]"}`.',
  })
  readonly log_query!: JsonObject | null;
  @Json({
    optional: true,
    about:
      'Shape of the body: `{"text": "[string 12]"}`. Values are logged only for settings and albums, and secrets never. For a body above 4 KB: `{"_truncated": true, "_bytes": …, "_keys": […]}`.',
  })
  readonly log_body!: JsonObject | null;
  @Whole({ about: 'HTTP status.', example: 201, filter: 'range' }) readonly log_status!: number;
  @Text({ optional: true, about: 'Problem code of the response.', example: 'not_found', filter: 'equals' }) readonly log_code!:
    string | null;
  @Decimal({ about: 'Duration in milliseconds.', example: 12.4, filter: 'range', sort: true }) readonly log_duration_ms!: number;
  @Whole({ optional: true, about: 'Size of the request body in bytes.', filter: 'equals' }) readonly log_bytes_in!: number | null;
  @Whole({ optional: true, about: 'Size of the response body in bytes.', filter: 'equals' }) readonly log_bytes_out!: number | null;
  @Text({ optional: true, about: 'IP address of the client.', example: '203.0.113.7', filter: 'equals' }) readonly log_ip!: string | null;
  @Text({ max: 512, optional: true, about: 'User agent.', filter: 'contains' }) readonly log_user_agent!: string | null;
  @Text({ about: 'Id of the request: the `X-Request-Id` of its response.', filter: 'equals' }) readonly log_request_id!: string;
  @Text({ optional: true, about: 'Id of the trace.', filter: 'equals' }) readonly log_trace_id!: string | null;
  @Text({ max: 16, optional: true, about: 'Idempotency key: the first 16 hexadecimal digits of its SHA-256.', filter: 'equals' })
  readonly log_idempotency_key!: string | null;
  @Flag({ optional: true, about: 'Whether the response was a replay for the same idempotency key.', filter: 'equals' })
  readonly log_replayed!: boolean | null;
  @Text({
    optional: true,
    about: 'Permission that allowed the request, or several separated by spaces if all were required. Null if none was.',
    example: 'media:edit',
    filter: 'equals',
  })
  readonly log_permission!: string | null;
  @Flag({ about: 'Whether the row represents ten requests. Visits to public pages above 50 a second are sampled.', filter: 'equals' })
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

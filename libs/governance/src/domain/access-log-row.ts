import type { JsonValue } from '@atrium/platform/kernel';

/** One finished request as it is kept; secrets are gone from it. */
export interface AccessLogRow {
  readonly tenant_id: string;
  readonly log_id: string;
  readonly log_timestamp: Date;
  readonly log_user: string | null;
  readonly log_key: string | null;
  readonly log_session: string | null;
  readonly log_principal: string;
  readonly log_method: string;
  /** Path without the query. */
  readonly log_url: string;
  /** Pattern of the route that answered. */
  readonly log_route: string | null;
  readonly log_params: JsonValue;
  readonly log_query: JsonValue;
  readonly log_body: JsonValue;
  readonly log_status: number;
  readonly log_duration_ms: number;
  readonly log_bytes_in: number | null;
  readonly log_bytes_out: number | null;
  readonly log_ip: string | null;
  readonly log_user_agent: string | null;
  readonly log_request_id: string;
  readonly log_trace_id: string | null;
  /** First 16 hexadecimal digits of the SHA-256 of the key. */
  readonly log_idempotency_key: string | null;
  readonly log_replayed: boolean;
}

/** Days that rows are kept; months that lie wholly behind are dropped. */
export const ACCESS_LOG_KEEP_DAYS = 365;

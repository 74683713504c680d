import type { JsonValue } from '@atrium/platform/kernel';

/** One finished request as it is kept, without its secrets; what is absent is left out, so that batches stay small. */
export interface AccessLogRow {
  readonly tenant_id: string;
  readonly log_id: string;
  readonly log_timestamp: Date;
  readonly log_user: string | undefined;
  readonly log_key: string | undefined;
  readonly log_session: string | undefined;
  readonly log_principal: string;
  readonly log_method: string;
  /** Path without the query. */
  readonly log_url: string;
  /** Pattern of the route that answered. */
  readonly log_route: string | undefined;
  /** What the operation is called in the OpenAPI document. */
  readonly log_operation: string | undefined;
  readonly log_params: JsonValue | undefined;
  readonly log_query: JsonValue | undefined;
  readonly log_body: JsonValue | undefined;
  readonly log_status: number;
  /** Code of the problem it was answered with. */
  readonly log_code: string | undefined;
  readonly log_duration_ms: number;
  readonly log_bytes_in: number | undefined;
  readonly log_bytes_out: number | undefined;
  readonly log_ip: string | undefined;
  readonly log_user_agent: string | undefined;
  readonly log_request_id: string;
  readonly log_trace_id: string | undefined;
  /** First 16 hexadecimal digits of the SHA-256 of the key. */
  readonly log_idempotency_key: string | undefined;
  readonly log_replayed: boolean;
  /** The permission that let it pass; several, with spaces between, where all of them were needed. */
  readonly log_permission: string | undefined;
  /** Represents ten requests: see `PublicSampler`. */
  readonly log_sampled: boolean;
}

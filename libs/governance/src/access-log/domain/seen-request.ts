import { createHash } from 'node:crypto';
import { newId, type JsonValue } from '@atrium/platform/kernel';
import type { AccessLogRow } from './access-log-row';
import { isSecret, redactSecrets, REDACTED, redactText } from '../../shared/domain/redaction';
import { queryShapeOf, shapeOf } from './shape';

/** What is remembered of a request while it waits to be written: references and numbers, nothing built yet. */
export interface SeenRequest {
  readonly tenant_id: string;
  readonly user_id: string | undefined;
  readonly key_id: string | null | undefined;
  readonly session_id: string | null | undefined;
  readonly kind: string;
  readonly method: string;
  /** Path and query as they came. */
  readonly url: string;
  readonly route: string | undefined;
  readonly params: Readonly<Record<string, string>> | undefined;
  /** The parsed body, or a note on it when it was large. */
  readonly body: unknown;
  readonly bytesIn: number | undefined;
  readonly bytesOut: number | undefined;
  readonly status: number;
  /** Code of the problem it was answered with. */
  readonly code: string | undefined;
  readonly started: Date;
  readonly milliseconds: number;
  readonly ip: string | undefined;
  readonly userAgent: string | undefined;
  readonly idempotencyKey: string | undefined;
  readonly replayed: boolean;
  readonly sampled: boolean;
  readonly requestId: string;
  readonly traceparent: string | undefined;
  /** The row's id once it was built, so that a row sent twice is one row. */
  log_id: string | undefined;
}

/** What the route that answered says of itself. */
export interface RouteNote {
  readonly operation: string | undefined;
  /** How much of bodies and queries is kept: all, their shape without values, or nothing. */
  readonly depth: 'full' | 'shape' | 'none';
  /** Names of the secrets in its body, whose values are kept at no depth. */
  readonly secrets: ReadonlySet<string>;
  readonly permission: string | undefined;
}

/** Largest body that is kept, in bytes as it came; of a larger one only the names at its top are. */
export const MAX_KEPT_BODY = 4_096;

const MAX_URL = 2_048;
const MAX_USER_AGENT = 512;
const MAX_NAMES = 50;
const MAX_NAME = 100;

/** The replacement of a body that is too large to keep, or of unknown size. */
export function noteOn(body: unknown, bytes: number | undefined): object | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const names = Array.isArray(body)
    ? []
    : Object.keys(body)
        .slice(0, MAX_NAMES)
        .map((name) => name.slice(0, MAX_NAME));
  const note = { _truncated: true, _bytes: bytes ?? null, _keys: names };
  notes.add(note);
  return note;
}

/** Distinguished from bodies that look like one. */
const notes = new WeakSet<object>();

/** The row of a request, without its secrets. */
export function rowOf(seen: SeenRequest, { operation, depth, secrets, permission }: RouteNote): AccessLogRow {
  seen.log_id ??= newId();
  const mark = seen.url.indexOf('?');
  return {
    tenant_id: seen.tenant_id,
    log_id: seen.log_id,
    log_timestamp: seen.started,
    log_user: seen.user_id,
    log_key: seen.key_id ?? undefined,
    log_session: seen.session_id ?? undefined,
    log_principal: seen.kind,
    log_method: seen.method,
    log_url: pathOf(seen, mark, depth).slice(0, MAX_URL),
    log_route: seen.route,
    log_operation: operation,
    log_params: depth === 'none' ? undefined : paramsOf(seen.params),
    log_query: mark < 0 ? undefined : keptQuery(queryOf(seen.url.slice(mark + 1)), depth),
    log_body: keptBody(seen.body, depth, secrets),
    log_status: seen.status,
    log_code: seen.code,
    log_duration_ms: Math.round(seen.milliseconds * 100) / 100,
    log_bytes_in: seen.bytesIn,
    log_bytes_out: seen.bytesOut,
    log_ip: seen.ip,
    log_user_agent: seen.userAgent && redactText(seen.userAgent.slice(0, MAX_USER_AGENT)),
    log_request_id: seen.requestId,
    log_trace_id: seen.traceparent?.split('-')[1],
    log_idempotency_key:
      seen.idempotencyKey === undefined ? undefined : createHash('sha256').update(seen.idempotencyKey).digest('hex').slice(0, 16),
    log_replayed: seen.replayed,
    log_permission: permission,
    log_sampled: seen.sampled,
  };
}

/** What stays of a body, by the depth its route declares. */
function keptBody(body: unknown, depth: RouteNote['depth'], secrets: ReadonlySet<string>): JsonValue | undefined {
  if (body === undefined || depth === 'none') return undefined;
  const isNote = typeof body === 'object' && body !== null && notes.has(body);
  return depth === 'full' || isNote ? redactSecrets(body, secrets) : shapeOf(body, secrets);
}

function keptQuery(query: object | undefined, depth: RouteNote['depth']): JsonValue | undefined {
  if (query === undefined || depth === 'none') return undefined;
  return depth === 'full' ? redactSecrets(query) : queryShapeOf(query);
}

/** The path; where nothing of parameters is kept, the pattern of the route instead. */
function pathOf(seen: SeenRequest, mark: number, depth: RouteNote['depth']): string {
  for (const _ in depth === 'none' ? seen.params : undefined) return seen.route ?? '';
  return redactText(withoutSecretParams(mark < 0 ? seen.url : seen.url.slice(0, mark), seen.params));
}

function paramsOf(params: SeenRequest['params']): JsonValue | undefined {
  for (const _ in params) return redactSecrets(params);
  return undefined;
}

/** Repeated parameters become a list, as filters by range send them. */
function queryOf(query: string): object | undefined {
  const found = new Map<string, string | string[]>();
  for (const [name, value] of new URLSearchParams(query.slice(0, MAX_URL))) {
    const before = found.get(name);
    found.set(name, before === undefined ? value : [before, value].flat());
  }
  return found.size === 0 ? undefined : Object.fromEntries(found);
}

/** A path whose route names a part of it a token is kept without that part. */
function withoutSecretParams(path: string, params: SeenRequest['params']): string {
  let safe = path;
  for (const name in params) {
    if (isSecret(name))
      safe = safe
        .split('/')
        .map((part) => (decoded(part) === params[name] ? REDACTED : part))
        .join('/');
  }
  return safe;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

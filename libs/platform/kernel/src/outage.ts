import { Problem } from './problem';

/** External services of an installation that may be unavailable. */
export const OUTSIDE_PARTS = ['storage', 'scanner', 'models', 'faces', 'mail', 'edge', 'stock', 'database', 'network'] as const;

export type OutsidePart = (typeof OUTSIDE_PARTS)[number];

export interface OutageOptions extends ErrorOptions {
  readonly code?: 'service_unavailable' | 'upstream_failed' | 'upstream_timeout' | 'rate_limited' | undefined;
  /** How long the part itself asked to be left alone. */
  readonly retryAfterMs?: number | undefined;
}

const MS_A_SECOND = 1_000;

/**
 * An external service cannot be reached, is overloaded, or rejects every request: not a fault of the request, which succeeds once the
 * part is back. A request answers it as the problem it is; a job that throws it waits and runs again, without using up attempts.
 */
export class Outage extends Problem {
  readonly retryAfterMs: number | undefined;

  constructor(
    readonly part: OutsidePart,
    detail: string,
    { code = 'service_unavailable', retryAfterMs, cause }: OutageOptions = {},
  ) {
    super(code, detail, retryAfterMs === undefined ? {} : { headers: { 'Retry-After': String(Math.ceil(retryAfterMs / MS_A_SECOND)) } });
    this.name = 'Outage';
    this.retryAfterMs = retryAfterMs;
    if (cause !== undefined) this.cause = cause;
  }
}

const PASSING: ReadonlySet<string> = new Set(['service_unavailable', 'upstream_failed', 'upstream_timeout', 'rate_limited']);

/** The outage behind a failed exchange; an error that waiting cannot resolve is left as it is. */
export function outageIn(part: OutsidePart, error: unknown): unknown {
  if (error instanceof Outage || !(error instanceof Problem) || !PASSING.has(error.code)) return error;
  const seconds = Number(error.headers['Retry-After']);
  return new Outage(part, error.detail, {
    code: error.code as OutageOptions['code'],
    retryAfterMs: Number.isFinite(seconds) ? seconds * MS_A_SECOND : undefined,
    cause: error,
  });
}

import { DAY, HOUR, MINUTE, Outage, Problem, SECOND } from '@atrium/platform/kernel';

/** How jobs wait for an unavailable external service. */
export interface OutagePace {
  /** Pause before the first further run; doubles with every one. */
  readonly firstMs: number;
  readonly longestMs: number;
  /** A job that has waited this long in total is given up. */
  readonly boundMs: number;
}

export const OUTAGE_PACE: OutagePace = { firstMs: 2 * SECOND, longestMs: 5 * MINUTE, boundMs: 24 * HOUR };

/** The pace whose pauses grow to this length and end after so long. */
export const outagePaceOf = (longestMs: number, boundMs: number): OutagePace => ({
  firstMs: Math.min(OUTAGE_PACE.firstMs, longestMs),
  longestMs,
  boundMs,
});

const JITTER = 0.5;
const LONGEST_BACKOFF_MS = DAY;
const UNREACHABLE: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
  'EPIPE',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'UND_ERR_SOCKET',
  'ERR_STREAM_PREMATURE_CLOSE',
]);
/** Classes of SQLSTATE: connection exceptions, insufficient resources, and a server that stops or starts. */
const DATABASE_AWAY = /^(?:08|53)|^57P0[1-5]$/;
const SQLSTATE = /^[0-9A-Z]{5}$/;
const MOST_CAUSES = 5;

/** The outage behind an error; null where the error is about the request or the service itself. */
export function outageOf(error: unknown): Outage | null {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < MOST_CAUSES; at = at.cause, depth++) {
    if (at instanceof Outage) return at;
    if (at instanceof Problem) return at.code === 'service_unavailable' ? new Outage('network', at.detail, { cause: at }) : null;
    const code = codeOf(at);
    if (UNREACHABLE.has(code)) return new Outage('network', `An external service is unavailable (${code}).`, { cause: error });
    if (SQLSTATE.test(code) && DATABASE_AWAY.test(code)) return new Outage('database', 'The database is unavailable.', { cause: error });
  }
  return null;
}

/** How long a job pauses that has waited this many times before: longer every time, never at the same moment as all others, and never sooner than the part asked for. */
export function pauseAfter(
  pace: OutagePace,
  waits: number,
  { retryAfterMs = 0, random = Math.random }: { readonly retryAfterMs?: number | undefined; readonly random?: () => number } = {},
): number {
  const grown = Math.min(pace.firstMs * 2 ** Math.min(waits, 30), pace.longestMs);
  return Math.round(Math.max(grown * (1 - JITTER + random() * JITTER), Math.min(retryAfterMs, pace.boundMs)));
}

/** The pause after a failed run: longer every time, never at the same moment as all others. */
export const backoffOf = (firstMs: number, attempt: number, random = Math.random): number =>
  Math.round(Math.min(firstMs * 2 ** Math.min(attempt - 1, 30), LONGEST_BACKOFF_MS) * (1 - JITTER + random() * JITTER));

const codeOf = (error: Error): string => ('code' in error && typeof error.code === 'string' ? error.code : '');

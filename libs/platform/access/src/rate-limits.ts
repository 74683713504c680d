import { Problem } from '@atrium/platform/kernel';
import type { Response } from 'express';
import type { RateClass, RoutePolicy } from './policy';

/** Whose request is counted: a caller of a workspace, or an address before anybody is known. */
export type RatedCaller =
  | {
      readonly tenant_id: string;
      /** The key, or the person who is signed in. */
      readonly caller: string;
      /** The person behind all keys and sessions. */
      readonly user_id: string;
      readonly key_rate_limit: number | null;
    }
  | { readonly address: string };

/** What a caller has left after one request. */
export interface RateStatus {
  readonly rl_class: string;
  readonly limit: number;
  readonly windowSeconds: number;
  readonly remaining: number;
  /** Seconds until the allowance is full again. */
  readonly resetSeconds: number;
  readonly exceeded: boolean;
}

/** Port to the context that limits rates: counts one request and answers the narrowest standing. At once where it can. */
export abstract class RateLimits {
  abstract countRequest(caller: RatedCaller, rateClass: RateClass): RateStatus | Promise<RateStatus>;
}

/** The class a route counts against. */
export const rateClassOf = (policy: RoutePolicy, method: string): RateClass =>
  policy.rate ?? (method === 'GET' || method === 'HEAD' ? 'read' : 'write');

/** Writes what is left into the headers of the answer; throws `rate_limited` when the allowance is used up. */
export function announceRateStatus(
  response: Response,
  { rl_class, limit, windowSeconds, remaining, resetSeconds, exceeded }: RateStatus,
): void {
  response.setHeader('RateLimit-Policy', `"${rl_class}";q=${limit};w=${windowSeconds}`);
  response.setHeader('RateLimit', `"${rl_class}";r=${remaining};t=${resetSeconds}`);
  if (exceeded)
    throw new Problem(
      'rate_limited',
      `The limit of ${limit} requests (${rl_class}) in ${windowSeconds} seconds has been reached. Try again in ${resetSeconds} seconds.`,
      { headers: { 'Retry-After': String(resetSeconds) } },
    );
}

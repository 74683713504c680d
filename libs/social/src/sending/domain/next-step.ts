import { HOUR, MINUTE, SECOND } from '@atrium/platform/kernel';
import type { SocialFailure } from '../../network/domain/social-failure';

/** What follows a failed step of an attempt. */
export type NextStep =
  | { readonly kind: 'retry'; readonly delayMs: number }
  | { readonly kind: 'fail'; readonly code: string; readonly retryable: boolean }
  | { readonly kind: 'unknown' };

/** What a variant says that had no turn in time. */
export const MISSED_WINDOW = {
  code: 'missed_window',
  message: 'The service could not send the post at its time, and it is too late now. Send it again if it is still wanted.',
  retryable: true,
} as const;

const MOST_TRIES = 5;
const PAUSES_MS = [2 * SECOND, 10 * SECOND, 30 * SECOND, MINUTE] as const;
/** Where the platform does not say how long to wait. */
const LIMITED_MS = [MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR] as const;

export interface StepFacts {
  /** How many attempts there were before this one. */
  readonly before: number;
  readonly now: Date;
  /** When the post is too late to be sent. */
  readonly lateAt: Date;
}

/** Decides by the kind of a failure; a create whose outcome nobody knows is never simply repeated. */
export function nextStepAfter(failure: SocialFailure, { before, now, lateAt }: StepFacts): NextStep {
  switch (failure.kind) {
    case 'unknown':
      return { kind: 'unknown' };
    case 'rate_limited':
      return inTime(pauseOf(failure) ?? LIMITED_MS[Math.min(before, LIMITED_MS.length - 1)] ?? HOUR, now, lateAt);
    case 'unavailable':
      return before + 1 >= MOST_TRIES
        ? { kind: 'fail', code: 'unavailable', retryable: true }
        : inTime(pauseOf(failure) ?? PAUSES_MS[Math.min(before, PAUSES_MS.length - 1)] ?? MINUTE, now, lateAt);
    case 'unauthorized':
    case 'invalid_grant':
      return { kind: 'fail', code: 'connection_revoked', retryable: true };
    case 'missing_scope':
      return { kind: 'fail', code: 'missing_scope', retryable: true };
    case 'duplicate':
      return { kind: 'fail', code: 'duplicate', retryable: false };
    case 'gone':
    case 'rejected':
      return { kind: 'fail', code: 'rejected', retryable: false };
  }
}

/** How long the platform wants to be left alone; never at once again. */
const pauseOf = ({ retryAfterMs }: SocialFailure): number | null => (retryAfterMs === null ? null : Math.max(retryAfterMs, SECOND));

const inTime = (delayMs: number, now: Date, lateAt: Date): NextStep =>
  now.getTime() + delayMs > lateAt.getTime() ? { kind: 'fail', code: 'missed_window', retryable: true } : { kind: 'retry', delayMs };

/** Pauses before the rounds that look for a post whose outcome is unknown. */
export const ROUND_PAUSES_MS = [30 * SECOND, 2 * MINUTE, 10 * MINUTE] as const;

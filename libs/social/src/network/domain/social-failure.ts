/** Why a call to a platform has not done what it was asked for. */
export type FailureKind =
  /** The token is not valid any more. */
  | 'unauthorized'
  /** The grant has ended and cannot be renewed. */
  | 'invalid_grant'
  /** The grant does not allow it. */
  | 'missing_scope'
  | 'rate_limited'
  /** The platform has the same post already. */
  | 'duplicate'
  /** It was refused for good. */
  | 'rejected'
  | 'gone'
  /** It was not done, and may be the next time. */
  | 'unavailable'
  /** The request left, and nobody knows whether it was done. */
  | 'unknown';

export interface FailureFacts {
  readonly http?: number | null;
  readonly request_id?: string | null;
  readonly retryAfterMs?: number | null;
  /** The post that a duplicate repeats. */
  readonly duplicate_of?: string | null;
}

/** A call to a platform that failed. The message is for people. */
export class SocialFailure extends Error {
  readonly http: number | null;
  readonly request_id: string | null;
  readonly retryAfterMs: number | null;
  readonly duplicate_of: string | null;

  constructor(
    readonly kind: FailureKind,
    message: string,
    { http = null, request_id = null, retryAfterMs = null, duplicate_of = null }: FailureFacts = {},
  ) {
    super(message);
    this.name = 'SocialFailure';
    this.http = http;
    this.request_id = request_id;
    this.retryAfterMs = retryAfterMs;
    this.duplicate_of = duplicate_of;
  }
}

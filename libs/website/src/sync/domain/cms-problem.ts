import { Problem, type ProblemCode } from '@atrium/platform/kernel';

/**
 * Why a CMS did not do what it was asked for. The list is closed: each reason is counted, shown and retried in one way. What `ends: 'tries'`
 * says passes, and has a code that `OutboundRetries` tries again.
 */
export const CMS_REASONS = {
  /** The token is wrong, expired or revoked. */
  unauthorized: { ends: 'run', code: 'unprocessable_content' },
  /** The token is right and may not do this. */
  missing_scope: { ends: 'run', code: 'unprocessable_content' },
  not_found: { ends: 'page', code: 'not_found' },
  /** It changed since it was read. */
  conflict_version: { ends: 'page', code: 'precondition_failed' },
  /** Another page here is linked to it. */
  already_linked: { ends: 'page', code: 'already_exists' },
  slug_taken: { ends: 'page', code: 'already_exists' },
  /** A person edits it at the CMS. */
  locked: { ends: 'page', code: 'invalid_state' },
  /** A block that other pages use would change; only force does that. */
  shared_block: { ends: 'page', code: 'invalid_state' },
  /** The CMS refuses the content. */
  refused_content: { ends: 'page', code: 'unprocessable_content' },
  unsupported_field: { ends: 'page', code: 'unprocessable_content' },
  /** The answer is not one that this CMS gives. */
  upstream_invalid: { ends: 'page', code: 'unprocessable_content' },
  too_large: { ends: 'page', code: 'unprocessable_content' },
  /** The list repeats its pages or has too many. */
  endless_list: { ends: 'run', code: 'unprocessable_content' },
  /** The address is not one that may be called. */
  refused_address: { ends: 'run', code: 'unprocessable_content' },
  rate_limited: { ends: 'tries', code: 'upstream_failed' },
  timeout: { ends: 'tries', code: 'upstream_timeout' },
  unavailable: { ends: 'tries', code: 'upstream_failed' },
} as const satisfies Record<string, { readonly ends: 'run' | 'page' | 'tries'; readonly code: ProblemCode }>;

export type CmsReason = keyof typeof CMS_REASONS;

export interface CmsProblemExtras {
  /** Seconds that the CMS asks to wait. */
  readonly retryAfter?: number | undefined;
  /** The field of the page or schema that is at fault, as the CMS or the mapping names it. */
  readonly field?: string | undefined;
  /** Whether the request may have been carried out although no answer came. */
  readonly isUncertain?: boolean;
}

/** A refusal or failure of a CMS, in words that can be shown. */
export class CmsProblem extends Problem {
  readonly retryAfter: number | undefined;
  readonly field: string | undefined;
  readonly isUncertain: boolean;

  constructor(
    readonly reason: CmsReason,
    detail: string,
    { retryAfter, field, isUncertain = false }: CmsProblemExtras = {},
  ) {
    super(CMS_REASONS[reason].code, detail, {
      ...(retryAfter === undefined ? {} : { headers: { 'Retry-After': String(Math.max(1, Math.ceil(retryAfter))) } }),
      ...(field === undefined ? {} : { errors: [{ path: field, code: reason, message: detail }] }),
    });
    this.name = 'CmsProblem';
    this.retryAfter = retryAfter;
    this.field = field;
    this.isUncertain = isUncertain;
  }

  /** Whether the same request may succeed a moment later. */
  get mayPass(): boolean {
    return CMS_REASONS[this.reason].ends === 'tries';
  }

  /** Whether no further page of the run would fare better. */
  get endsRun(): boolean {
    return CMS_REASONS[this.reason].ends === 'run';
  }

  /** Whether the credentials no longer work, so that the connection counts as revoked. */
  get isRevoked(): boolean {
    return this.reason === 'unauthorized' || this.reason === 'missing_scope';
  }
}

import { withArticle } from './article';

/** The closed list of error codes, each with its HTTP status and title. */
export const PROBLEMS = {
  validation_failed: { status: 400, title: 'The request is not valid' },
  malformed_json: { status: 400, title: 'The body is not valid JSON' },
  tenant_required: { status: 400, title: 'A workspace is required' },
  unauthenticated: { status: 401, title: 'Authentication is required' },
  credits_exhausted: { status: 402, title: 'The workspace has no credits left' },
  permission_denied: { status: 403, title: 'Access is denied' },
  license_required: { status: 403, title: 'A module is not licensed' },
  tenant_forbidden: { status: 403, title: 'You have no access to this workspace' },
  not_found: { status: 404, title: 'Not found' },
  method_not_allowed: { status: 405, title: 'The method is not allowed here' },
  not_acceptable: { status: 406, title: 'No acceptable representation' },
  already_exists: { status: 409, title: 'It already exists' },
  invalid_state: { status: 409, title: 'Not possible in the current state' },
  invalid_move: { status: 409, title: 'The move is not possible' },
  in_use: { status: 409, title: 'It is in use' },
  limit_reached: { status: 409, title: 'A limit has been reached' },
  idempotency_in_progress: { status: 409, title: 'The same request is still running' },
  gone: { status: 410, title: 'It is no longer available' },
  precondition_failed: { status: 412, title: 'It has changed since you read it' },
  payload_too_large: { status: 413, title: 'The payload is too large' },
  unsupported_media_type: { status: 415, title: 'The media type is not supported' },
  idempotency_mismatch: { status: 422, title: 'The idempotency key belongs to another request' },
  unprocessable_content: { status: 422, title: 'The content cannot be processed' },
  precondition_required: { status: 428, title: 'A precondition is required' },
  rate_limited: { status: 429, title: 'Too many requests' },
  internal_error: { status: 500, title: 'Something went wrong on our side' },
  not_configured: { status: 501, title: 'The feature is not configured' },
  upstream_failed: { status: 502, title: 'An external service failed' },
  service_unavailable: { status: 503, title: 'The service is temporarily unavailable' },
  upstream_timeout: { status: 504, title: 'An external service did not respond in time' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ProblemCode = keyof typeof PROBLEMS;

/** One fault of a rejected request: its path (`file_repo.thread`), its code, and a sentence for people. */
export interface FieldFault {
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

/** Most faults that one answer lists. */
export const MOST_FAULTS = 50;

export interface ProblemExtras {
  /** A title that is more specific than that of the code. */
  readonly title?: string;
  /** The first of them are kept, at most `MOST_FAULTS`. */
  readonly errors?: readonly FieldFault[];
  /** Response headers of the problem, such as `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** It was measured: the same request may have another answer a moment later, although nothing has changed. */
  readonly isMeasured?: boolean;
}

/**
 * The only error that may leave the service. Its detail is a sentence a caller can act on; it never contains a stack, SQL or an
 * internal name.
 */
export class Problem extends Error {
  readonly status: number;
  readonly title: string;
  readonly errors: readonly FieldFault[] | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** Whether the same request may have another answer a moment later, although nothing has changed. */
  readonly isMeasured: boolean;

  constructor(
    readonly code: ProblemCode,
    readonly detail: string,
    extras: ProblemExtras = {},
  ) {
    super(detail);
    this.name = 'Problem';
    this.status = PROBLEMS[code].status;
    this.title = extras.title ?? PROBLEMS[code].title;
    this.errors = extras.errors?.slice(0, MOST_FAULTS);
    this.headers = extras.headers ?? {};
    this.isMeasured = extras.isMeasured ?? false;
  }
}

/** A row that does not exist, belongs to another workspace or may not be read: the answer is the same for all three. */
export const notFound = (what: string): Problem => new Problem('not_found', `No such ${what} in this workspace.`);

/** What is sent is there already, by the field that has to be unique. */
export const alreadyExists = (path: string, detail: string): Problem =>
  new Problem('already_exists', detail, { errors: [{ path, code: 'unique', message: detail }] });

/** A request rejected because of one field. */
export const invalidField = (path: string, message: string, code = 'invalid'): Problem =>
  new Problem('validation_failed', `${path}: ${message}`, { errors: [{ path, code, message }] });

/** A request rejected because of several fields. */
export const invalidFields = (errors: readonly FieldFault[]): Problem =>
  new Problem(
    'validation_failed',
    errors.length === 1
      ? `${errors[0]?.path}: ${errors[0]?.message}`
      : `${errors.length} fields are not valid; see errors${errors.length > MOST_FAULTS ? ` for the first ${MOST_FAULTS}` : ''}.`,
    { errors },
  );

/** A request rejected because an id in its body names nothing that the caller can read: 404 is for ids in the path. */
export const unknownReference = (path: string, what: string): Problem =>
  invalidField(path, `must be ${withArticle(what)} that you can read`, 'reference');

/** The same for a list of ids: the places of those that are not known, which are all unless some are. */
export const unknownReferences = (path: string, what: string, ids: readonly string[], known: ReadonlySet<string> = new Set()): Problem =>
  invalidFields(
    ids.flatMap((id, at) =>
      known.has(id.toLowerCase())
        ? []
        : [{ path: `${path}[${at}]`, code: 'reference', message: `must be ${withArticle(what)} that you can read` }],
    ),
  );

/** How an id that the caller may not read is refused. */
const UNREADABLE: readonly ProblemCode[] = ['not_found', 'permission_denied', 'license_required'];

/**
 * What the work makes of an id in the body; an id that it does not find is a fault of the field. Where the work does no more than
 * `look`, so is one that the caller may not read, so that nobody learns whether it exists.
 */
export async function resolveReference<T>(path: string, what: string, work: () => Promise<T>, { look = false } = {}): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isUnknown = error instanceof Problem && (look ? UNREADABLE.includes(error.code) : error.code === 'not_found');
    throw isUnknown ? unknownReference(path, what) : error;
  }
}

/**
 * Not possible yet, but without a change to the request later: it names the seconds after which to ask again, and the answer is not kept
 * under the `Idempotency-Key` of the request.
 */
export const notYet = (detail: string, seconds: number, code: ProblemCode = 'invalid_state'): Problem =>
  new Problem(code, detail, afterSeconds(seconds));

/** What a problem names that passes: the seconds after which to ask again, one at least. */
export const afterSeconds = (seconds: number): Pick<ProblemExtras, 'headers'> => ({
  headers: { 'Retry-After': String(Math.max(1, Math.ceil(seconds))) },
});

/** The subject is in a state that does not allow the action. */
export const invalidState = (detail: string): Problem => new Problem('invalid_state', detail);

/** For refusals that no permission of the catalog would lift: the sentence says what is not allowed, or who is. */
export const accessDenied = (sentence: string, extras: ProblemExtras = {}): Problem => new Problem('permission_denied', sentence, extras);

import { Problem } from '@atrium/platform/kernel';
import { QueryFailedError } from 'typeorm';

interface PostgresError {
  readonly code?: string;
  readonly constraint?: string;
  readonly message: string;
}

/** Recognized by its shape: an error of a socket need not be an instance of this realm's Error. */
function driverError(error: unknown): PostgresError | undefined {
  const cause: unknown = error instanceof QueryFailedError ? error.driverError : error;
  return typeof cause === 'object' && cause !== null && 'message' in cause ? (cause as PostgresError) : undefined;
}

const UNIQUE_VIOLATION = '23505';
const FOREIGN_KEY_VIOLATION = '23503';
const CHECK_VIOLATION = '23514';
const STATEMENT_TIMEOUT = '57014';
const SERIALIZATION_FAILURE = '40001';
const DEADLOCK = '40P01';
const LOCK_TIMEOUT = '55P03';
/** Raised by demand_stamp. */
const GATE_FAILURE = 'AT001';
/** Raised by keep_outcome. */
const CLAIM_LAPSED = 'AT002';
const INPUT_CODES = new Set(['22P02', '22021', '22P05', '22003', '22007', '22008']);
const SOCKET_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'ENOENT']);
const LOSS_MESSAGES =
  /connection terminated|timeout exceeded when trying to connect|connection timeout|client has encountered a connection error|server closed the connection|connection error and is not queryable|driver not connected/i;

/** Whether the connection itself was lost or refused: the server restarts, fails over or is full. */
export function isConnectionLoss(error: unknown): boolean {
  const cause = driverError(error);
  if (!cause) return false;
  const code = cause.code ?? '';
  return SOCKET_CODES.has(code) || /^(08|57P|53)/.test(code) || LOSS_MESSAGES.test(cause.message);
}

/**
 * Another unit of work has written what this one found missing: it is repeated as after a deadlock, and then finds it. If that
 * does not help, the cause is what is answered.
 */
export class LostRace extends Error {
  readonly code = SERIALIZATION_FAILURE;

  constructor(cause?: unknown) {
    super('Another unit of work was ahead.', { cause });
    this.name = 'LostRace';
  }
}

export const isRetryable = (error: unknown): boolean => {
  const code = driverError(error)?.code;
  return code === DEADLOCK || code === SERIALIZATION_FAILURE;
};

/** Whether a lock was not to be had in time, or only by two that wait for each other. */
export const isLockFailure = (error: unknown): boolean => {
  const code = driverError(error)?.code;
  return code === LOCK_TIMEOUT || code === DEADLOCK;
};

/** Whether the caller's gate refused the transaction. */
export const isGateFailure = (error: unknown): boolean => driverError(error)?.code === GATE_FAILURE;

/** The violations that problems were made of: a service that has the constraint says more than `toProblem` can. */
const violations = new WeakMap<Problem, PostgresError | undefined>();

/** Whether the error is the violation of the named constraint, so that a service can say what it means; also after the unit of work. */
export const violatesConstraint = (error: unknown, constraint: string): boolean => {
  const cause = error instanceof Problem ? violations.get(error) : driverError(error);
  return cause?.constraint === constraint && [UNIQUE_VIOLATION, FOREIGN_KEY_VIOLATION, CHECK_VIOLATION].includes(cause.code ?? '');
};

/** A database failure in the words of the API; an unknown failure is left as it is and is answered with 500. */
export function toProblem(error: unknown): unknown {
  if (error instanceof Problem) return error;
  if (error instanceof LostRace && error.cause !== undefined) return toProblem(error.cause);
  if (isConnectionLoss(error)) return unavailable('The database is not reachable at the moment. Try again shortly.');
  const code = driverError(error)?.code ?? '';
  if (code === STATEMENT_TIMEOUT) return unavailable('The request took too long. Narrow it, or try again.');
  if (code === DEADLOCK || code === SERIALIZATION_FAILURE || code === LOCK_TIMEOUT)
    return unavailable('Other requests are changing the same rows. Try again.');
  if (code === CLAIM_LAPSED)
    return new Problem('idempotency_in_progress', 'Another request with this Idempotency-Key has taken over.', {
      headers: { 'Retry-After': '1' },
    });
  if (code === UNIQUE_VIOLATION) return ofViolation(error, new Problem('already_exists', 'A resource with these values already exists.'));
  if (code === FOREIGN_KEY_VIOLATION)
    return ofViolation(
      error,
      new Problem('validation_failed', 'A resource named in the request does not exist.', {
        errors: [{ path: '', code: 'reference', message: 'does not exist in this workspace' }],
      }),
    );
  if (INPUT_CODES.has(code)) return new Problem('validation_failed', 'A value has a format that cannot be stored.');
  return error;
}

function ofViolation(error: unknown, problem: Problem): Problem {
  violations.set(problem, driverError(error));
  return problem;
}

const unavailable = (detail: string): Problem => new Problem('service_unavailable', detail, { headers: { 'Retry-After': '1' } });

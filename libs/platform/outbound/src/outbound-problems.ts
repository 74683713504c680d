import { Problem } from '@atrium/platform/kernel';
import { errors } from 'undici';

const TIMEOUTS = [errors.ConnectTimeoutError, errors.HeadersTimeoutError, errors.BodyTimeoutError];
const BAD_REQUESTS = [errors.InvalidArgumentError, errors.RequestContentLengthMismatchError];

const isDeadline = (error: unknown): boolean => typeof error === 'object' && error !== null && 'name' in error && error.name === 'TimeoutError';
const isOneOf = (error: unknown, types: readonly (abstract new (...given: never[]) => unknown)[]): boolean => types.some((type) => error instanceof type);

/** A failed exchange in the words of the API: what the caller may know, and nothing of sockets or our network. */
export function outboundProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (isDeadline(error) || isOneOf(error, TIMEOUTS)) return new Problem('upstream_timeout', 'The address did not answer in time.');
  if (error instanceof errors.ResponseExceededMaxSizeError) return new Problem('unprocessable_content', 'The answer of the address is larger than this service accepts.');
  if (isOneOf(error, BAD_REQUESTS)) return new Problem('unprocessable_content', 'The request can not be sent: its method or a header is not valid.');
  return new Problem('upstream_failed', 'The address could not be reached, or broke off its answer.');
}

export const tooManyRedirects = (): Problem => new Problem('upstream_failed', 'The address redirects too often.');
export const unrepeatableBody = (): Problem => new Problem('upstream_failed', 'The address redirects an upload, which can not be sent twice.');

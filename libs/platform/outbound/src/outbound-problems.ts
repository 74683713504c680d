import { Problem } from '@atrium/platform/kernel';

/** Codes of the client's errors; it is loaded with the first request, its classes are not known before. */
const TIMEOUTS = ['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'];
const BAD_REQUESTS = ['UND_ERR_INVALID_ARG', 'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH'];
const TOO_LARGE = 'UND_ERR_RES_EXCEEDED_MAX_SIZE';

const isDeadline = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'name' in error && error.name === 'TimeoutError';
const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' ? error.code : '';

/** A failed exchange in the words of the API: without details of sockets or of our network. */
export function outboundProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const code = codeOf(error);
  if (isDeadline(error) || TIMEOUTS.includes(code)) return new Problem('upstream_timeout', 'The address did not respond in time.');
  if (code === TOO_LARGE) return new Problem('unprocessable_content', 'The response of the address is larger than this service accepts.');
  if (BAD_REQUESTS.includes(code))
    return new Problem('unprocessable_content', 'The request cannot be sent: its method or a header is not valid.');
  return new Problem('upstream_failed', 'The address could not be reached, or its response was interrupted.');
}

export const tooManyRedirects = (): Problem => new Problem('upstream_failed', 'The address redirects too often.');
export const unrepeatableBody = (): Problem =>
  new Problem('upstream_failed', 'The address redirects an upload, which cannot be sent twice.');

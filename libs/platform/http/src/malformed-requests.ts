import { STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { newId, PROBLEMS, type ProblemCode } from '@atrium/platform/kernel';

const PROBLEM_OF: Readonly<Record<string, readonly [ProblemCode, string]>> = {
  HPE_HEADER_OVERFLOW: ['validation_failed', 'The headers or the URL are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['validation_failed', 'The request did not arrive in time.'],
};
const MALFORMED = ['validation_failed', 'The HTTP request is malformed.'] as const;

/**
 * What never becomes a request (a broken request line, header or chunk) is answered with a problem too, and the
 * connection ends. An unknown expectation is ignored instead of being rejected with an empty 417.
 */
export function answerMalformed(server: Server): void {
  server.on('clientError', (error: Error & { readonly code?: string }, socket: Duplex) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    const [code, detail] = PROBLEM_OF[error.code ?? ''] ?? MALFORMED;
    socket.end(problemMessage(code, detail));
  });
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => void server.emit('request', request, response));
}

/** A whole answer, for a connection on which no request has come to be. It is the last one. */
export function problemMessage(code: ProblemCode, detail: string): string {
  const request_id = newId();
  const { status, title } = PROBLEMS[code];
  const body = JSON.stringify({ type: `/problems/${code}`, title, status, detail, instance: '/', code, request_id });
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'Content-Type: application/problem+json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${request_id}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}

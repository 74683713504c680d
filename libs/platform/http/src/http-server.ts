import { createServer, type RequestListener, type Server } from 'node:http';
import type { Settings } from '@atrium/platform/config';
import { Problem, SECOND } from '@atrium/platform/kernel';
import type { Request, RequestHandler, Response } from 'express';
import { problemMessage } from './malformed-requests';
import { API_PREFIX } from './paths';

const CHECK_MS = SECOND;
const LATE = 'The request did not arrive in time.';

/** A server that hands every request to the application, one without a Host too, so that it is refused with a problem like any other. */
export const openServer = (listener: RequestListener): Server =>
  createServer({ requireHostHeader: false, connectionsCheckingInterval: CHECK_MS }, listener);

/** How long the server waits for others: for the headers of a request, and for the next request on a kept connection. Bodies have limits of their own. */
export function limitWaiting(server: Server, { REQUEST_HEADERS_SECONDS, KEEP_ALIVE_SECONDS }: Settings): void {
  server.headersTimeout = REQUEST_HEADERS_SECONDS * SECOND;
  server.requestTimeout = 0;
  server.keepAliveTimeout = KEEP_ALIVE_SECONDS * SECOND;
}

export const hasBody = ({ headers }: Request): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Ends requests whose body does not come: one of the API is whole within the time, the bytes of a file may take long but not pause for it. */
export function limitBodies({ REQUEST_BODY_SECONDS }: Settings): RequestHandler {
  return (request, response, next) => {
    if (hasBody(request)) {
      const isSmall = request.url.startsWith(`/${API_PREFIX}/`);
      let received = request.socket.bytesRead;
      const timer = setInterval(() => {
        if (request.complete) return void clearInterval(timer);
        if (isSmall || received === request.socket.bytesRead) refuseLate(request, response);
        received = request.socket.bytesRead;
      }, REQUEST_BODY_SECONDS * SECOND).unref();
      const done = (): void => clearInterval(timer);
      request.once('end', done);
      response.once('close', done);
    }
    next();
  };
}

function refuseLate(request: Request, response: Response): void {
  const { status } = new Problem('validation_failed', LATE);
  const { socket } = request;
  if (response.headersSent) return void socket.destroy();
  response.statusCode = status;
  socket.end(problemMessage('validation_failed', LATE), () => socket.destroy());
}

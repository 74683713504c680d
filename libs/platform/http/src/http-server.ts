import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf, OPERATOR_PREFIX } from '@atrium/platform/access';
import type { Settings } from '@atrium/platform/config';
import { Problem, SECOND } from '@atrium/platform/kernel';
import type { Request, RequestHandler, Response } from 'express';
import { problemMessage } from './malformed-requests';
import { API_PREFIX } from './paths';
import { ShareNotice } from './share-notice';

const CHECK_MS = SECOND;
const LATE = 'The request did not arrive in time.';
/** What is left of a body that nobody reads is thrown away for so long, and so many bytes of it: a connection that is cut at once may lose the answer. */
const LEFTOVER_MS = 5 * SECOND;
const LEFTOVER_BYTES = 16 * 1024 * 1024;
const LEFTOVER_CHECK_MS = SECOND / 50;

/** A server that hands every request to the application, one without a Host too, so that it is refused with a problem like any other. */
export const openServer = (listener: RequestListener): Server =>
  createServer({ requireHostHeader: false, connectionsCheckingInterval: CHECK_MS }, listener).on('checkContinue', (request, response) => {
    // The body of an operation is asked for when its caller has been let in.
    if (!isOperation(request)) response.writeContinue();
    listener(request, response);
  });

const isOperation = ({ url = '' }: IncomingMessage): boolean => url.startsWith(`/${API_PREFIX}/`) || url.startsWith(`/${OPERATOR_PREFIX}/`);

/** How many connections the server has at one time, and how long it waits for others: for the headers of a request, and for the next request on a kept connection. Bodies have limits of their own. */
export function limitWaiting(server: Server, { MAX_CONNECTIONS, REQUEST_HEADERS_SECONDS, KEEP_ALIVE_SECONDS }: Settings): void {
  server.maxConnections = MAX_CONNECTIONS;
  server.headersTimeout = REQUEST_HEADERS_SECONDS * SECOND;
  server.requestTimeout = 0;
  server.keepAliveTimeout = KEEP_ALIVE_SECONDS * SECOND;
}

/** Closes connections from one network beyond half of all, so that no caller holds them all. Those of proxies are of many callers. */
export function shareConnections(server: Server, { MAX_CONNECTIONS }: Settings, isProxy: (address: string) => boolean): void {
  const share = Math.max(1, Math.floor(MAX_CONNECTIONS / 2));
  const held = new Map<string, number>();
  const notice = new ShareNotice('connections');
  server.on('connection', (socket: Socket) => {
    const { remoteAddress: address } = socket;
    if (address === undefined || isProxy(address)) return;
    const network = networkOf(address);
    const count = held.get(network) ?? 0;
    if (count >= share) {
      notice.warnShareReached(network);
      return void socket.destroy();
    }
    held.set(network, count + 1);
    socket.once('close', () => {
      const left = (held.get(network) ?? 1) - 1;
      if (left > 0) held.set(network, left);
      else held.delete(network);
    });
  });
}

/** Whether a request waits to be asked for its body, as the server decides it. */
export const waitsForContinue = ({ headers }: IncomingMessage): boolean => /(?:^|\W)100-continue(?:$|\W)/i.test(headers.expect ?? '');

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
      response.once('finish', () => throwAwayRest(request)).once('close', done);
    }
    next();
  };
}

/** The request has been answered before its body was read, or read to its end. */
function throwAwayRest(request: IncomingMessage): void {
  if (request.complete) return;
  const { socket } = request;
  const [from, began] = [socket.bytesRead, performance.now()];
  request.resume();
  // The server emits no data of a body that was answered, so the bytes are looked at often: a fast sender sends 10 MB in this time.
  const timer = setInterval(() => {
    if (!request.complete && !socket.destroyed) {
      if (performance.now() - began < LEFTOVER_MS && socket.bytesRead - from < LEFTOVER_BYTES) return;
      socket.destroy();
    }
    clearInterval(timer);
  }, LEFTOVER_CHECK_MS).unref();
}

function refuseLate(request: Request, response: Response): void {
  const { status } = new Problem('validation_failed', LATE);
  const { socket } = request;
  if (response.headersSent) return void socket.destroy();
  response.statusCode = status;
  socket.end(problemMessage('validation_failed', LATE), () => socket.destroy());
}

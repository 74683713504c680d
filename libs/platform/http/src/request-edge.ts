import { Injectable } from '@nestjs/common';
import { newId, Problem } from '@atrium/platform/kernel';
import { runInScope, runUntil, SYSTEM_ACTOR, type CallScope } from '@atrium/platform/database';
import type { PrincipalCarrier } from '@atrium/platform/access';
import type { Metrics } from '@atrium/platform/observability';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { BodyHolder } from './body-intake';
import type { RoutedRequest } from './indexed-express.adapter';
import { operationOf, type StruckRequests } from './struck-requests';

const SAFE_REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;
const TRACEPARENT = /^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

/** One finished request, as the access log and metrics see it. */
export interface FinishedRequest {
  readonly request: Request & PrincipalCarrier & RoutedRequest;
  readonly status: number;
  readonly started: Date;
  readonly milliseconds: number;
  readonly scope: CallScope;
}

/** Keeps a log of requests. Called after the answer has been sent; must not throw or wait. */
export type AccessRecorder = (finished: FinishedRequest) => void;

/** A handler outside the API, such as the signed bytes of the disk store: it answers and returns true, or leaves the request alone. */
export interface RawEndpoint {
  /** Path below which pages of every origin may read, as with `@AnyOrigin()`: `/w`. */
  readonly anyOriginUnder?: string;
  /** Path of the API, `/api/v1/delivery/`: what of it the endpoint can answer by itself does not come to its routes. */
  readonly inFrontOf?: string;
  handleRequest(request: Request, response: Response): Promise<boolean>;
}

/** Where other rooms and contexts hook into the edge of the host; they register when their module starts. */
@Injectable()
export class Edge {
  readonly recorders: AccessRecorder[] = [];
  readonly endpoints: RawEndpoint[] = [];
  private readonly answering = new Set<Response>();
  private readonly drained: (() => void)[] = [];
  private draining = false;
  private leaving = false;

  /** What is being answered. */
  get inFlight(): ReadonlySet<Response> {
    return this.answering;
  }

  /** Whether the host is about to end. */
  get isDraining(): boolean {
    return this.draining;
  }

  /** The host is about to end: it says that it is not ready. */
  beginDraining(): void {
    this.draining = true;
    for (const listener of this.drained.splice(0)) listener();
  }

  /** Runs when the host is about to end: an answer that would go on for long ends now, for its caller finds another host. */
  onDrain(listener: () => void): void {
    this.drained.push(listener);
  }

  /** From now on every answer closes its connection, also those that are in flight. */
  closeAfterAnswers(): void {
    this.leaving = true;
    for (const response of this.answering) closeAfter(response);
  }

  /** A request is in flight until `endRequest`. */
  beginRequest(response: Response): void {
    this.answering.add(response);
    if (this.leaving) closeAfter(response);
  }

  endRequest(response: Response): void {
    this.answering.delete(response);
  }

  recordWith(recorder: AccessRecorder): void {
    this.recorders.push(recorder);
  }

  mountEndpoint(endpoint: RawEndpoint): void {
    this.endpoints.push(endpoint);
  }
}

function closeAfter(response: Response): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}

/** Aborted when the connection of a request closes before it is answered. Most requests never ask for it. */
export function endingOf(response: Pick<Response, 'once' | 'closed' | 'writableFinished'>): () => AbortSignal {
  let made: AbortController | undefined;
  return () => {
    if (made) return made.signal;
    const ending = (made = new AbortController());
    const end = (): void => {
      if (!response.writableFinished) ending.abort(brokenOff());
    };
    if (response.closed) end();
    else response.once('close', end);
    return ending.signal;
  };
}

/** Nobody reads it; it is not kept for a request that is sent again. */
const brokenOff = (): Problem =>
  new Problem('service_unavailable', 'The connection was closed before the response. Send the request again.', {
    headers: { 'Retry-After': '1' },
  });

/** First in line: gives the request its id, its trace and its scope, and informs the recorders when it ends. */
export function requestEdge(metrics: Metrics, edge: Edge, struck: StruckRequests): RequestHandler {
  return (request: Request & PrincipalCarrier & RoutedRequest & BodyHolder, response: Response, next: NextFunction): void => {
    const started = new Date();
    const clock = performance.now();
    const given = request.headers['x-request-id'];
    const trace = request.headers.traceparent;
    const scope: CallScope = {
      tenant_id: null,
      actor: SYSTEM_ACTOR,
      request_id: typeof given === 'string' && SAFE_REQUEST_ID.test(given) ? given : newId(),
      traceparent: typeof trace === 'string' && TRACEPARENT.test(trace) ? trace : undefined,
      address: () => request.ip,
    };
    response.setHeader('X-Request-Id', scope.request_id);
    edge.beginRequest(response);
    response.once('close', () => {
      edge.endRequest(response);
      request.arrived?.release();
      const milliseconds = performance.now() - clock;
      metrics.requestEnded(request.method, request.routePattern ?? 'none', response.statusCode, milliseconds / 1_000);
      for (const record of edge.recorders) record({ request, status: response.statusCode, started, milliseconds, scope });
    });
    const nameless = request.headers.host === undefined && request.httpVersion === '1.1';
    runInScope(
      scope,
      () => (nameless ? next(new Problem('validation_failed', 'Send a Host header.')) : runUntil(endingOf(response), next)),
      () => ({ kind: 'request', operation: operationOf(request), id: struck.toFingerprint(request, scope.tenant_id) }),
    );
  };
}

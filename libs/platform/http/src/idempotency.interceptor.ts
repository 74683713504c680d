import { createHash } from 'node:crypto';
import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { requireScope } from '@atrium/platform/database';
import { Problem, type ProblemCode } from '@atrium/platform/kernel';
import type { PrincipalCarrier } from '@atrium/platform/access';
import type { Request, Response } from 'express';
import { catchError, finalize, from, mergeMap, of, throwError, type Observable } from 'rxjs';
import { ANSWER, SECRET_ANSWER, type AnswerShape } from './answers';
import type { RoutedRequest } from './indexed-express.adapter';
import { KeptOutcomes, type KeyedRequest, type Outcome } from './kept-outcomes';

const MAX_KEY = 255;

/** Refusals that come of what is stored: absent, in conflict, gone, changed meanwhile, unusable. */
const REFUSALS: ReadonlySet<number> = new Set([404, 409, 410, 412, 422]);

/**
 * `Idempotency-Key` on a POST: the first outcome is kept a day for the workspace, the caller and the route, and replayed.
 * A created resource is kept in the transaction that creates it, so that the two exist together even when the process
 * ends before it answers; every other outcome right after. What was refused before it began (bad input, missing rights)
 * or failed on our side is not an outcome; the key stays free. An answer that shows a secret is kept sealed.
 */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  constructor(
    private readonly outcomes: KeptOutcomes,
    private readonly reflector: Reflector,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request & PrincipalCarrier & RoutedRequest>();
    const key = request.headers['idempotency-key'];
    // A handler that streams its answer itself declares none here; there is nothing to keep.
    const shape = this.reflector.get<AnswerShape | undefined>(ANSWER, context.getHandler());
    if (request.method !== 'POST' || key === undefined || !request.principal || !shape) return next.handle();
    const response = http.getResponse<Response>();
    const keyed: KeyedRequest = {
      key: keyOf(key),
      route: `${request.method} ${request.routePattern ?? request.path}`,
      user_id: request.principal.user_id,
      fingerprint: fingerprintOf(request),
      secret: this.reflector.get<unknown>(SECRET_ANSWER, context.getHandler()) === true,
      leading: [...(shape.location ?? '').matchAll(/\{(\w+)\}/g)].map(([, field = '']) => field),
    };
    return from(this.outcomes.claim(keyed)).pipe(mergeMap((kept) => (kept ? of(replay(response, kept)) : this.first(keyed, shape, next, response))));
  }

  private first(keyed: KeyedRequest, shape: AnswerShape, next: CallHandler, response: Response): Observable<unknown> {
    const scope = requireScope();
    let written: string | undefined;
    scope.concluding = (value) => {
      if (!leadsTo(keyed, value)) return null;
      written = JSON.stringify(value);
      return this.outcomes.keeping(keyed, { status: shape.status, body: value });
    };
    return next.handle().pipe(
      mergeMap((body: unknown) => {
        scope.concluding = undefined;
        const isKept = written !== undefined && response.statusCode === shape.status && written === JSON.stringify(body);
        return isKept ? of(body) : from(this.outcomes.keep(keyed, { status: response.statusCode, body }).then(() => body));
      }),
      catchError((error: unknown) => {
        scope.concluding = undefined;
        return from(this.settleFailure(keyed, error)).pipe(mergeMap(() => throwError(() => error)));
      }),
      finalize(() => (scope.concluding = undefined)),
    );
  }

  /** A refusal by the state of things is an outcome; one by form, rights or our own failure frees the key. */
  private settleFailure(keyed: KeyedRequest, error: unknown): Promise<unknown> {
    const settled =
      error instanceof Problem && REFUSALS.has(error.status) ? this.outcomes.keep({ ...keyed, secret: false }, { status: error.status, body: { code: error.code, detail: error.detail } }) : this.outcomes.release(keyed);
    return settled.catch(() => {
      throw error;
    });
  }
}

/** Whether a unit of work has made the very resource that the route answers with. */
const leadsTo = ({ leading }: KeyedRequest, value: unknown): boolean =>
  leading.length > 0 && typeof value === 'object' && value !== null && leading.every((field) => (value as Record<string, unknown>)[field] !== undefined);

function keyOf(header: string | string[]): string {
  if (typeof header !== 'string' || header.length === 0 || header.length > MAX_KEY || /[^\x20-\x7e]/.test(header)) {
    throw new Problem('validation_failed', `Idempotency-Key takes 1 to ${MAX_KEY} printable ASCII characters.`, { errors: [{ path: 'Idempotency-Key', code: 'pattern', message: 'is not valid' }] });
  }
  return header;
}

const fingerprintOf = (request: Request): string => createHash('sha256').update(`${request.method} ${request.originalUrl}\n${JSON.stringify(request.body ?? null)}`).digest('hex');

function replay(response: Response, { status, body }: Outcome): unknown {
  response.setHeader('Idempotent-Replayed', 'true');
  if (REFUSALS.has(status)) {
    const { code, detail } = body as { code: ProblemCode; detail: string };
    throw new Problem(code, detail);
  }
  response.status(status);
  return body;
}

import { createHash, createHmac } from 'node:crypto';
import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { ModuleRef, Reflector } from '@nestjs/core';
import { requireScope } from '@atrium/platform/database';
import { Problem, type ProblemCode } from '@atrium/platform/kernel';
import { bodyTypeOf, type Principal, type PrincipalCarrier } from '@atrium/platform/access';
import { Keyring } from '@atrium/platform/config';
import type { Request, Response } from 'express';
import { catchError, finalize, from, mergeMap, of, throwError, type Observable } from 'rxjs';
import { ANSWER, KEPT_AS, RENEWAL, SECRET_ANSWER, type AnswerShape, type KeptAnswer, type Renewal } from './answers';
import { secretsOf } from './body-bounds';
import { EventAnswer } from './event-stream';
import type { RoutedRequest } from './indexed-express.adapter';
import { IdempotentOutcomes, type Claim, type KeyedRequest } from './idempotent-outcomes';

const MAX_KEY = 255;
const FINGERPRINTS = 'idempotency-fingerprint';

/** Refusals that depend on stored data: absent, in conflict, removed, changed since, unusable. */
const REFUSALS: ReadonlySet<number> = new Set([404, 409, 410, 412, 422]);

/**
 * `Idempotency-Key` on a POST: the first outcome is kept a day for the workspace, the caller and the route, and replayed.
 * A created resource is kept in the transaction that creates it, so that the two exist together even when the process
 * ends before it answers; every other outcome right after. What was refused before it began (bad input, missing rights)
 * or failed on our side is not an outcome; the key stays free. An answer that shows a secret is kept sealed, and of one
 * that shows signed addresses only the resource is kept: a replay signs them again (`@Renews`).
 */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  private readonly secretive = new WeakMap<Function, boolean>();

  constructor(
    private readonly outcomes: IdempotentOutcomes,
    private readonly reflector: Reflector,
    private readonly modules: ModuleRef,
    private readonly keyring: Keyring,
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
      fingerprint: this.fingerprintOf(request, context),
      secret: this.reflector.get<unknown>(SECRET_ANSWER, context.getHandler()) === true,
      leading: [...(shape.location ?? '').matchAll(/\{(\w+)\}/g)].map(([, field = '']) => field),
    };
    const renewal = this.reflector.get<Renewal | undefined>(RENEWAL, context.getHandler());
    const keptAs =
      this.reflector.get<Shaping | undefined>(KEPT_AS, context.getHandler()) ??
      ((value: object) => (leadsTo(keyed, value) ? { status: shape.status, body: value } : undefined));
    const { principal } = request;
    return from(this.outcomes.claimKey(keyed)).pipe(
      mergeMap((outcome) =>
        'id' in outcome
          ? this.first({ claim: outcome, keptAs, renewal }, next, response)
          : from(this.replayed(outcome, renewal && { renewal, principal }, response)),
      ),
    );
  }

  /** Of a body with a secret, one that nobody can try guesses on who has the row alone. */
  private fingerprintOf(request: Request, context: ExecutionContext): string {
    const said = `${request.method} ${request.originalUrl}\n${JSON.stringify(request.body ?? null)}`;
    const hash = this.takesSecrets(context) ? createHmac('sha256', this.keyring.key(FINGERPRINTS)) : createHash('sha256');
    return hash.update(said).digest('hex');
  }

  private takesSecrets(context: ExecutionContext): boolean {
    const handler = context.getHandler();
    const known = this.secretive.get(handler);
    if (known !== undefined) return known;
    const body = bodyTypeOf(context.getClass(), handler.name);
    const takes = body !== undefined && secretsOf(body).size > 0;
    this.secretive.set(handler, takes);
    return takes;
  }

  private first({ claim, keptAs, renewal }: First, next: CallHandler, response: Response): Observable<unknown> {
    const scope = requireScope();
    let written: { readonly status: number; readonly text: string } | undefined;
    scope.concluding = (value) => {
      const answer = typeof value === 'object' && value !== null ? keptAs(value) : undefined;
      if (!answer) return null;
      written = { status: answer.status, text: JSON.stringify(answer.body) };
      return this.outcomes.outcomeStatement(claim, answer);
    };
    return next.handle().pipe(
      mergeMap((body: unknown) => {
        scope.concluding = undefined;
        // Events are sent once; a replay answers what the unit of work has made.
        if (body instanceof EventAnswer) return written ? of(body) : from(this.outcomes.releaseKey(claim).then(() => body));
        const isKept =
          written !== undefined &&
          response.statusCode === written.status &&
          (renewal !== undefined || written.text === JSON.stringify(body));
        return isKept
          ? of(body)
          : from(this.outcomes.storeOutcome(claim, { status: response.statusCode, body, headers: ownHeaders(response) }).then(() => body));
      }),
      catchError((error: unknown) => {
        scope.concluding = undefined;
        return from(this.settleFailure(claim, error)).pipe(mergeMap(() => throwError(() => error)));
      }),
      finalize(() => {
        scope.concluding = undefined;
        this.outcomes.dropClaim(claim);
      }),
    );
  }

  /** A refusal by the state of the resource is an outcome; one by form, rights or our own failure frees the key. */
  private settleFailure(claim: Claim, error: unknown): Promise<unknown> {
    const settled =
      error instanceof Problem && isOutcome(error)
        ? this.outcomes.storeOutcome(
            { ...claim, request: { ...claim.request, secret: false } },
            { status: error.status, body: { code: error.code, detail: error.detail, ...(error.errors ? { errors: error.errors } : {}) } },
          )
        : this.outcomes.releaseKey(claim);
    return settled.catch(() => {
      throw error;
    });
  }

  private async replayed({ status, body, headers = {} }: KeptAnswer, renewed: Renewed | undefined, response: Response): Promise<unknown> {
    response.setHeader('Idempotent-Replayed', 'true');
    if (REFUSALS.has(status)) {
      const { code, detail, errors } = body as { code: ProblemCode; detail: string; errors?: Problem['errors'] };
      throw new Problem(code, detail, errors ? { errors } : {});
    }
    response.status(status).set(headers);
    return renewed
      ? renewed.renewal.renewAnswer(this.modules.get(renewed.renewal.service, { strict: false }), body, renewed.principal)
      : body;
  }
}

/** Whether the state of the resource is the reason, and stays it: what names a time to come back, or was measured, is no outcome. */
const isOutcome = ({ status, headers, isMeasured }: Problem): boolean =>
  REFUSALS.has(status) && !isMeasured && headers['Retry-After'] === undefined;

type Shaping = (value: object) => KeptAnswer | undefined;

interface First {
  readonly claim: Claim;
  readonly keptAs: Shaping;
  readonly renewal: Renewal | undefined;
}

interface Renewed {
  readonly renewal: Renewal;
  readonly principal: Principal;
}

/** Headers that handlers set themselves; all others are made of the body, or belong to the request at hand. */
function ownHeaders(response: Response): Readonly<Record<string, string>> | undefined {
  const own = ['Location', 'X-Affected'].flatMap((name) => (response.hasHeader(name) ? [[name, String(response.getHeader(name))]] : []));
  return own.length > 0 ? (Object.fromEntries(own) as Record<string, string>) : undefined;
}

/** Whether a unit of work has made the very resource that the route answers with. */
const leadsTo = ({ leading }: KeyedRequest, value: object): boolean =>
  leading.length > 0 && leading.every((field) => (value as Record<string, unknown>)[field] !== undefined);

function keyOf(header: string | string[]): string {
  if (typeof header !== 'string' || header.length === 0 || header.length > MAX_KEY || /[^\x20-\x7e]/.test(header)) {
    throw new Problem('validation_failed', `Idempotency-Key must be 1 to ${MAX_KEY} printable ASCII characters.`, {
      errors: [{ path: 'Idempotency-Key', code: 'pattern', message: 'is not valid' }],
    });
  }
  return header;
}

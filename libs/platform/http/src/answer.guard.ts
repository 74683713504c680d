import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum';
import { currentScope, Database } from '@atrium/platform/database';
import { invalidFields } from '@atrium/platform/kernel';
import type { Request } from 'express';
import { ANSWER, SECRET_ANSWER, type AnswerShape } from './answers';
import { BodyIntake, type BodyHolder } from './body-intake';
import { DeclaredAnswer } from './declared-answer';
import { hasBody } from './http-server';
import { parsePrecondition } from './parameters';
import { refuseLostParameters } from './unsafe-names';
import type { RoutedRequest } from './indexed-express.adapter';
import { StruckRequests } from './struck-requests';

const MAX_FAULTS = 50;

interface Declared {
  readonly answer: DeclaredAnswer;
  /** Where a handler takes no query at all, every parameter is unknown; where it takes one, its class refuses the unknown ones. */
  readonly takesQuery: boolean;
}

/**
 * The last of the guards: notes on the request what its handler declares of the answer, for the adapter that sends it,
 * refuses query parameters where none are taken, has the body read (its caller has been let in by now), and refuses what has ended a process before. An interceptor would do the same at a tenth of a small request (ADR 9).
 */
@Injectable()
export class AnswerGuard implements CanActivate {
  private readonly declared = new WeakMap<object, Declared>();

  constructor(
    private readonly db: Database,
    private readonly bodies: BodyIntake,
    private readonly struck: StruckRequests,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request & RoutedRequest & BodyHolder>();
    // The access log has the body also of what is refused from here on.
    if (!hasBody(request)) return this.admit(request, context);
    return this.bodies.readBody(request, context.getClass(), context.getHandler()).then(() => this.admit(request, context));
  }

  private admit(request: Request & RoutedRequest, context: ExecutionContext): true {
    this.struck.assertHarmless(request, currentScope()?.tenant_id ?? null);
    const { answer, takesQuery } = this.of(context);
    if (request.url.includes('?')) {
      refuseLostParameters(request.url);
      if (!takesQuery) refuseQuery(request);
    }
    const ifMatch = request.headers['if-match'];
    // Also where a resource has no version yet: a caller would believe that an ignored condition holds.
    if (ifMatch !== undefined && request.method !== 'GET') parsePrecondition(ifMatch);
    request.answer = answer;
    return true;
  }

  private of(context: ExecutionContext): Declared {
    const handler = context.getHandler();
    const known = this.declared.get(handler);
    if (known) return known;
    const parameters = (Reflect.getMetadata(ROUTE_ARGS_METADATA, context.getClass(), handler.name) ?? {}) as Record<string, unknown>;
    const read: Declared = {
      answer: new DeclaredAnswer(
        Reflect.getMetadata(ANSWER, handler) as AnswerShape | undefined,
        this.db,
        Reflect.getMetadata(SECRET_ANSWER, handler) === true,
      ),
      takesQuery: Object.keys(parameters).some((key) => key.startsWith(`${RouteParamtypes.QUERY}:`)),
    };
    this.declared.set(handler, read);
    return read;
  }
}

function refuseQuery(request: Request): void {
  const names = Object.keys(request.query);
  if (names.length > 0)
    throw invalidFields(names.slice(0, MAX_FAULTS).map((path) => ({ path, code: 'unknown_field', message: 'is unknown' })));
}

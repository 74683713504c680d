import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum';
import { Reflector } from '@nestjs/core';
import { currentScope, Database } from '@atrium/platform/database';
import type { Request, Response } from 'express';
import { from, map, mergeMap, of, type Observable } from 'rxjs';
import { invalidFields } from '@atrium/platform/kernel';
import { ANSWER, type AnswerShape } from './answers';
import { API_PREFIX } from './paths';

const MAX_FAULTS = 50;

type Body = Record<string, unknown>;

/** Turns a handler's result into the declared answer: ETag and 304, Location; and lets the entry gate settle when the handler asked the database nothing. */
@Injectable()
export class AnswerInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly db: Database,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    refuseUnknownQuery(context);
    const shape = this.reflector.get<AnswerShape | undefined>(ANSWER, context.getHandler());
    return next.handle().pipe(mergeMap((body: unknown) => this.settled().pipe(map(() => this.finish(context, shape, body)))));
  }

  /** At once when a unit of work has met the gate, which is nearly always. */
  private settled(): Observable<unknown> {
    const scope = currentScope();
    return scope?.gate && !scope.admitted ? from(this.db.settleGate()) : of(undefined);
  }

  private finish(context: ExecutionContext, shape: AnswerShape | undefined, body: unknown): unknown {
    if (!shape || typeof body !== 'object' || body === null) return body;
    const http = context.switchToHttp();
    const response = http.getResponse<Response>();
    const resource = body as Body;
    if (shape.location && response.statusCode !== 200) response.setHeader('Location', `/${API_PREFIX}/${shape.location.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(resource[name])))}`);
    if (!shape.etag || resource.row_version === undefined) return resource;
    const { row_version, ...visible } = resource;
    return this.withEtag(http.getRequest<Request>(), response, `"${row_version as number}"`, visible);
  }

  private withEtag(request: Request, response: Response, etag: string, body: Body): Body | undefined {
    response.setHeader('ETag', etag);
    if (request.method !== 'GET' || !etagsOf(request.headers['if-none-match']).includes(etag)) return body;
    response.status(304);
    return undefined;
  }
}

const takesQuery = new WeakMap<object, boolean>();

/** Where a handler takes no query at all, every parameter is unknown; where it takes one, its class refuses the unknown ones. */
function refuseUnknownQuery(context: ExecutionContext): void {
  const request = context.switchToHttp().getRequest<Request>();
  if (!request.url.includes('?') || hasQueryClass(context)) return;
  const names = Object.keys(request.query);
  if (names.length > 0) throw invalidFields(names.slice(0, MAX_FAULTS).map((path) => ({ path, code: 'unknown_field', message: 'is not known here' })));
}

function hasQueryClass(context: ExecutionContext): boolean {
  const handler = context.getHandler();
  let known = takesQuery.get(handler);
  if (known === undefined) {
    const parameters = (Reflect.getMetadata(ROUTE_ARGS_METADATA, context.getClass(), handler.name) ?? {}) as Record<string, unknown>;
    known = Object.keys(parameters).some((key) => key.startsWith(`${RouteParamtypes.QUERY}:`));
    takesQuery.set(handler, known);
  }
  return known;
}

const etagsOf = (header: string | undefined): string[] => (header ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));

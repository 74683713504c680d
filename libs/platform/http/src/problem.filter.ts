import { Catch, HttpException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { currentScope, toProblem } from '@atrium/platform/database';
import { Problem } from '@atrium/platform/kernel';
import type { AppLogger } from '@atrium/platform/observability';
import type { Request, Response } from 'express';
import { guardData } from './safe-headers';
import type { RoutedRequest } from './indexed-express.adapter';

/** Every error leaves as `application/problem+json` with a listed code; an unexpected one is logged and does not reveal its cause. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(private readonly logger: AppLogger) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    this.sendProblem(error, http.getRequest<Request>(), http.getResponse<Response>());
  }

  sendProblem(error: unknown, request: Request & RoutedRequest, response: Response): void {
    const problem = asProblem(error);
    request.problemCode = problem.code;
    const request_id = currentScope()?.request_id;
    if (problem.code === 'internal_error')
      this.logger.error({ err: error, request_id, method: request.method, path: request.routePattern ?? request.path }, 'request failed');
    if (response.headersSent) {
      response.destroy();
      return;
    }
    response.removeHeader('ETag');
    response.removeHeader('Cache-Control');
    for (const [name, value] of Object.entries(problem.headers)) response.setHeader(name, value);
    guardData(response, 'no-store');
    response.status(problem.status).type('application/problem+json');
    response.send(
      JSON.stringify({
        type: `/problems/${problem.code}`,
        title: problem.title,
        status: problem.status,
        detail: problem.detail,
        instance: request.path.slice(0, 512),
        code: problem.code,
        request_id,
        ...(problem.errors ? { errors: problem.errors } : {}),
      }),
    );
  }
}

/** The problem behind any error: our own, the framework's, the database's. */
export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof HttpException) return fromStatus(error.getStatus());
  const translated = toProblem(error);
  if (translated instanceof Problem) return translated;
  const { status } = (typeof error === 'object' && error !== null ? error : {}) as { readonly status?: number };
  if (status && status >= 400 && status < 500) return fromStatus(status);
  return new Problem('internal_error', 'An unexpected error occurred. Include the request id when you report it.');
}

function fromStatus(status: number): Problem {
  if (status === 404) return new Problem('not_found', 'There is nothing at this path.');
  if (status === 405) return new Problem('method_not_allowed', 'This path does not support the method.');
  if (status === 413) return new Problem('payload_too_large', 'The body is larger than this service accepts.');
  if (status === 415) return new Problem('unsupported_media_type', 'Send application/json.');
  if (status === 401)
    return new Problem('unauthenticated', 'Send a valid X-Api-Key or Authorization: Bearer header.', {
      headers: { 'WWW-Authenticate': 'Bearer realm="atrium"' },
    });
  if (status >= 400 && status < 500) return new Problem('validation_failed', 'The request is not well-formed.');
  return new Problem('service_unavailable', 'The service cannot respond at the moment. Try again shortly.', {
    headers: { 'Retry-After': '1' },
  });
}

import type { RequestListener } from 'node:http';
import { StreamableFile } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import { WrittenPage } from '@atrium/platform/database';
import { Problem } from '@atrium/platform/kernel';
import type { BodyHolder } from './body-intake';
import { EventSocket } from './event-socket';
import { EventAnswer } from './event-stream';
import { EVENT_STREAM_TYPE } from './event-stream-type';
import { openServer } from './http-server';
import { JsonAnswers } from './json-answers';
import { WrittenAnswer } from './written-answer';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { DeclaredAnswer } from './declared-answer';
import findMyWay, { type HTTPMethod, type Instance } from 'find-my-way';

/** What metrics and the access log record of the answer. */
export interface RoutedRequest {
  routePattern?: string;
  /** Code of the problem that answers. */
  problemCode?: string;
  /** What its handler declares of the answer. */
  answer?: DeclaredAnswer;
}

interface Route {
  readonly pattern: string;
  readonly handle: RequestHandler;
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const;

/**
 * Express with its routes in a radix tree (find-my-way): Express tries its routes one after another, so that with many
 * hundred of them the last ones pay for all the others. Middleware stays Express's own; a path that exists under another
 * method answers 405 with `Allow`.
 */
export class IndexedExpressAdapter extends ExpressAdapter {
  private readonly json = new JsonAnswers();
  private readonly routes: Instance<findMyWay.HTTPVersion.V1> = findMyWay({
    ignoreTrailingSlash: true,
    caseSensitive: true,
    maxParamLength: 2_000,
    defaultRoute: undefined,
  });

  /** Every request reaches the application, one without a Host too, so that it is refused with a problem like any other. */
  override initHttpServer(): void {
    this.setHttpServer(openServer(this.getInstance<RequestListener>()));
  }

  /** Answers whatever was registered as a route; goes on when nothing was. Mounted once, after the middleware. */
  readonly dispatch: RequestHandler = (request: Request & RoutedRequest, response: Response, next: NextFunction): void => {
    const path = request.url.split('?', 1)[0] ?? '/';
    const found = this.find(request.method, path);
    if (!found) {
      const allowed = this.allowedMethods(path);
      next(
        allowed.length > 0
          ? new Problem('method_not_allowed', `This path supports ${allowed.join(', ')}.`, { headers: { Allow: allowed.join(', ') } })
          : undefined,
      );
      return;
    }
    const { pattern, handle } = found.store as Route;
    request.params = found.params as Record<string, string>;
    request.routePattern = pattern;
    handle(request, response, next);
  };

  /** Sends what a handler returned, as it declares it. */
  override reply(response: Response, body: unknown, statusCode?: number): unknown {
    if (statusCode) response.statusCode = statusCode;
    const { answer } = response.req as Request & RoutedRequest;
    if (!answer) return this.send(response, body);
    const pending = answer.settleGate();
    return pending
      ? pending.then(() => this.send(response, answer.finishResponse(response, body)))
      : this.send(response, answer.finishResponse(response, body));
  }

  /** JSON directly: Express would look for a cached copy, an ETag and a charset that are all settled here. */
  private send(response: Response, body: unknown): unknown {
    if (body instanceof EventAnswer) return this.stream(response, body);
    if (typeof body !== 'object' || body === null || body instanceof StreamableFile) return super.reply(response, body) as unknown;
    const text = body instanceof WrittenPage || body instanceof WrittenAnswer ? body.text : JSON.stringify(body);
    if (!response.hasHeader('Content-Type')) response.setHeader('Content-Type', 'application/json; charset=utf-8');
    const { answer } = response.req as Request & RoutedRequest;
    return this.json.sendJson(response, text, answer);
  }

  private stream(response: Response, answer: EventAnswer): Response {
    // It may go on for hours, and the body has been used.
    (response.req as BodyHolder).arrived?.release();
    if (response.req.method === 'HEAD' || response.destroyed) {
      answer.abandon();
      response.setHeader('Content-Type', EVENT_STREAM_TYPE);
      response.setHeader('Cache-Control', 'no-store');
      return response.end();
    }
    answer.begin(new EventSocket(response));
    return response;
  }

  private find(method: string, path: string): ReturnType<Instance<findMyWay.HTTPVersion.V1>['find']> {
    return this.routes.find(method as HTTPMethod, path) ?? (method === 'HEAD' ? this.routes.find('GET', path) : null);
  }

  private allowedMethods(path: string): string[] {
    return METHODS.filter((method) => this.routes.find(method, path) !== null);
  }

  private index(method: HTTPMethod, args: unknown[]): unknown {
    const [pattern, handle] = args as [string, RequestHandler];
    const store: Route = { pattern, handle };
    this.routes.on(method, pattern, () => undefined, store);
    return this;
  }

  /** Nest would mount these two under the prefix of the API; paths outside it answer with problems as well. */
  override setNotFoundHandler(handler: Function): unknown {
    return super.setNotFoundHandler(handler) as unknown;
  }
  override setErrorHandler(handler: Function): unknown {
    return super.setErrorHandler(handler) as unknown;
  }
  override get(...args: unknown[]): unknown {
    return this.index('GET', args);
  }
  override post(...args: unknown[]): unknown {
    return this.index('POST', args);
  }
  override put(...args: unknown[]): unknown {
    return this.index('PUT', args);
  }
  override patch(...args: unknown[]): unknown {
    return this.index('PATCH', args);
  }
  override delete(...args: unknown[]): unknown {
    return this.index('DELETE', args);
  }
  override head(...args: unknown[]): unknown {
    return this.index('HEAD', args);
  }
  override options(...args: unknown[]): unknown {
    return this.index('OPTIONS', args);
  }
}

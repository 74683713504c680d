import type { Type, DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { OPERATOR_PREFIX, OperatorGate } from '@atrium/platform/access';
import { listOf, Settings } from '@atrium/platform/config';
import { AppLogger, FrameworkLogger, Metrics, startLogger } from '@atrium/platform/observability';
import type { Express, Request, RequestHandler, Response } from 'express';
import { CrossOrigin } from './cross-origin';
import { IndexedExpressAdapter } from './indexed-express.adapter';
import { limitBodies, limitWaiting, shareConnections } from './http-server';
import { honourKeysOnPosts } from './keyed-posts';
import { answerMalformed } from './malformed-requests';
import { operatorDoor, OperatorListener } from './operator-listener';
import { API_PREFIX } from './paths';
import { ProblemFilter } from './problem.filter';
import { Edge, requestEdge, type RawEndpoint } from './request-edge';
import { safeHeaders } from './safe-headers';
import { StruckRequests } from './struck-requests';
import { createValidationPipe } from './validation.pipe';

/** Reads names in brackets as objects: `obj_content[price]=1`. */
export const QUERY_PARSER = 'extended';

/** Builds the API host from its root module: edge, routes, problems. Not listening yet. */
export async function createApi(root: Type | DynamicModule): Promise<NestExpressApplication> {
  const adapter = new IndexedExpressAdapter();
  const app = await NestFactory.create<NestExpressApplication>(root, adapter, {
    bodyParser: false,
    logger: startLogger('atrium-api'),
    abortOnError: false,
  });
  const settings = app.get(Settings);
  const logger = app.get(AppLogger);
  app.useLogger(new FrameworkLogger(logger));
  app.set('etag', false);
  app.set('x-powered-by', false);
  app.set('query parser', QUERY_PARSER);
  app.set('trust proxy', listOf(settings.TRUSTED_PROXIES));
  const edge = app.get(Edge);
  app.use(requestEdge(app.get(Metrics), edge, app.get(StruckRequests)));
  app.use(safeHeaders(settings));
  app.use(limitBodies(settings));
  app.use(app.get(CrossOrigin).handleRequest);
  app.use(rawEndpoints(edge.endpoints));
  app.use(operatorDoor(app.get(OperatorGate, { strict: false }), app.get(OperatorListener, { strict: false })));
  app.use(adapter.dispatch);
  app.setGlobalPrefix(API_PREFIX, { exclude: OUTSIDE_PREFIX });
  app.useGlobalFilters(new ProblemFilter(logger));
  app.useGlobalPipes(createValidationPipe());
  honourKeysOnPosts(app);
  answerMalformed(app.getHttpServer());
  limitWaiting(app.getHttpServer(), settings);
  const isTrusted = adapter.getInstance<Express>().get('trust proxy fn') as (address: string, hop: number) => boolean;
  shareConnections(app.getHttpServer(), settings, (address) => isTrusted(address, 0));
  return app;
}

const OUTSIDE_PREFIX = [
  'health/live',
  'health/ready',
  'metrics',
  'openapi.json',
  '.well-known/jwks.json',
  'problems/:code',
  `${OPERATOR_PREFIX}/*path`,
];

/** Asks each endpoint in turn, of the API only those in front of the path; modules may register theirs until the host listens. */
function rawEndpoints(endpoints: readonly RawEndpoint[]): RequestHandler {
  const answered = async (asked: readonly RawEndpoint[], request: Request, response: Response): Promise<boolean> => {
    for (const endpoint of asked) if (await endpoint.handleRequest(request, response)) return true;
    return false;
  };
  return (request, response, next) => {
    const isOfApi = request.url.startsWith(`/${API_PREFIX}/`);
    const asked = isOfApi ? endpoints.filter(({ inFrontOf }) => inFrontOf !== undefined && request.url.startsWith(inFrontOf)) : endpoints;
    if (asked.length === 0) next();
    else answered(asked, request, response).then((done) => (done ? undefined : next()), next);
  };
}

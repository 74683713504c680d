import { Injectable, SetMetadata, type OnApplicationBootstrap } from '@nestjs/common';
import { PATH_METADATA } from '@nestjs/common/constants';
import { DiscoveryService } from '@nestjs/core';
import { listOf, Settings } from '@atrium/platform/config';
import cors from 'cors';
import type { RequestHandler } from 'express';
import { API_PREFIX } from './paths';
import { Edge } from './request-edge';

const EXPOSED_HEADERS = [
  'ETag',
  'Location',
  'X-Request-Id',
  'Retry-After',
  'RateLimit',
  'RateLimit-Policy',
  'Idempotent-Replayed',
  'X-Visit',
  'X-Device-Token',
  'X-Rendition',
  'X-Search-Mode',
];
/** What public delivery adds: by this number front ends count the changes of a site. */
const EXPOSED_TO_ALL = [...EXPOSED_HEADERS, 'X-Site-Seq'];
const PREFLIGHT_SECONDS = 600;
const ANY_ORIGIN = 'atrium:any-origin';

/**
 * For controllers of public content: pages of every origin may read it, whatever `CORS_ORIGINS` says, errors and preflights included.
 * Shared caches store the answer for all origins, so it allows them also where the request names none.
 */
export const AnyOrigin = (): ClassDecorator => SetMetadata(ANY_ORIGIN, true);

/** CORS for browsers, before any route; no cookies are used. */
@Injectable()
export class CrossOrigin implements OnApplicationBootstrap {
  private readonly allowed: RequestHandler;
  private readonly open = cors({ origin: '*', methods: ['GET', 'HEAD'], exposedHeaders: EXPOSED_TO_ALL, maxAge: PREFLIGHT_SECONDS });
  private openPaths: readonly string[] = [];

  constructor(
    settings: Settings,
    private readonly edge: Edge,
    private readonly discovery: DiscoveryService,
  ) {
    this.allowed = allowedOrigins(settings);
  }

  onApplicationBootstrap(): void {
    const controllers = this.discovery.getControllers().flatMap(({ metatype }) => {
      if (!metatype || Reflect.getMetadata(ANY_ORIGIN, metatype) !== true) return [];
      return [Reflect.getMetadata(PATH_METADATA, metatype) as string | string[]].flat().map((path) => `/${API_PREFIX}/${path}`);
    });
    this.openPaths = [...controllers, ...this.edge.endpoints.flatMap(({ anyOriginUnder }) => anyOriginUnder ?? [])];
  }

  readonly handleRequest: RequestHandler = (request, response, next) => {
    const handle = this.isOpen(request.path) ? this.open : this.allowed;
    handle(request, response, next);
  };

  private isOpen(path: string): boolean {
    return this.openPaths.some((open) => path === open || path.startsWith(`${open}/`));
  }
}

/** The origins of the setting; a request that names no origin is none of theirs. */
function allowedOrigins({ CORS_ORIGINS }: Settings): RequestHandler {
  const everybody = CORS_ORIGINS === '*';
  const allow = cors({ origin: everybody ? '*' : listOf(CORS_ORIGINS), exposedHeaders: EXPOSED_HEADERS, maxAge: PREFLIGHT_SECONDS });
  return (request, response, next) => {
    if (request.headers.origin !== undefined) {
      allow(request, response, next);
      return;
    }
    if (!everybody) response.vary('Origin');
    next();
  };
}

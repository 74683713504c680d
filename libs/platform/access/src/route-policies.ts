import { Injectable, RequestMethod, type OnApplicationBootstrap, type Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants';
import { ApplicationConfig, DiscoveryService, MetadataScanner } from '@nestjs/core';
import { OPERATOR_PREFIX } from './operator-gate';
import { POLICY, type RoutePolicy } from './policy';

export interface RouteDeclaration {
  readonly method: string;
  /** The whole path, with `:parameters`. */
  readonly path: string;
  readonly handler: string;
  /** Its operationId in the OpenAPI document. */
  readonly operation: string;
  readonly policy: RoutePolicy | undefined;
}

/** Reads the route table of the composed application; refuses to start when a route declares no policy. */
@Injectable()
export class RoutePolicies implements OnApplicationBootstrap {
  private readonly scanner = new MetadataScanner();

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly config: ApplicationConfig,
  ) {}

  onApplicationBootstrap(): void {
    const open = this.routes().filter((route) => !route.policy);
    if (open.length === 0) return;
    throw new Error(`These routes declare no policy (@Policy or @Public):\n${open.map((route) => `  ${route.method} ${route.path} (${route.handler})`).join('\n')}`);
  }

  /** Every route, sorted by path. */
  routes(): RouteDeclaration[] {
    return this.discovery
      .getControllers()
      .flatMap(({ metatype }) => (metatype ? this.routesOf(metatype as Type) : []))
      .sort((a, b) => compare(a.path, b.path) || compare(a.method, b.method));
  }

  private routesOf(controller: Type): RouteDeclaration[] {
    const prototype = controller.prototype as Record<string, unknown>;
    const base = Reflect.getMetadata(PATH_METADATA, controller) as string | undefined;
    return this.scanner.getAllMethodNames(prototype).flatMap((name) => {
      const handler = prototype[name] as Function;
      const path = Reflect.getMetadata(PATH_METADATA, handler) as string | string[] | undefined;
      if (path === undefined) return [];
      const method = RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod];
      const policy = Reflect.getMetadata(POLICY, handler) as RoutePolicy | undefined;
      return [path].flat().map((part) => ({ method, path: this.wholePath(joinPath(base ?? '', part)), handler: `${controller.name}.${name}`, operation: operationIdOf(controller.name, name), policy }));
    });
  }

  private wholePath(path: string): string {
    if (joinPath(path).startsWith(`/${OPERATOR_PREFIX}/`)) return joinPath(path);
    const outside = this.config.getGlobalPrefixOptions().exclude ?? [];
    return outside.some((route) => joinPath(route.path) === path) ? path : joinPath(this.config.getGlobalPrefix(), path);
  }
}

/** What an operation is called wherever it is named: `AlbumsController.list` → `Albums_list`. */
export const operationIdOf = (controller: string, method: string): string => `${controller.replace(/Controller$/, '')}_${method}`;

const joinPath = (...parts: string[]): string => `/${parts.map((part) => part.replace(/^\/+|\/+$/g, '')).filter(Boolean).join('/')}`;

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

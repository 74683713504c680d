import { withoutEnds } from '@atrium/platform/kernel';
import { Injectable, RequestMethod, type OnApplicationBootstrap, type Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum';
import { ApplicationConfig, DiscoveryService, MetadataScanner } from '@nestjs/core';
import { OPERATION_NAME, operationName } from './operation-names';
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
  /** The class of its body. */
  readonly body: Function | undefined;
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
    const routes = this.listRoutes();
    refuse(
      'These routes declare no policy (@Policy or @Public)',
      routes.filter((route) => !route.policy),
    );
    const named = new Map(routes.map((route) => [route.operation, route.handler]));
    refuse(
      'These operations have the name of another one (@Named gives them their own)',
      routes.filter((route) => named.get(route.operation) !== route.handler),
    );
  }

  /** Every route, sorted by path. */
  listRoutes(): RouteDeclaration[] {
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
      const named = Reflect.getMetadata(OPERATION_NAME, handler) as string | undefined;
      return [path].flat().map((part) => {
        const whole = this.wholePath(joinPath(base ?? '', part));
        return {
          method,
          path: whole,
          handler: handlerName(controller.name, name),
          operation: named ?? operationName(method, whole),
          policy,
          body: bodyTypeOf(controller, name),
        };
      });
    });
  }

  private wholePath(path: string): string {
    if (joinPath(path).startsWith(`/${OPERATOR_PREFIX}/`)) return joinPath(path);
    const outside = this.config.getGlobalPrefixOptions().exclude ?? [];
    return outside.some((route) => joinPath(route.path) === path) ? path : joinPath(this.config.getGlobalPrefix(), path);
  }
}

/** The class that a handler takes its body as, where it takes one. */
export function bodyTypeOf(controller: Type, name: string): Function | undefined {
  const parameters = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, name) ?? {}) as Record<string, { readonly index: number }>;
  const index = Object.entries(parameters).find(([key]) => key.startsWith(`${RouteParamtypes.BODY}:`))?.[1].index;
  const types = Reflect.getMetadata('design:paramtypes', controller.prototype as object, name) as readonly Function[] | undefined;
  return index === undefined ? undefined : types?.[index];
}

/** The name of a handler in the code: `AlbumsController.list`. */
export const handlerName = (controller: string, method: string): string => `${controller}.${method}`;

function refuse(complaint: string, routes: readonly RouteDeclaration[]): void {
  if (routes.length === 0) return;
  throw new Error(`${complaint}:\n${routes.map((route) => `  ${route.method} ${route.path} (${route.handler})`).join('\n')}`);
}

const joinPath = (...parts: string[]): string =>
  `/${parts
    .map((part) => withoutEnds(part, /\//))
    .filter(Boolean)
    .join('/')}`;

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

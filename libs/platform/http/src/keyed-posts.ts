import { RequestMethod, type NestInterceptor } from '@nestjs/common';
import { INTERCEPTORS_METADATA, METHOD_METADATA } from '@nestjs/common/constants';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Request } from 'express';
import { IdempotencyInterceptor } from './idempotency.interceptor';

const SETTING = 'idempotency';

/** That of the application which answers: the handlers are shared by all applications of a process. */
const idempotency: NestInterceptor = {
  intercept: (context, next) =>
    (context.switchToHttp().getRequest<Request>().app.get(SETTING) as IdempotencyInterceptor).intercept(context, next),
};

/**
 * Lets every POST of the application honour `Idempotency-Key`; called before its routes are made. All other routes stay
 * without interceptors, because their observables are a tenth of the cost of a small request (ADR 9).
 */
export function honourKeysOnPosts(app: NestExpressApplication): void {
  app.set(SETTING, app.get(IdempotencyInterceptor));
  const scanner = new MetadataScanner();
  for (const { metatype } of app.get(DiscoveryService, { strict: false }).getControllers()) {
    if (!metatype) continue;
    const handlers = metatype.prototype as Record<string, Function>;
    for (const name of scanner.getAllMethodNames(handlers)) {
      const handler = handlers[name];
      if (handler && Reflect.getMetadata(METHOD_METADATA, handler) === RequestMethod.POST)
        Reflect.defineMetadata(INTERCEPTORS_METADATA, [idempotency], handler);
    }
  }
}

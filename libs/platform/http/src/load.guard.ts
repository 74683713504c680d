import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { POLICY, rateClassOf, type RateClass, type RoutePolicy } from '@atrium/platform/access';
import { Problem } from '@atrium/platform/kernel';
import { LoopWatch } from '@atrium/platform/observability';
import type { Request } from 'express';
import type { RoutedRequest } from './indexed-express.adapter';

/** What costs most and can wait. */
const HEAVY: ReadonlySet<RateClass> = new Set<RateClass>(['search', 'ai', 'admin-report']);
const RETRY_AFTER_SECONDS = '5';

/** Refuses heavy work while the event loop lags, so that all else is still answered. */
@Injectable()
export class LoadGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly loop: LoopWatch,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request & RoutedRequest>();
    if (this.loop.isLagging) {
      const policy = this.reflector.get<RoutePolicy | undefined>(POLICY, context.getHandler());
      if (policy && HEAVY.has(rateClassOf(policy, request.method)))
        throw new Problem('service_unavailable', 'The service is overloaded. Send the request again in a few seconds.', {
          headers: { 'Retry-After': RETRY_AFTER_SECONDS },
        });
    }
    return true;
  }
}

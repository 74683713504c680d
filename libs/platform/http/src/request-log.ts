import { Injectable, type OnModuleInit } from '@nestjs/common';
import { AppLogger } from '@atrium/platform/observability';
import { Edge, type FinishedRequest } from './request-edge';

/** Asked every few seconds by orchestrators and scrapers: said only when it goes wrong. */
const PROBES = /^\/(?:health\/|metrics$)/;

/**
 * One line a request on the process log: its route (never its path, which may carry secrets), status, duration, and the ids
 * that lead to the access log and to the lines of jobs that it asked for.
 */
@Injectable()
export class RequestLog implements OnModuleInit {
  constructor(
    private readonly edge: Edge,
    private readonly logger: AppLogger,
  ) {}

  onModuleInit(): void {
    if (this.logger.isLevelEnabled('info')) this.edge.recordWith((finished) => this.record(finished));
  }

  private record({ request, status, milliseconds, scope }: FinishedRequest): void {
    if (status < 400 && PROBES.test(request.routePattern ?? '')) return;
    const { request_id, tenant_id, traceparent } = scope;
    const { user_id, key_id } = request.principal ?? {};
    this.logger.info(
      {
        request_id,
        tenant_id: tenant_id ?? undefined,
        user_id,
        key_id: key_id ?? undefined,
        traceparent,
        method: request.method,
        route: request.routePattern ?? 'none',
        status,
        ms: Math.round(milliseconds * 10) / 10,
      },
      'request',
    );
  }
}

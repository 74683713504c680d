import { Controller, Get, Header, Headers, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '@atrium/platform/access';
import { Settings } from '@atrium/platform/config';
import { Database } from '@atrium/platform/database';
import { Problem } from '@atrium/platform/kernel';
import { LoopWatch, mayScrape, Metrics } from '@atrium/platform/observability';
import type { Request, Response } from 'express';
import { Edge } from './request-edge';

/** Liveness, readiness and metrics, for operators. */
@ApiExcludeController()
@Controller()
export class HealthController {
  constructor(
    private readonly db: Database,
    private readonly metrics: Metrics,
    private readonly settings: Settings,
    private readonly edge: Edge,
    private readonly loop: LoopWatch,
  ) {}

  @Get('health/live')
  @Public('called by orchestrators')
  live(): { status: string } {
    return { status: 'ok' };
  }

  @Get('health/ready')
  @Public('called by load balancers')
  @Header('Cache-Control', 'no-store')
  async ready(): Promise<{ status: string }> {
    if (this.edge.isDraining) throw new Problem('service_unavailable', 'This host is shutting down.', { headers: { 'Retry-After': '1' } });
    if (this.loop.isLagging) throw new Problem('service_unavailable', 'This host is overloaded.', { headers: { 'Retry-After': '5' } });
    await this.db.acrossTenants((tx) => tx.query('SELECT 1'));
    return { status: 'ok' };
  }

  @Get('metrics')
  @Public('protected by METRICS_TOKEN, or open to loopback callers only')
  async scrape(
    @Req() request: Request,
    @Headers('authorization') authorization: string | undefined,
    @Res() response: Response,
  ): Promise<void> {
    if (!mayScrape(this.settings.METRICS_TOKEN, { address: request.ip, authorization }))
      throw new Problem('not_found', 'There is nothing at this path.');
    response.type(this.metrics.registry.contentType).send(await this.metrics.renderMetrics());
  }
}

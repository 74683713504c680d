import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

const SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** Prometheus metrics of this process: requests by route (never by raw path), jobs, and the runtime's own. */
@Injectable()
export class Metrics {
  readonly registry = new Registry();
  readonly requests = new Histogram({ name: 'atrium_http_request_seconds', help: 'Duration of requests', labelNames: ['method', 'route', 'status'], buckets: SECONDS, registers: [this.registry] });
  readonly jobs = new Histogram({ name: 'atrium_job_seconds', help: 'Duration of job runs', labelNames: ['job', 'outcome'], buckets: SECONDS, registers: [this.registry] });
  readonly accessLogLost = new Counter({ name: 'atrium_access_log_dropped_total', help: 'Access log rows dropped because too many waited', registers: [this.registry] });
  readonly refused = new Counter({ name: 'atrium_requests_refused_total', help: 'Requests refused before their workspace was known', labelNames: ['code'], registers: [this.registry] });
  readonly outboxWaiting = new Gauge({ name: 'atrium_outbox_waiting', help: 'Outbox rows not yet sent', registers: [this.registry] });

  private readonly routes = new Map<string, Histogram.Internal<string>>();

  /** One finished request; the histogram of its route is looked up once and kept. */
  requestEnded(method: string, route: string, status: number, seconds: number): void {
    const name = `${method} ${route} ${status}`;
    let histogram = this.routes.get(name);
    if (!histogram) {
      histogram = this.requests.labels(method, route, String(status));
      this.routes.set(name, histogram);
    }
    histogram.observe(seconds);
  }

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }
}

import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

const SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
/** Of what runs in the background or waits for servers of others. */
const LONG_SECONDS = [0.01, 0.05, 0.25, 1, 5, 15, 60, 300, 1_800];

/** What became of a run of a job. */
export type JobOutcome = 'done' | 'waits' | 'retried' | 'failed' | 'handed_back';

/** Prometheus metrics of this process: requests by route (never by raw path), jobs by name, what the process waits for, and the runtime's own. */
@Injectable()
export class Metrics {
  readonly registry = new Registry();
  readonly requests = this.histogram('atrium_http_request_seconds', 'Duration of requests', ['method', 'route', 'status'], SECONDS);
  readonly jobs = this.histogram('atrium_job_seconds', 'Duration of job runs', ['job', 'outcome'], LONG_SECONDS);
  readonly jobsRunning = this.gauge('atrium_jobs_running', 'Job runs in this process now', ['job']);
  readonly jobsWaiting = this.gauge('atrium_jobs_waiting', 'Jobs that are due and have not started, in all processes', ['job']);
  readonly jobsGivenUp = this.counter('atrium_jobs_given_up_total', 'Jobs that failed for good', ['job']);
  readonly outboxAge = this.gauge('atrium_outbox_oldest_seconds', 'How long the oldest due row of the outbox has waited');
  readonly connections = this.gauge('atrium_database_connections', 'Connections of this process to PostgreSQL', ['state']);
  readonly givingWay = this.gauge('atrium_background_waiting', 'Units of work of background jobs that wait for a database connection');
  readonly acquiring = this.gauge('atrium_database_waiting', 'Units of work that wait for a connection');
  readonly longUnits = this.counter(
    'atrium_database_long_units_total',
    'Units of work of more than 200 statements or 2 seconds whose place does not say why',
    ['operation', 'by'],
  );
  readonly locksFirst = this.counter(
    'atrium_database_locks_first_total',
    'Units of work that were begun again twice and then took their locks first',
    ['operation'],
  );
  readonly storage = this.histogram(
    'atrium_storage_seconds',
    'Duration of calls to the object store, for reads until the first byte',
    ['operation', 'outcome'],
    SECONDS,
  );
  readonly models = this.histogram(
    'atrium_model_seconds',
    'Duration of calls to model providers, retries included',
    ['outcome'],
    LONG_SECONDS,
  );
  readonly backlog = this.gauge('atrium_backlog', 'Unfinished answers and sources in all workspaces', ['work']);
  readonly backlogAge = this.gauge('atrium_backlog_oldest_seconds', 'Time since the oldest unfinished one reported progress', ['work']);
  readonly workFailed = this.counter(
    'atrium_work_failed_total',
    'Crawls, syncs, imports, exports, file jobs, downloads, schema changes and background jobs that failed',
    ['work'],
  );
  readonly answersFailed = this.counter('atrium_answers_failed_total', 'Answers that failed', ['code']);
  readonly socialApiVersion = this.gauge('atrium_social_api_version', 'Version of the interface of a social platform in use', [
    'platform',
    'version',
  ]);
  readonly creditsRefused = this.counter('atrium_credits_refused_total', 'Work that was refused because its workspace has no credits left');
  readonly redisUp = this.gauge('atrium_redis_up', 'Whether this process reaches Redis');
  readonly scheduleOverdue = this.gauge('atrium_schedule_overdue_seconds', 'How long a schedule has been due without a run', ['schedule']);
  readonly scheduleFailed = this.gauge('atrium_schedule_failed', 'Whether the last run of a schedule failed', ['schedule']);
  readonly storageFree = this.gauge('atrium_storage_free_bytes', 'Free space of the disk store');
  readonly streamEventsLost = this.counter('atrium_stream_events_lost_total', 'Events of streams that could not be stored');
  readonly streamEvents = this.counter('atrium_stream_events_total', 'Events appended to streams, and events that followers read', [
    'direction',
  ]);
  readonly accessLogLost = this.counter('atrium_access_log_dropped_total', 'Access log rows dropped because too many were waiting');
  readonly refused = this.counter('atrium_requests_refused_total', 'Requests refused before their workspace was known', ['code']);

  private readonly routes = new Map<string, Histogram.Internal<string>>();
  private readonly gauging: (() => void | Promise<void>)[] = [];

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }

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

  /** Times a call; the outcome is `ok`, or `error` when it throws. */
  async timeCall<T>(histogram: Histogram<'outcome'>, labels: Readonly<Record<string, string>>, call: () => Promise<T>): Promise<T> {
    const began = performance.now();
    let outcome = 'error';
    try {
      const result = await call();
      outcome = 'ok';
      return result;
    } finally {
      histogram.observe({ ...labels, outcome }, (performance.now() - began) / 1_000);
    }
  }

  /** Sets gauges whenever the metrics are read; a value that cannot be determined then is left as it was. */
  beforeScrape(gauge: () => void | Promise<void>): void {
    this.gauging.push(gauge);
  }

  /** All of it in the format of Prometheus. */
  async renderMetrics(): Promise<string> {
    await Promise.allSettled(this.gauging.map(async (gauge) => gauge()));
    return this.registry.metrics();
  }

  private histogram<L extends string>(name: string, help: string, labelNames: L[], buckets: number[]): Histogram<L> {
    return new Histogram({ name, help, labelNames, buckets, registers: [this.registry] });
  }

  private gauge<L extends string>(name: string, help: string, labelNames: L[] = []): Gauge<L> {
    return new Gauge({ name, help, labelNames, registers: [this.registry] });
  }

  private counter<L extends string>(name: string, help: string, labelNames: L[] = []): Counter<L> {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }
}

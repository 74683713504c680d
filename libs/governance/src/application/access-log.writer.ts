import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { API_PREFIX, Edge, type FinishedRequest } from '@atrium/platform/http';
import { Problem, SECOND } from '@atrium/platform/kernel';
import { Metrics } from '@atrium/platform/observability';
import { MAX_KEPT_BODY, noteOn, rowOf, type SeenRequest } from '../domain/seen-request';
import { AccessLogRows } from '../infrastructure/access-log.rows';
import { Backlog } from './backlog';

/** Requests that may wait while the database is away. */
const CAPACITY = 10_000;
/** Bytes of bodies that may wait; beyond, bodies are noted like large ones. */
const MAX_WAITING_BODIES = 8 * 1024 * 1024;
const BATCH = 500;
const EVERY_MS = SECOND;
const LAST_TRIES = 3;

const PATH = `/${API_PREFIX}/`;

/**
 * Records every request of a known workspace. On the request's path it only notes references; rows are built and
 * written in batches, in the background, and once more when the host stops. While the database is away rows wait, and
 * when too many wait the oldest are dropped and counted.
 */
@Injectable()
export class AccessLogWriter implements OnModuleInit, OnApplicationShutdown {
  private readonly log = new Logger(AccessLogWriter.name);
  private readonly waiting = new Backlog<SeenRequest>(CAPACITY);
  private waitingBodies = 0;
  private writing: Promise<void> | undefined;
  private failing = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly edge: Edge,
    private readonly rows: AccessLogRows,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    this.edge.recordWith((finished) => this.record(finished));
    this.timer = setInterval(() => void this.flush(), EVERY_MS).unref();
  }

  /** When the host has drained, so that nothing is added any more; the database is still there, it is the last to go. */
  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    for (let left = LAST_TRIES; this.waiting.size > 0 && left > 0; left--) {
      await this.flush();
      if (this.waiting.size > 0) await pause(EVERY_MS / 4);
    }
    this.lose(this.waiting.size);
  }

  /** Requests that have ended and are not written yet. */
  get backlog(): number {
    return this.waiting.size;
  }

  /** Writes what waits, oldest first, until nothing does or the database refuses. Never rejects. */
  flush(): Promise<void> {
    return (this.writing ??= this.writeAll().finally(() => (this.writing = undefined)));
  }

  private record(finished: FinishedRequest): void {
    const { scope, request } = finished;
    if (scope.tenant_id === null || !request.originalUrl.startsWith(PATH)) return;
    const seen = this.seen(finished, scope.tenant_id);
    const pushedOut = this.waiting.add(seen);
    this.waitingBodies += keptBytes(seen);
    if (pushedOut) {
      this.waitingBodies -= keptBytes(pushedOut);
      this.lose(1);
    }
    if (this.waiting.size >= BATCH && !this.failing) void this.flush();
  }

  private seen({ request, status, started, milliseconds, scope }: FinishedRequest, tenant_id: string): SeenRequest {
    const { headers, principal, res: response } = request;
    const bytesIn = numberOf(headers['content-length']);
    const keep = bytesIn !== undefined && bytesIn <= MAX_KEPT_BODY && this.waitingBodies < MAX_WAITING_BODIES;
    const body = request.body as unknown;
    const idempotencyKey = headers['idempotency-key'];
    return {
      tenant_id,
      user_id: principal?.user_id,
      key_id: principal?.key_id,
      session_id: principal?.session_id,
      kind: principal?.kind ?? 'public',
      method: request.method,
      url: request.originalUrl,
      route: request.routePattern,
      params: request.params as Record<string, string>,
      body: keep || body === undefined ? body : noteOn(body, bytesIn),
      bytesIn,
      bytesOut: numberOf(response?.getHeader('content-length')),
      status,
      started,
      milliseconds,
      ip: request.ip,
      userAgent: headers['user-agent'],
      idempotencyKey: typeof idempotencyKey === 'string' ? idempotencyKey : undefined,
      replayed: response?.hasHeader('idempotent-replayed') ?? false,
      requestId: scope.request_id,
      traceparent: scope.traceparent,
      log_id: undefined,
    };
  }

  private async writeAll(): Promise<void> {
    while (this.waiting.size > 0) {
      const batch = this.waiting.oldest(BATCH);
      try {
        await this.write(batch.items);
      } catch (error) {
        if (!this.failing) this.log.warn(`The access log can not be written; rows wait. ${error instanceof Error ? error.message : String(error)}`);
        this.failing = true;
        return;
      }
      this.failing = false;
      for (const written of this.waiting.release(batch)) this.waitingBodies -= keptBytes(written);
    }
  }

  /** A batch with a row that can not be stored is halved until that row stands alone, and it alone is lost. */
  private async write(batch: readonly SeenRequest[]): Promise<void> {
    try {
      await this.rows.append(batch.map(rowOf));
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'validation_failed') throw error;
      if (batch.length === 1) return this.lose(1);
      const half = Math.ceil(batch.length / 2);
      await this.write(batch.slice(0, half));
      await this.write(batch.slice(half));
    }
  }

  private lose(count: number): void {
    if (count > 0) this.metrics.accessLogLost.inc(count);
  }
}

/** What a waiting request holds on to because of its body, in bytes at most; of a large body only a note is held. */
const keptBytes = ({ body, bytesIn }: SeenRequest): number => (body === undefined || bytesIn === undefined ? 0 : Math.min(bytesIn, MAX_KEPT_BODY));

function numberOf(header: unknown): number | undefined {
  const number = typeof header === 'string' || typeof header === 'number' ? Number(header) : Number.NaN;
  return Number.isSafeInteger(number) ? number : undefined;
}

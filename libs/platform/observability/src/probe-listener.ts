import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Settings } from '@atrium/platform/config';
import { timingSafeEqual } from 'node:crypto';
import { Metrics } from './metrics';
import { LoopWatch } from './watchdog/loop-watch';

const LOOPBACK = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1']);

/** Whether a caller may read the metrics: by the bearer token, or from this machine where no token is set. */
export function mayScrape(
  token: string,
  { address = '', authorization = '' }: { readonly address?: string | undefined; readonly authorization?: string | undefined },
): boolean {
  if (token === '') return LOOPBACK.has(address);
  const [given, wanted] = [Buffer.from(authorization), Buffer.from(`Bearer ${token}`)];
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

/** Rejects, with a reason for people who run the service, while the process cannot do its work. */
export type ReadinessCheck = () => Promise<void>;

const CHECK_LIMIT_MS = 2_000;

/**
 * `/health/live`, `/health/ready` and `/metrics` of a host without an API, on a port of their own. Other rooms add what
 * readiness depends on.
 */
@Injectable()
export class ProbeListener implements OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown {
  private readonly checks: ReadinessCheck[] = [];
  private server: Server | undefined;
  private stopping = false;

  constructor(
    private readonly settings: Settings,
    private readonly metrics: Metrics,
    private readonly loop: LoopWatch,
  ) {}

  readyWhen(check: ReadinessCheck): void {
    this.checks.push(check);
  }

  async onApplicationBootstrap(): Promise<void> {
    const { WORKER_PORT, HOST } = this.settings;
    if (WORKER_PORT === 0) return;
    this.server = createServer((request, response) => void this.answer(request, response).catch(() => response.destroy()));
    this.server.listen(WORKER_PORT, HOST);
    await once(this.server, 'listening');
  }

  beforeApplicationShutdown(): void {
    this.stopping = true;
  }

  onApplicationShutdown(): void {
    this.server?.close();
    this.server?.closeAllConnections();
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [path] = (request.url ?? '').split('?');
    if (request.method !== 'GET' && request.method !== 'HEAD') return send(response, 405, 'This path supports GET only.');
    if (path === '/health/live') return send(response, 200, 'ok');
    if (path === '/health/ready') {
      const reason = await this.unreadiness();
      return send(response, reason === null ? 200 : 503, reason ?? 'ok');
    }
    const { authorization } = request.headers;
    if (path !== '/metrics' || !mayScrape(this.settings.METRICS_TOKEN, { address: request.socket.remoteAddress, authorization }))
      return send(response, 404, 'There is nothing at this path.');
    const text = await this.metrics.renderMetrics();
    response.writeHead(200, { 'Content-Type': this.metrics.registry.contentType }).end(text);
  }

  /** Why the process cannot do its work; null when it can. */
  private async unreadiness(): Promise<string | null> {
    if (this.stopping) return 'This host is shutting down.';
    if (this.loop.isLagging) return 'This host is overloaded.';
    const limit = new Promise<never>((_resolve, reject) =>
      setTimeout(() => reject(new Error('An external service does not respond.')), CHECK_LIMIT_MS).unref(),
    );
    return Promise.race([Promise.all(this.checks.map((check) => check())), limit]).then(
      () => null,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
  }
}

function send(response: ServerResponse, status: number, text: string): void {
  response
    .writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' })
    .end(JSON.stringify(status === 200 ? { status: text } : { status, detail: text }));
}

import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { type PermissionSet, RoutePolicies, type RoutePolicy } from '@atrium/platform/access';
import { API_PREFIX, Edge, type FinishedRequest, secretsOf } from '@atrium/platform/http';
import { Metrics } from '@atrium/platform/observability';
import { PublicSampler } from '../domain/public-sampler';
import { MAX_KEPT_BODY, noteOn, rowOf, type SeenRequest, type RouteNote } from '../domain/seen-request';
import { Backlog } from './backlog';
import { RowDelivery } from './row-delivery';

const NO_SECRETS: ReadonlySet<string> = new Set();

interface KnownRoute {
  readonly operation: string;
  readonly policy: RoutePolicy | undefined;
  readonly secrets: ReadonlySet<string>;
}

/** Requests that may wait in memory while neither the database nor Redis takes them. */
const CAPACITY = 10_000;
/** Bytes of bodies that may wait; beyond, bodies are noted like large ones. */
const MAX_WAITING_BODIES = 8 * 1024 * 1024;
const BATCH = 500;
/** Waiting requests that are delivered at once; with the interval, it bounds what a process that is killed takes with it. */
const FULL = 100;
const EVERY_MS = 250;
const LAST_TRIES = 4;

const PATH = `/${API_PREFIX}/`;
/** Refusals that come before the workspace is known; all others belong to one, or to nobody. */
const BEFORE_WORKSPACE: ReadonlySet<string | undefined> = new Set(['unauthenticated', 'tenant_required', 'tenant_forbidden']);

interface Waiting extends SeenRequest {
  readonly held: PermissionSet | undefined;
}

/**
 * Records every request of a known workspace. On the request's path it only notes references; rows are built and
 * delivered in batches, in the background, and once more when the host stops. What nobody takes waits, and when too much
 * waits the oldest is dropped and counted.
 */
@Injectable()
export class AccessLogWriter implements OnModuleInit, OnApplicationShutdown {
  constructor(
    private readonly edge: Edge,
    private readonly delivery: RowDelivery,
    private readonly metrics: Metrics,
    private readonly policies: RoutePolicies,
  ) {}

  private readonly log = new Logger(AccessLogWriter.name);
  private readonly waiting = new Backlog<Waiting>(CAPACITY);
  private readonly sampler = new PublicSampler();
  private waitingBodies = 0;
  private writing: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;

  onModuleInit(): void {
    this.edge.recordWith((finished) => this.record(finished));
    this.timer = setInterval(() => void this.flushBacklog(), EVERY_MS).unref();
  }

  /** When the host has drained, so that nothing is added any more; the database is still there, it is the last to go. */
  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    for (let left = LAST_TRIES; this.waiting.size > 0 && left > 0; left--) {
      await this.flushBacklog();
      if (this.waiting.size > 0) await pause(EVERY_MS);
    }
    this.delivery.countLostRows(this.waiting.size);
    await this.delivery.close();
  }

  /** Requests that have ended and are not written yet. */
  get backlog(): number {
    return this.waiting.size;
  }

  /** Delivers what waits, oldest first, until nothing does or nobody takes it. Never rejects. */
  flushBacklog(): Promise<void> {
    return (this.writing ??= this.deliverAll().finally(() => (this.writing = undefined)));
  }

  private record(finished: FinishedRequest): void {
    const { scope, request, started } = finished;
    if (!request.originalUrl.startsWith(PATH)) return;
    if (scope.tenant_id === null) return this.refused(finished);
    const sampling = request.principal ? 'kept' : this.sampler.sampleRequest(scope.tenant_id, started.getTime());
    if (sampling === 'left') return;
    const seen = this.seen(finished, scope.tenant_id, sampling === 'sampled');
    const pushedOut = this.waiting.add(seen);
    this.waitingBodies += keptBytes(seen);
    if (pushedOut) {
      this.waitingBodies -= keptBytes(pushedOut);
      this.delivery.countLostRows(1);
    }
    if (this.waiting.size >= FULL && !this.delivery.isResting) void this.flushBacklog();
  }

  /** Counted and written to the process log: a stranger cannot fill the log of a workspace. */
  private refused({ request, scope }: FinishedRequest): void {
    const code = request.problemCode;
    if (code === undefined || !BEFORE_WORKSPACE.has(code)) return;
    this.metrics.refused.inc({ code });
    this.log.log({
      msg: 'refused before a workspace was known',
      code,
      method: request.method,
      route: request.routePattern,
      ip: request.ip,
      request_id: scope.request_id,
    });
  }

  private seen({ request, status, started, milliseconds, scope }: FinishedRequest, tenant_id: string, sampled: boolean): Waiting {
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
      held: principal?.permissions,
      method: request.method,
      url: request.originalUrl,
      route: request.routePattern,
      params: request.params as Record<string, string>,
      body: keep || body === undefined ? body : noteOn(body, bytesIn),
      bytesIn,
      bytesOut: numberOf(response?.getHeader('content-length')),
      status,
      code: request.problemCode,
      started,
      milliseconds,
      // Without proxies the address is that of the connection; to ask for it by way of them costs more than the rest.
      ip: headers['x-forwarded-for'] === undefined ? request.socket.remoteAddress : request.ip,
      userAgent: headers['user-agent'],
      idempotencyKey: typeof idempotencyKey === 'string' ? idempotencyKey : undefined,
      replayed: response?.hasHeader('idempotent-replayed') ?? false,
      sampled,
      requestId: scope.request_id,
      traceparent: scope.traceparent,
      log_id: undefined,
    };
  }

  private async deliverAll(): Promise<void> {
    while (this.waiting.size > 0) {
      const batch = this.waiting.oldest(BATCH);
      if (!(await this.delivery.deliverRows(batch.items.map((seen) => rowOf(seen, this.noteOf(seen, seen.held)))))) return;
      for (const delivered of this.waiting.release(batch)) this.waitingBodies -= keptBytes(delivered);
    }
    await this.delivery.recoverSpilledRows();
  }

  /** What the access log notes of the route that answered: read once from the composed application, looked up when a row is built. */
  private known: ReadonlyMap<string, KnownRoute> | undefined;

  private noteOf({ method, route, code }: Pick<SeenRequest, 'method' | 'route' | 'code'>, held: PermissionSet | undefined): RouteNote {
    const found = route === undefined ? undefined : this.routes().get(`${method === 'HEAD' ? 'GET' : method} ${route}`);
    // What answered without one of our routes said nothing of its bodies: they are not kept.
    if (!found) return { operation: undefined, depth: route === undefined ? 'none' : 'shape', secrets: NO_SECRETS, permission: undefined };
    const { operation, policy, secrets } = found;
    return {
      operation,
      depth: policy?.log ?? 'shape',
      secrets,
      permission: policy && held && code !== 'license_required' ? passedBy(policy, held) : undefined,
    };
  }

  private routes(): ReadonlyMap<string, KnownRoute> {
    return (this.known ??= new Map(
      this.policies
        .listRoutes()
        .map(({ method, path, operation, policy, body }) => [
          `${method} ${path}`,
          { operation, policy, secrets: body ? secretsOf(body) : NO_SECRETS },
        ]),
    ));
  }
}

/** What a waiting request holds on to because of its body, in bytes at most; of a large body only a note is held. */
const keptBytes = ({ body, bytesIn }: SeenRequest): number =>
  body === undefined || bytesIn === undefined ? 0 : Math.min(bytesIn, MAX_KEPT_BODY);

function numberOf(header: unknown): number | undefined {
  const number = typeof header === 'string' || typeof header === 'number' ? Number(header) : Number.NaN;
  return Number.isSafeInteger(number) ? number : undefined;
}

/** The first permission held of those of which one is enough, or all of those that are needed together. */
function passedBy({ any, all, anySet, allSet }: RoutePolicy, held: PermissionSet): string | undefined {
  if (!held.hasAll(allSet) || (!anySet.isEmpty && !held.hasAny(anySet))) return undefined;
  const passed = [...(all ?? []), ...(any?.filter((permission) => held.has(permission)).slice(0, 1) ?? [])];
  return passed.length === 0 ? undefined : passed.join(' ');
}

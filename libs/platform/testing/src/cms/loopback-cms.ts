import {
  createServer,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

export type Json = string | number | boolean | null | readonly Json[] | JsonRecord;
export interface JsonRecord {
  readonly [key: string]: Json | undefined;
}

export interface CmsRequest {
  readonly method: string;
  /** As it was asked for, without the query. */
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly raw: Buffer;
}

export interface CmsAnswer {
  readonly status: number;
  readonly body?: unknown;
  /** Sent as it is, in place of a body. */
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What goes wrong with a request, or happens beside it. */
export type CmsFault =
  | { readonly status: number; readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> }
  /** The connection ends without an answer; what was asked for was carried out before, or not. */
  | { readonly cut: 'before' | 'applied' }
  | { readonly delayMs: number }
  /** An answer as it must not be. */
  | { readonly garbage: string; readonly type?: string }
  /** Something that another person does just before. */
  | { readonly meanwhile: () => unknown };

export interface FaultPlan {
  readonly times?: number;
  /** `GET /stories/:id`; without it any request. */
  readonly route?: string;
}

/** One request as it was counted. */
export interface SeenCall {
  readonly route: string;
  readonly path: string;
  readonly query: string;
  readonly status: number;
}

export interface Delivery {
  readonly url: string;
  /** Null where nobody answered. */
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export type CmsRoute = readonly [route: string, handle: (request: CmsRequest) => CmsAnswer];

/** A request that the CMS refuses. */
export class Refusal extends Error {
  constructor(readonly answer: CmsAnswer) {
    super(`${answer.status}`);
  }
}

const WINDOW_MS = 1_000;

/** Answers that no client may take for good. */
export const GARBAGE = {
  html: { garbage: '<!doctype html><html><head><title>502</title></head><body><h1>Bad gateway</h1></body></html>', type: 'text/html' },
  brokenJson: { garbage: '{"story": {"id": 1, "name": "Half' },
  deep: { garbage: `${'{"a":'.repeat(300)}1${'}'.repeat(300)}` },
  get large(): { readonly garbage: string } {
    return { garbage: JSON.stringify({ filler: 'x'.repeat(12 * 1024 * 1024) }) };
  },
} as const;

/** What the loopback servers of CMS products have in common: routes, refusals, limits, faults, and webhooks that are delivered. */
export abstract class LoopbackCms {
  readonly calls: SeenCall[] = [];
  readonly deliveries: Delivery[] = [];
  /** Requests a second; null: as many as come. */
  rate: number | null = null;
  /** How many requests were refused because they came too fast. */
  limited = 0;
  /** A list that answers its first page for ever. */
  repeatsPages = false;
  private readonly faults: { fault: CmsFault; left: number; route: string | undefined }[] = [];
  private readonly recent: number[] = [];
  private readonly underway = new Set<Promise<void>>();
  private server: Server | undefined;
  private table: readonly {
    readonly route: string;
    readonly method: string;
    readonly parts: readonly string[];
    readonly handle: CmsRoute[1];
  }[] = [];
  private lastTime = 0;

  /** Routes stand below it, unless they begin with `~`. */
  protected abstract readonly base: string;
  protected abstract routes(): readonly CmsRoute[];
  /** Refuses who may not ask. */
  protected abstract authorize(request: CmsRequest): void;
  protected abstract tooFast(): CmsAnswer;
  protected abstract unknownRoute(): CmsAnswer;

  protected async listen(): Promise<this> {
    this.table = this.routes().map(([route, handle]) => {
      const [method = '', path = ''] = route.split(' ');
      return { route, method, parts: (path.startsWith('~') ? path.slice(1) : this.base + path).split('/'), handle };
    });
    this.server = createServer((request, response) => void this.serve(request, response));
    await new Promise<void>((done) => this.server?.listen(0, '127.0.0.1', done));
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server?.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    await this.delivered();
    this.server?.closeAllConnections();
    await new Promise((done) => this.server?.close(done));
  }

  /** Has the next requests go wrong. Plans of several calls follow one another. */
  plan(fault: CmsFault, { times = 1, route }: FaultPlan = {}): void {
    this.faults.push({ fault, left: times, route });
  }

  /** Requests of a route, `GET /stories/:id`, or all. */
  countCalls(route?: string): number {
    return this.calls.filter((call) => route === undefined || call.route === route).length;
  }

  forgetCalls(): void {
    this.calls.length = 0;
    this.limited = 0;
  }

  /** Until every event that was sent is answered. */
  async delivered(): Promise<void> {
    while (this.underway.size > 0) await Promise.all(this.underway);
  }

  /** Later than every time before, so that no two changes are of one moment. */
  protected now(): string {
    this.lastTime = Math.max(Date.now(), this.lastTime + 1);
    return new Date(this.lastTime).toISOString();
  }

  protected deliver(url: string, headers: Readonly<Record<string, string>>, body: string): void {
    const delivery = new Promise<number | null>((done) => {
      const request = httpRequest(
        url,
        { method: 'POST', headers: { ...headers, 'content-length': Buffer.byteLength(body) } },
        (response) => {
          response.resume().on('end', () => done(response.statusCode ?? null));
        },
      );
      request.on('error', () => done(null)).end(body);
    }).then((status) => {
      this.deliveries.push({ url, status, headers, body });
      this.underway.delete(delivery);
    });
    this.underway.add(delivery);
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://loopback');
    const raw = await bytesOf(request);
    const method = request.method ?? 'GET';
    const found = this.find(method, url.pathname);
    const asked = { method, path: url.pathname, params: found?.params ?? {}, query: url.searchParams, headers: request.headers, raw };
    const fault = this.nextFault(found?.route ?? '');
    const answer = await this.answer(asked, found, fault);
    this.calls.push({ route: found?.route ?? '?', path: url.pathname, query: url.search, status: answer?.status ?? 0 });
    if (answer === null) return void request.socket.destroy();
    const text = answer.text ?? (answer.body === undefined ? '' : JSON.stringify(answer.body));
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers }).end(text);
  }

  private async answer(request: CmsRequest, found: Found | undefined, fault: CmsFault | undefined): Promise<CmsAnswer | null> {
    if (fault && 'delayMs' in fault) await pause(fault.delayMs);
    if (fault && 'meanwhile' in fault) await fault.meanwhile();
    if (fault && 'cut' in fault && fault.cut === 'before') return null;
    if (fault && 'status' in fault) return fault;
    if (fault && 'garbage' in fault)
      return { status: 200, text: fault.garbage, headers: { 'content-type': fault.type ?? 'application/json' } };
    if (this.isTooFast()) {
      this.limited += 1;
      return this.tooFast();
    }
    const answer = this.carryOut(request, found);
    return fault && 'cut' in fault ? null : answer;
  }

  private carryOut(request: CmsRequest, found: Found | undefined): CmsAnswer {
    try {
      if (!found) return this.unknownRoute();
      this.authorize(request);
      return found.handle(request);
    } catch (error) {
      if (error instanceof Refusal) return error.answer;
      throw error;
    }
  }

  private find(method: string, path: string): Found | undefined {
    const parts = path.split('/');
    for (const row of this.table) {
      if (row.method !== method || row.parts.length !== parts.length) continue;
      const params: Record<string, string> = {};
      const fits = row.parts.every((part, at) => {
        const given = parts[at] ?? '';
        if (!part.startsWith(':')) return part === given;
        params[part.slice(1)] = decodeURIComponent(given);
        return given !== '';
      });
      if (fits) return { route: row.route, handle: row.handle, params };
    }
    return undefined;
  }

  private nextFault(route: string): CmsFault | undefined {
    const at = this.faults.findIndex((one) => one.route === undefined || one.route === route);
    const planned = this.faults[at];
    if (!planned) return undefined;
    planned.left -= 1;
    if (planned.left === 0) this.faults.splice(at, 1);
    return planned.fault;
  }

  private isTooFast(): boolean {
    if (this.rate === null) return false;
    const now = performance.now();
    while ((this.recent[0] ?? Infinity) <= now - WINDOW_MS) this.recent.shift();
    if (this.recent.length >= this.rate) return true;
    this.recent.push(now);
    return false;
  }
}

interface Found {
  readonly route: string;
  readonly handle: CmsRoute[1];
  readonly params: Readonly<Record<string, string>>;
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

/** The body of a request as an object. */
export function objectIn({ raw }: CmsRequest, refuse: () => CmsAnswer): JsonRecord {
  try {
    const value = JSON.parse(raw.toString()) as Json;
    if (isRecord(value)) return value;
  } catch {
    // Refused below.
  }
  throw new Refusal(refuse());
}

export const isRecord = (value: unknown): value is JsonRecord => typeof value === 'object' && value !== null && !Array.isArray(value);
export const textIn = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** Parameters of a query that the real service does not know are errors of its client. */
export function unknownParameter(query: URLSearchParams, known: readonly string[]): string | undefined {
  return [...query.keys()].find((name) => !known.includes(name));
}

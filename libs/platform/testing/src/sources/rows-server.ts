import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type SourceItem = Readonly<Record<string, unknown>>;
/** Answers one request in the place of the server; it is then asked as before. */
export type Fault = (request: IncomingMessage, response: ServerResponse) => unknown;

const MOST_A_PAGE = 1_000;
const STYLES = ['plain', 'page', 'offset', 'cursor', 'next', 'link'] as const;

/**
 * An API of rows on loopback that speaks one pagination style at each path and is strict about it: a request without the
 * parameters of its style, or with those of another, is refused. Rows can change between requests.
 */
export class RowsServer {
  rows: readonly SourceItem[] = [];
  /** Rows of a page where the client does not say. */
  pageSize = 500;
  /** Credentials that every request has to carry, as a header and its value. */
  secret: readonly [name: string, value: string] | null = null;
  /** What goes wrong with the next requests, one after the other. */
  readonly faults: Fault[] = [];
  /** Called before each page is made. */
  onPage: (page: number) => void = () => undefined;
  readonly asked: string[] = [];
  /** Bytes at `/table`, as they are. */
  table: string | Buffer = '';

  private constructor(private readonly server: Server) {}

  static async start(): Promise<RowsServer> {
    const server = createServer();
    const rows = new RowsServer(server);
    server.on('request', (request: IncomingMessage, response: ServerResponse) => void rows.serve(request, response));
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    return rows;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.url);
    this.asked.push(url.pathname + url.search);
    const fault = this.faults.shift();
    if (fault) return void fault(request, response);
    if (this.secret && request.headers[this.secret[0]] !== this.secret[1]) return send(response, 401, { error: 'Unknown client' });
    if (url.pathname === '/table') return void response.writeHead(200, { 'content-type': 'text/csv' }).end(this.table);
    const style = STYLES.find((one) => `/${one}` === url.pathname);
    if (!style) return send(response, 404, { error: 'Not here' });
    this.onPage(this.asked.length);
    const parameters =
      request.method === 'POST'
        ? new Map(Object.entries(await bodyOf(request)).map(([name, value]) => [name, String(value)]))
        : new Map(url.searchParams);
    this[style](parameters, response);
  }

  private plain(parameters: ReadonlyMap<string, string>, response: ServerResponse): void {
    if (parameters.size > 0) return refuse(response);
    send(response, 200, this.rows);
  }

  private page(parameters: ReadonlyMap<string, string>, response: ServerResponse): void {
    const page = whole(parameters.get('page'), 1);
    const size = this.sizeOf(parameters, 'per_page');
    if (page === undefined || size === undefined || !only(parameters, ['page', 'per_page'])) return refuse(response);
    send(response, 200, { items: this.rows.slice((page - 1) * size, page * size), total: this.rows.length });
  }

  private offset(parameters: ReadonlyMap<string, string>, response: ServerResponse): void {
    const offset = whole(parameters.get('offset'), 0);
    const size = this.sizeOf(parameters, 'limit');
    if (offset === undefined || size === undefined || !only(parameters, ['offset', 'limit'])) return refuse(response);
    send(response, 200, { items: this.rows.slice(offset, offset + size), total: this.rows.length });
  }

  private cursor(parameters: ReadonlyMap<string, string>, response: ServerResponse): void {
    const at = parameters.has('after') ? this.opened(parameters.get('after') ?? '') : 0;
    if (at === undefined || !only(parameters, ['after'])) return refuse(response);
    const end = at + this.pageSize;
    send(response, 200, { items: this.rows.slice(at, end), meta: { next: end < this.rows.length ? sealed(end) : null } });
  }

  private next(parameters: ReadonlyMap<string, string>, response: ServerResponse): void {
    const at = parameters.has('at') ? this.opened(parameters.get('at') ?? '') : 0;
    if (at === undefined || !only(parameters, ['at'])) return refuse(response);
    const end = at + this.pageSize;
    send(response, 200, { items: this.rows.slice(at, end), next: end < this.rows.length ? `${this.url}/next?at=${sealed(end)}` : null });
  }

  private link(parameters: ReadonlyMap<string, string>, response: ServerResponse): void {
    const at = parameters.has('at') ? this.opened(parameters.get('at') ?? '') : 0;
    if (at === undefined || !only(parameters, ['at'])) return refuse(response);
    const end = at + this.pageSize;
    const links = [`<${this.url}/link>; rel="first"`, ...(end < this.rows.length ? [`</link?at=${sealed(end)}>; rel="next"`] : [])];
    send(response, 200, this.rows.slice(at, end), { link: links.join(', ') });
  }

  private sizeOf(parameters: ReadonlyMap<string, string>, name: string): number | undefined {
    const said = parameters.get(name);
    return said === undefined ? this.pageSize : Math.min(whole(said, 1) ?? 0, MOST_A_PAGE) || undefined;
  }

  /** A cursor is the server's own: a client that makes one up is refused. */
  private opened(cursor: string): number | undefined {
    const [, at] = /^c(\d+)$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
    return at === undefined ? undefined : Number(at);
  }
}

/** 429 with the pause that it asks for. */
export const busy =
  (seconds: number): Fault =>
  (_, response) =>
    response.writeHead(429, { 'retry-after': String(seconds) }).end();

/** Less than it announces. */
export const cutOff: Fault = (_, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
  response.write('{"items":[{"id"');
  setImmediate(() => response.destroy());
};

/** A whole answer, and only half of a text. */
export const halfText: Fault = (_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"items":[{"id"');

export const status =
  (code: number): Fault =>
  (_, response) =>
    response.writeHead(code).end('{}');

export const ledTo =
  (address: string): Fault =>
  (_, response) =>
    response.writeHead(302, { location: address }).end();

const sealed = (at: number): string => Buffer.from(`c${at}`).toString('base64url');
const only = (parameters: ReadonlyMap<string, string>, names: readonly string[]): boolean =>
  [...parameters.keys()].every((name) => names.includes(name));

function whole(text: string | undefined, min: number): number | undefined {
  return text !== undefined && /^\d+$/.test(text) && Number(text) >= min ? Number(text) : undefined;
}

const refuse = (response: ServerResponse): void => send(response, 400, { error: 'Wrong parameters' });

function send(response: ServerResponse, code: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(code, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return JSON.parse(Buffer.concat(pieces).toString()) as Record<string, unknown>;
}

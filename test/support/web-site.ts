import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a site answers at one path. */
export type Answer = (request: IncomingMessage, response: ServerResponse) => unknown;

/** A request that reached a site. */
export interface SeenRequest {
  readonly path: string;
  readonly at: number;
  readonly headers: IncomingMessage['headers'];
}

/** A website on loopback, in the hands of a test: its pages can change, go and be asked after. */
export class WebSite {
  readonly seen: SeenRequest[] = [];
  /** The most requests that were open at once. */
  together = 0;
  private open = 0;
  private readonly pages = new Map<string, Answer>();

  private constructor(private readonly server: Server) {}

  static async start(): Promise<WebSite> {
    const server = createServer((request, response) => site.answer(request, response));
    const site = new WebSite(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return site;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The site answers so at a path, query included; undefined: there is nothing any more. */
  at(path: string, answer: Answer | string | undefined): this {
    if (answer === undefined) this.pages.delete(path);
    else this.pages.set(path, typeof answer === 'string' ? page(answer) : answer);
    return this;
  }

  /** How often a path was asked for. */
  asked(path: string): number {
    return this.seen.filter((request) => request.path === path).length;
  }

  forget(): void {
    this.seen.length = 0;
    this.together = 0;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    this.seen.push({ path: request.url ?? '', at: performance.now(), headers: request.headers });
    this.together = Math.max(this.together, ++this.open);
    response.on('close', () => this.open--);
    const answer = this.pages.get(request.url ?? '');
    if (answer) answer(request, response);
    else response.writeHead(404, { 'content-type': 'text/html' }).end('<html><body>Not here</body></html>');
  }
}

/** HTML of a page with a title, a text that is long enough to be one, and links. */
export function html(
  title: string,
  text: string,
  { links = [], head = '' }: { readonly links?: readonly string[]; readonly head?: string } = {},
): string {
  const anchors = links.map((href) => `<li><a href="${href}">To ${href}</a></li>`).join('');
  return `<!doctype html><html lang="en"><head><title>${title}</title>${head}</head><body><main><h1>${title}</h1><p>${text}</p></main><ul>${anchors}</ul></body></html>`;
}

/** A page that answers 304 to a client that has it. */
export const page =
  (body: string, headers: Readonly<Record<string, string>> = {}): Answer =>
  (request, response) => {
    const etag = `"${Buffer.from(body).toString('base64').length}-${[...body].reduce((sum, sign) => (sum * 31 + sign.charCodeAt(0)) >>> 0, 7)}"`;
    if (request.headers['if-none-match'] === etag) response.writeHead(304).end();
    else response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', etag, ...headers }).end(body);
  };

/** A page that leads elsewhere. */
export const redirect =
  (to: string): Answer =>
  (_, response) =>
    response.writeHead(302, { location: to }).end();

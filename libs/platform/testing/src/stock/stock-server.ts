import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const KEYS = { unsplash: 'Client-ID unsplash-key', pexels: 'pexels-key' };
const TOTAL = 7;
const HOURLY = '50';

/**
 * Unsplash and Pexels on loopback, with the answers, the headers of limits and the refusals of each. Seven photos match
 * every search; their bytes are those that the test gives.
 */
export class StockServer {
  readonly searches: URLSearchParams[] = [];
  /** Ids of Unsplash photos whose download was reported. */
  readonly pings: string[] = [];
  picture: Buffer = Buffer.alloc(0);
  /** What goes wrong next with a provider. */
  readonly limited = { unsplash: false, pexels: false };
  readonly broken = { unsplash: false, pexels: false };
  /** Where bytes are led to instead. */
  redirect: string | null = null;
  /** When Pexels answers again, in seconds since 1970. */
  reset = 0;

  private constructor(private readonly server: Server) {}

  static async start(): Promise<StockServer> {
    const server = createServer();
    const stock = new StockServer(server);
    server.on('request', (request: IncomingMessage, response: ServerResponse) => stock.serve(request, response));
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    return stock;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }

  private serve(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '/', this.url);
    if (url.pathname.startsWith('/bytes/')) return this.bytes(response);
    const provider = url.pathname.startsWith('/v1/') ? 'pexels' : 'unsplash';
    if (request.headers.authorization !== KEYS[provider])
      return send(
        response,
        401,
        provider === 'unsplash' ? { errors: ['OAuth error: The access token is invalid'] } : { error: 'Unauthorized' },
      );
    if (this.broken[provider]) return send(response, 500, { error: 'Internal' });
    if (this.limited[provider]) return this.limit(provider, response);
    if (provider === 'pexels') return this.pexels(url, response);
    this.unsplash(url, response);
  }

  /** Unsplash refuses with 403 and plain text when the hour is spent, Pexels with 429. */
  private limit(provider: 'unsplash' | 'pexels', response: ServerResponse): void {
    if (provider === 'unsplash')
      return void response
        .writeHead(403, { 'content-type': 'text/plain', 'x-ratelimit-limit': HOURLY, 'x-ratelimit-remaining': '0' })
        .end('Rate Limit Exceeded');
    send(
      response,
      429,
      { error: 'Rate limit exceeded' },
      { 'x-ratelimit-limit': '200', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(this.reset) },
    );
  }

  private bytes(response: ServerResponse): void {
    if (this.redirect !== null) return void response.writeHead(302, { location: this.redirect }).end();
    response.writeHead(200, { 'content-type': 'image/jpeg', 'content-length': String(this.picture.length) }).end(this.picture);
  }

  private unsplash(url: URL, response: ServerResponse): void {
    const limits = { 'x-ratelimit-limit': HOURLY, 'x-ratelimit-remaining': '49' };
    const [, kind, id = '', action] = url.pathname.split('/');
    if (url.pathname === '/search/photos') {
      const { numbers, pages } = this.searched(url);
      return send(
        response,
        200,
        { total: TOTAL, total_pages: pages, results: numbers.map((number) => this.unsplashPhoto(`u${number}`)) },
        limits,
      );
    }
    if (kind !== 'photos' || !/^u[1-7]$/.test(id)) return send(response, 404, { errors: ["Couldn't find Photo"] }, limits);
    if (action !== 'download') return send(response, 200, this.unsplashPhoto(id), limits);
    this.pings.push(id);
    send(response, 200, { url: `${this.url}/bytes/${id}` }, limits);
  }

  private pexels(url: URL, response: ServerResponse): void {
    const limits = { 'x-ratelimit-limit': '200', 'x-ratelimit-remaining': '199', 'x-ratelimit-reset': '1893456000' };
    if (url.pathname === '/v1/search') {
      const { numbers, page, pages } = this.searched(url);
      const next = page < pages ? { next_page: `${this.url}/v1/search?page=${page + 1}` } : {};
      return send(
        response,
        200,
        { page, per_page: numbers.length, total_results: TOTAL, photos: numbers.map((number) => this.pexelsPhoto(number)), ...next },
        limits,
      );
    }
    const number = Number(/^\/v1\/photos\/([1-7])$/.exec(url.pathname)?.[1] ?? 0);
    if (number === 0) return send(response, 404, { status: 404, error: 'Not Found' }, limits);
    send(response, 200, this.pexelsPhoto(number), limits);
  }

  private searched({ searchParams }: URL): { readonly numbers: readonly number[]; readonly page: number; readonly pages: number } {
    this.searches.push(searchParams);
    const [page, count] = [Number(searchParams.get('page') ?? 1), Number(searchParams.get('per_page') ?? 10)];
    const numbers = Array.from({ length: TOTAL }, (_, at) => at + 1).slice((page - 1) * count, page * count);
    return { numbers, page, pages: Math.ceil(TOTAL / count) };
  }

  private unsplashPhoto(id: string): object {
    return {
      id,
      width: 4_000,
      height: 3_000,
      color: '#26408c',
      description: null,
      alt_description: `harbour ${id}`,
      urls: {
        raw: `${this.url}/bytes/${id}?ixid=x`,
        full: `${this.url}/bytes/${id}?q=85`,
        regular: `${this.url}/bytes/${id}?w=1080`,
        small: `${this.url}/bytes/${id}?w=400`,
        thumb: `${this.url}/bytes/${id}?w=200`,
      },
      links: {
        self: `${this.url}/photos/${id}`,
        html: `https://unsplash.com/photos/${id}`,
        download: `https://unsplash.com/photos/${id}/download`,
        download_location: `${this.url}/photos/${id}/download?ixid=x`,
      },
      user: { id: 'a', username: 'ada', name: 'Ada Lovelace', links: { html: 'https://unsplash.com/@ada' } },
    };
  }

  private pexelsPhoto(id: number): object {
    const at = (name: string): string => `${this.url}/bytes/p${id}?size=${name}`;
    return {
      id,
      width: 3_000,
      height: 2_000,
      url: `https://www.pexels.com/photo/${id}/`,
      photographer: 'Grace Hopper',
      photographer_url: 'https://www.pexels.com/@grace',
      photographer_id: 1,
      avg_color: '#978E82',
      src: {
        original: at('original'),
        large2x: at('large2x'),
        large: at('large'),
        medium: at('medium'),
        small: at('small'),
        portrait: at('portrait'),
        landscape: at('landscape'),
        tiny: at('tiny'),
      },
      liked: false,
      alt: `boats ${id}`,
    };
  }
}

function send(response: ServerResponse, status: number, body: object, headers: Readonly<Record<string, string>> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { StrictS3Server } from '@atrium/platform/testing';

/** How storage is away: connections are cut, or every request is refused. */
export type Trouble = 'cut' | 'denied';

interface Held {
  readonly path: string;
  readonly release: () => void;
}

/** A strict S3 server behind a way that can be cut, refused or held: a held request is done, and its answer does not arrive yet. */
export class TroubledStore {
  trouble: Trouble | null = null;
  /** Bodies of requests that delete, as far as the test has not forgotten them. */
  deletions = '';
  readonly held: Held[] = [];
  private holding: readonly RegExp[] = [];

  private constructor(
    private readonly store: StrictS3Server,
    private readonly server: Server,
  ) {}

  static async start(): Promise<TroubledStore> {
    const store = await new StrictS3Server().start();
    const server = createServer();
    const troubled = new TroubledStore(store, server);
    server.on('request', (req, res) => troubled.pass(req, res));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return troubled;
  }

  get environment(): Record<string, string> {
    const { accessKey, secretKey, region } = this.store.credentials;
    return {
      S3_ENDPOINT: `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`,
      S3_REGION: region,
      S3_BUCKET: 'atrium-test',
      S3_ACCESS_KEY: accessKey,
      S3_SECRET_KEY: secretKey,
    };
  }

  /** From now on the first answer on what was stored at each of these paths is held: the object is there, and its maker does not know yet. */
  holdFirst(...paths: readonly RegExp[]): void {
    this.holding = paths;
  }

  /** All held answers go out. */
  release(): void {
    this.holding = [];
    for (const { release } of this.held.splice(0)) release();
  }

  async stop(): Promise<void> {
    this.release();
    this.server.closeAllConnections();
    this.server.close();
    await this.store.stop();
  }

  private pass(req: IncomingMessage, res: ServerResponse): void {
    if (this.trouble !== null) return this.refuse(this.trouble, req, res);
    const { hostname, port } = new URL(this.store.endpoint);
    const url = req.url ?? '/';
    if (req.method === 'POST' && url.includes('delete')) req.on('data', (chunk: Buffer) => (this.deletions += chunk.toString()));
    if (req.method === 'DELETE') this.deletions += url;
    const held = req.method === 'HEAD' ? this.holding.find((path) => path.test(url)) : undefined;
    if (held) this.holding = this.holding.filter((path) => path !== held);
    const passed = request({ hostname, port, method: req.method, path: url, headers: req.headers }, (answer) => {
      const send = (): void => {
        res.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(res);
      };
      if (held) this.held.push({ path: url, release: send });
      else send();
    });
    passed.on('error', () => res.destroy());
    req.pipe(passed);
  }

  private refuse(trouble: Trouble, req: IncomingMessage, res: ServerResponse): void {
    if (trouble === 'cut') {
      req.socket.destroy();
      return;
    }
    req.resume();
    res
      .writeHead(403, { 'content-type': 'application/xml', connection: 'close' })
      .end('<Error><Code>AccessDenied</Code><Message>No.</Message></Error>');
  }
}

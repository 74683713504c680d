import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What an edge received, and what it answered. */
export interface Told {
  readonly call: string;
  readonly body: {
    readonly files?: string[];
    readonly urls?: string[];
    readonly rules?: { readonly kind: string; readonly values: string[] }[];
    readonly state?: string;
  };
  readonly status: number;
}

const SECRET = 'edge-secret';

/** Two edges in one: the API of Cloudflare, and one that takes signed policies. Gives the prepared answers first, then succeeds. */
export class LoopbackEdges {
  readonly told: Told[] = [];
  readonly refusals: { readonly call: RegExp; readonly status: number; readonly headers?: Record<string, string> }[] = [];
  private readonly server: Server = createServer((req, res) => {
    void this.read(req).then((text) => {
      const call = `${req.method} ${req.url}`;
      const at = this.refusals.findIndex((refusal) => refusal.call.test(call));
      const [refusal] = at < 0 ? [] : this.refusals.splice(at, 1);
      const status = this.isGenuine(req, text) ? (refusal?.status ?? 200) : 401;
      this.told.push({ call, body: (text === '' ? {} : JSON.parse(text)) as Told['body'], status });
      res.writeHead(status, { 'content-type': 'application/json', ...refusal?.headers }).end(JSON.stringify({ success: status === 200 }));
    });
  });

  /** The settings that a host reports. */
  async start(): Promise<Record<string, string>> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    const url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    return {
      EDGE_CLOUDFLARE_URL: url,
      EDGE_CLOUDFLARE_ZONE: 'zone-1',
      EDGE_CLOUDFLARE_TOKEN: 'cf-token',
      EDGE_HTTP_URL: `${url}/edge`,
      EDGE_HTTP_SECRET: SECRET,
    };
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  /** Good answers to calls that match. */
  taken(call: RegExp): Told[] {
    return this.told.filter((one) => call.test(one.call) && one.status === 200);
  }

  private isGenuine(req: IncomingMessage, text: string): boolean {
    if (req.url?.startsWith('/client/v4/')) return req.headers.authorization === 'Bearer cf-token' && req.method === 'POST';
    const { 'x-atrium-timestamp': at, 'x-atrium-signature': signature } = req.headers;
    const expected = createHmac('sha256', SECRET).update([at, req.method, req.url, text].join('\n')).digest('hex');
    return signature === `sha256=${expected}` && Math.abs(Number(at) - Date.now() / 1_000) < 60;
  }

  private async read(req: IncomingMessage): Promise<string> {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks).toString();
  }
}

export const CLOUDFLARE = /^POST \/client\/v4\/zones\/zone-1\/purge_cache$/;
export const PURGE = /^POST \/edge\/purge$/;

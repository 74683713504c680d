import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { StrictS3Server } from '@atrium/platform/testing';

/** An S3 server that takes nothing for one bucket while it is set to fail; reads continue. */
export class FailingStore {
  failing = false;
  refused = 0;

  private constructor(
    private readonly store: StrictS3Server,
    private readonly server: Server,
    private readonly bucket: string,
  ) {}

  static async start(bucket: string): Promise<FailingStore> {
    const store = await new StrictS3Server().start();
    const behind = new URL(store.endpoint);
    const server = createServer();
    const failing = new FailingStore(store, server, bucket);
    server.on('request', (req, res) => {
      if (failing.failing && req.method === 'PUT' && req.url?.startsWith(`/${bucket}/`)) {
        failing.refused += 1;
        req.resume();
        res
          .writeHead(500, { 'content-type': 'application/xml' })
          .end('<Error><Code>InternalError</Code><Message>The store is broken.</Message></Error>');
        return;
      }
      const passed = request(
        { hostname: behind.hostname, port: behind.port, method: req.method, path: req.url, headers: req.headers },
        (answer) => {
          res.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(res);
        },
      );
      passed.on('error', () => res.destroy());
      req.pipe(passed);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return failing;
  }

  get environment(): Record<string, string> {
    const { accessKey, secretKey, region } = this.store.credentials;
    const { port } = this.server.address() as AddressInfo;
    return {
      S3_ENDPOINT: `http://127.0.0.1:${port}`,
      S3_REGION: region,
      S3_BUCKET: 'atrium-test',
      S3_ACCESS_KEY: accessKey,
      S3_SECRET_KEY: secretKey,
      PUBLIC_BUCKET: this.bucket,
    };
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await this.store.stop();
  }
}

import { once } from 'node:events';
import { request } from 'node:http';
import { Readable } from 'node:stream';
import { SystemClock } from '@atrium/platform/kernel';
import { StrictS3Server } from '../../../testing/src/s3';
import { bytesOf, freshKey } from '../contract/backend';
import { S3ObjectStore, type S3StoreOptions } from './s3-object-store';

const MIB = 1024 * 1024;

describe('S3ObjectStore', () => {
  let server: StrictS3Server;
  const storeWith = (changes: Partial<S3StoreOptions> = {}): S3ObjectStore =>
    new S3ObjectStore({
      endpoint: server.endpoint,
      credentials: server.credentials,
      bucket: 'first',
      pathStyle: true,
      clock: new SystemClock(),
      ...changes,
    });

  beforeAll(async () => {
    server = await new StrictS3Server().start();
    await storeWith().prepare({ createBucket: true });
  });
  afterAll(() => server.stop());

  it('makes a missing bucket only when it may, and else says what to do', async () => {
    const store = storeWith({ bucket: 'second' });
    await expect(store.prepare({ createBucket: false })).rejects.toThrow(/The bucket "second" does not exist .* S3_BUCKET/);
    await expect(store.check()).rejects.toMatchObject({ code: 'service_unavailable' });
    await Promise.all([store.prepare({ createBucket: true }), store.prepare({ createBucket: true })]);
    await expect(store.check()).resolves.toBeUndefined();
  });

  it('signs for the public endpoint, in the path or in the host name', async () => {
    const key = freshKey();
    const get = { key, expiresInSeconds: 60, disposition: 'inline' } as const;
    expect(await storeWith({ publicEndpoint: 'https://files.example.com' }).signGet(get)).toMatch(
      `https://files.example.com/first/${key}?`,
    );
    expect(await storeWith({ publicEndpoint: 'https://s3.example.com/', pathStyle: false }).signGet(get)).toMatch(
      `https://first.s3.example.com/${key}?`,
    );
    expect(await storeWith({ publicEndpoint: 'https://example.com/store/' }).signGet(get)).toMatch(
      `https://example.com/store/first/${key}?`,
    );
  });

  it('signs virtual-host addresses that the server accepts', async () => {
    const key = freshKey();
    await storeWith().putObject(key, Buffer.from('virtual'));
    const { port } = new URL(server.endpoint);
    const publicEndpoint = `http://localhost:${port}`;
    const url = new URL(
      await storeWith({ publicEndpoint, pathStyle: false }).signGet({ key, expiresInSeconds: 60, disposition: 'inline' }),
    );
    // The name needs no resolver here: only the Host header counts.
    const call = request({ host: '127.0.0.1', port, path: url.pathname + url.search, headers: { host: url.host } }).end();
    const [response] = (await once(call, 'response')) as [Readable & { statusCode: number }];
    expect(response.statusCode).toBe(200);
    expect((await bytesOf(response)).toString()).toBe('virtual');
  });

  it('stops the download at the server when the stream is destroyed', async () => {
    const key = freshKey();
    await storeWith().putObject(key, Buffer.alloc(30 * MIB));
    const before = server.brokenDownloads;
    const stream = await storeWith().get(key);
    await once(stream, 'readable');
    stream.destroy();
    const deadline = Date.now() + 5_000;
    while (server.brokenDownloads === before && Date.now() < deadline) await new Promise(setImmediate);
    expect(server.brokenDownloads).toBe(before + 1);
  });

  it('leaves no parts behind when a long stream fails', async () => {
    const key = freshKey();
    const source = Readable.from(
      (async function* () {
        for (let i = 0; i < 20; i++) yield Buffer.alloc(MIB);
        throw new Error('the source broke');
      })(),
    );
    await expect(storeWith().putObject(key, source)).rejects.toThrow('the source broke');
    expect(server.openUploads('first')).toBe(0);
    expect(await storeWith().stat(key)).toBeNull();
  });

  it('distinguishes a store that is down from one that refuses', async () => {
    await expect(storeWith({ endpoint: 'http://127.0.0.1:1' }).stat(freshKey())).rejects.toMatchObject({ code: 'service_unavailable' });
    const stranger = storeWith({ credentials: { ...server.credentials, secretKey: 'wrong' } });
    await expect(stranger.putObject(freshKey(), Buffer.from('x'))).rejects.toMatchObject({ code: 'upstream_failed' });
    await expect(stranger.check()).rejects.toMatchObject({ code: 'service_unavailable' });
  });
});

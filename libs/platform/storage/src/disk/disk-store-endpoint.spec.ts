import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readlink, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { createServer, request, type ClientRequest, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SystemClock } from '@atrium/platform/kernel';
import { bytesOf, freshKey } from '../contract/backend';
import { DiskObjectStore } from './disk-object-store';
import { DiskStoreEndpoint } from './disk-store-endpoint';

const MIB = 1024 * 1024;
const BODY = Buffer.from('some bytes of a picture');

describe('DiskStoreEndpoint', () => {
  let root: string;
  let server: Server;
  let store: DiskObjectStore;
  let origin: string;
  const failures: unknown[] = [];

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'disk-endpoint-'));
    server = createServer(async (req, res) => {
      if (!(await endpoint.handleRequest(req, res))) res.writeHead(418).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    store = new DiskObjectStore({ root, origin, secret: randomBytes(32), clock: new SystemClock() });
    const endpoint = new DiskStoreEndpoint(store, { corsOrigins: ['https://app.example.com'], onFailure: (error) => failures.push(error) });
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await rm(root, { recursive: true });
  });

  const signedGet = async (body: Buffer = BODY): Promise<string> => {
    const key = freshKey();
    await store.putObject(key, body);
    return store.signGet({ key, expiresInSeconds: 60, disposition: 'inline', contentType: 'image/png' });
  };
  const signedPut = (size: number): Promise<{ url: string }> => store.signPut({ key: freshKey(), size, expiresInSeconds: 60 });
  const eventually = async (holds: () => Promise<boolean>): Promise<void> => {
    const deadline = Date.now() + 5_000;
    while (!(await holds()) && Date.now() < deadline) await new Promise(setImmediate);
    expect(await holds()).toBe(true);
  };
  /** Files of the store that this process holds open. */
  const openFiles = async (): Promise<number> => {
    const links = await Promise.all((await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')));
    return links.filter((path) => path.startsWith(root)).length;
  };
  const answerTo = async (call: ClientRequest): Promise<IncomingMessage> => ((await once(call, 'response')) as [IncomingMessage])[0];

  it('leaves every other path to the application', async () => {
    for (const path of ['/', '/api/v1/files', '/storage', '/storages/x']) expect((await fetch(origin + path)).status).toBe(418);
  });

  it('answers every refused URL alike, as a problem without a detail', async () => {
    const url = await signedGet();
    const candidates = [
      url.slice(0, -1),
      `${url}&x=1`,
      `${url}&expires=1`,
      ...['no/such-key?expires=9999999999&signature=x', '', 'a?%', '%2fetc/passwd?signature=x'].map((path) => `${origin}/storage/${path}`),
    ];
    const answers = await Promise.all(candidates.map((candidate) => fetch(candidate)));
    const bodies = (await Promise.all(answers.map((answer) => answer.json()))) as { instance: string }[];
    bodies.forEach(({ instance }, i) => expect(instance).toBe(new URL(candidates[i] ?? '').pathname));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 403));
    expect(answers[0]?.headers.get('content-type')).toBe('application/problem+json');
    for (const { instance: _, ...told } of bodies)
      expect(told).toEqual({
        type: '/problems/permission_denied',
        title: 'Access is denied',
        status: 403,
        detail: 'This URL is invalid or has expired. Request a new one.',
        code: 'permission_denied',
      });
    // No client library in between that would tidy the path.
    const climbing = request({ host: '127.0.0.1', port: new URL(origin).port, path: '/storage/../../etc/passwd?signature=x' }).end();
    expect((await answerTo(climbing)).statusCode).toBe(403);
  });

  it('reports a failure of its own to the operator, and nothing of it to the client', async () => {
    const folder = freshKey();
    await store.putObject(folder, BODY);
    await rename(join(root, 'objects', `${folder}.bin`), join(root, 'objects', folder));
    const { url } = await store.signPut({ key: `${folder}/below-a-file`, size: BODY.length, expiresInSeconds: 60 });
    const answer = await fetch(url, { method: 'PUT', body: BODY });
    expect(answer.status).toBe(500);
    expect(await answer.json()).toMatchObject({ code: 'internal_error', detail: 'The object store failed.' });
    expect(failures).toEqual([expect.objectContaining({ code: 'EEXIST' })]);
  });

  it('protects what it serves', async () => {
    const { headers } = await fetch(await signedGet());
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
    expect(headers.get('cache-control')).toBe('private');
  });

  it('answers HEAD as GET without the body, and ignores several ranges', async () => {
    const url = await signedGet();
    const head = await fetch(url, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, String(BODY.length), '']);
    expect((await fetch(url, { headers: { range: 'bytes=0-1,3-4' } })).status).toBe(200);
    expect((await fetch(url, { headers: { range: 'bytes=0-1', 'if-range': '"old"' } })).status).toBe(200);
    expect((await fetch(url, { headers: { range: 'bytes=0-1', 'if-range': head.headers.get('etag') ?? '' } })).status).toBe(206);
  });

  it('opens to the configured browser origins only', async () => {
    const url = await signedGet();
    const preflight = (from: string): Promise<Response> =>
      fetch(url, { method: 'OPTIONS', headers: { origin: from, 'access-control-request-method': 'PUT' } });
    const welcome = await preflight('https://app.example.com');
    expect(welcome.status).toBe(204);
    expect(welcome.headers.get('access-control-allow-methods')).toContain('PUT');
    expect((await preflight('https://evil.example.com')).headers.get('access-control-allow-origin')).toBeNull();
    const got = await fetch(url, { headers: { origin: 'https://app.example.com' } });
    expect(got.headers.get('access-control-allow-origin')).toBe('https://app.example.com');
    expect(got.headers.get('access-control-expose-headers')).toContain('ETag');
    expect(got.headers.get('vary')).toContain('Origin');
  });

  it('answers 413 before the bytes come when they announce to be too many', async () => {
    const { url } = await signedPut(10);
    const call = request(url, { method: 'PUT', headers: { 'content-length': String(100 * MIB) } });
    call.on('error', () => undefined);
    call.flushHeaders();
    expect((await answerTo(call)).statusCode).toBe(413);
    call.destroy();
  });

  it('answers 413 at the first byte too many of a body without a length, and stops reading', async () => {
    const { url } = await signedPut(MIB);
    const call = request(url, { method: 'PUT', headers: { 'transfer-encoding': 'chunked' } });
    call.on('error', () => undefined);
    const answered = answerTo(call);
    call.write(Buffer.alloc(MIB));
    call.write('!');
    // The body never ends: the answer must not wait for it, and the connection must not stay.
    const closed = once(call, 'close');
    const answer = await answered;
    expect(answer.statusCode).toBe(413);
    await bytesOf(answer);
    await closed;
  });

  it('answers 400 to a body without a length that ends too early, and 422 to other bytes', async () => {
    const { url } = await signedPut(BODY.length + 1);
    const short = request(url, { method: 'PUT', headers: { 'transfer-encoding': 'chunked' } });
    short.end(BODY);
    expect((await answerTo(short)).statusCode).toBe(400);
    const promised = await store.signPut({ key: freshKey(), size: BODY.length, sha256: '0'.repeat(64), expiresInSeconds: 60 });
    expect((await fetch(promised.url, { method: 'PUT', body: BODY })).status).toBe(422);
  });

  it('keeps nothing of an upload whose client hangs up', async () => {
    const { url } = await signedPut(MIB);
    const call = request(url, { method: 'PUT', headers: { 'content-length': String(MIB) } });
    call.on('error', () => undefined);
    call.write(Buffer.alloc(1000));
    await eventually(async () => (await readdir(join(root, 'temporary'))).length === 1);
    call.destroy();
    await eventually(async () => (await readdir(join(root, 'temporary'))).length === 0);
    expect(await openFiles()).toBe(0);
  });

  it('waits for a slow reader, and closes the file when the reader hangs up', async () => {
    const url = await signedGet(Buffer.alloc(40 * MIB));
    const call = request(url).end();
    call.on('error', () => undefined);
    const answer = await answerTo(call);
    answer.pause();
    expect(await openFiles()).toBe(1);
    answer.destroy();
    await eventually(async () => (await openFiles()) === 0);
  });

  it('sweeps what a killed process left half-written, and leaves what is being written', async () => {
    const [stale, fresh] = [join(root, 'temporary', 'stale'), join(root, 'temporary', 'fresh')];
    await writeFile(stale, 'x');
    await writeFile(fresh, 'x');
    const twoDaysAgo = new Date(Date.now() - 48 * 3_600_000);
    await utimes(stale, twoDaysAgo, twoDaysAgo);
    await store.check();
    expect(await readdir(join(root, 'temporary'))).toEqual(['fresh']);
  });
});

import { once } from 'node:events';
import { createReadStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { loadSettings } from '@atrium/platform/config';
import { GuardedHttp } from './guarded-http';
import { multipartForm } from './multipart-form';

const MIB = 1024 * 1024;

interface Upload {
  readonly head: IncomingMessage;
  readonly body: Buffer;
}

/** An address for uploads as object stores have them: it takes no chunked bodies, and answers headers that callers need. */
class UploadAddress {
  readonly uploads: Upload[] = [];
  bytes = 0;
  keepsBodies = true;
  private server: Server | undefined;

  async start(): Promise<string> {
    this.server = createServer((request, response) => {
      if (request.headers['content-length'] === undefined) {
        response.writeHead(411).end();
        return;
      }
      const pieces: Buffer[] = [];
      request.on('error', () => undefined);
      request.on('data', (piece: Buffer) => {
        this.bytes += piece.length;
        if (this.keepsBodies) pieces.push(piece);
      });
      request.on('end', () => {
        this.uploads.push({ head: request, body: Buffer.concat(pieces) });
        response.writeHead(201, { ETag: '"e-1"', 'x-restli-id': 'urn:li:share:1', 'Retry-After': '3' }).end();
      });
    }).listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
  }

  async stop(): Promise<void> {
    this.server?.closeAllConnections();
    await new Promise((resolve) => this.server?.close(resolve));
  }
}

const guarded = new GuardedHttp(
  loadSettings({
    DATABASE_URL: 'postgres://x@127.0.0.1/x',
    MASTER_KEY: Buffer.alloc(32).toString('base64'),
    OUTBOUND_ALLOW: '127.0.0.1',
  }),
);

let server: UploadAddress;
let url: string;

beforeEach(async () => {
  server = new UploadAddress();
  url = await server.start();
});
afterEach(() => server.stop());

const streamOf = (...pieces: string[]): Readable => Readable.from(pieces.map((piece) => Buffer.from(piece)));
const putStream = (body: Readable, length?: number) =>
  guarded.sendRequest(url, { method: 'PUT', body, ...(length === undefined ? {} : { length }) });
const refused = (detail: string): object => ({
  code: 'unprocessable_content',
  detail: `The request cannot be sent: its content ${detail}.`,
});

describe('a streamed body', () => {
  it('is sent with its length, which upload addresses require', async () => {
    expect(await putStream(streamOf('ab', 'cde'))).toMatchObject({ status: 411 });
    expect(await putStream(streamOf('ab', 'cde'), 5)).toMatchObject({ status: 201 });
    const [upload] = server.uploads;
    expect(upload?.head.headers).toMatchObject({ 'content-length': '5' });
    expect(upload?.head.headers).not.toHaveProperty('transfer-encoding');
    expect(upload?.body.toString()).toBe('abcde');
  });

  it('may be empty', async () => {
    expect(await putStream(Readable.from([]), 0)).toMatchObject({ status: 201 });
    expect(server.uploads[0]?.head.headers).toMatchObject({ 'content-length': '0' });
  });

  it.each([
    ['shorter', ['abc', 'd'], 5, 'ended after 4 of the 5 bytes that were announced'],
    ['empty', [], 5, 'ended after 0 of the 5 bytes that were announced'],
    ['longer by a piece', ['abcde', 'f'], 5, 'is longer than the 5 bytes that were announced'],
    ['longer within a piece', ['abcdef'], 5, 'is longer than the 5 bytes that were announced'],
    ['not as empty as announced', ['a'], 0, 'is longer than the 0 bytes that were announced'],
  ])('that is %s fails, and the other side receives no whole request', async (_, pieces, length, fault) => {
    await expect(putStream(streamOf(...pieces), length)).rejects.toMatchObject(refused(fault));
    expect(server.uploads).toEqual([]);
  });

  it('is whole for the other side only once it has ended', async () => {
    const endless = new Readable({ read: () => undefined });
    endless.push('abcde');
    const answer = putStream(endless, 5);
    endless.once('data', () => setImmediate(() => endless.push('f')));
    await expect(answer).rejects.toMatchObject(refused('is longer than the 5 bytes that were announced'));
    expect(server.uploads).toEqual([]);
  });

  it('that breaks off ends the request', async () => {
    const broken = new Readable({ read: () => undefined });
    broken.push('ab');
    const answer = putStream(broken, 5);
    broken.destroy(new Error('the disk is gone'));
    await expect(answer).rejects.toMatchObject({ code: 'upstream_failed' });
    expect(server.uploads).toEqual([]);
  });

  it.each([[undefined], [2]])('is closed where its request is refused before it is read (length %s)', async (length) => {
    const body = streamOf('ab');
    const closed = once(body, 'close');
    await expect(
      guarded.sendRequest('https://10.0.0.1/', { method: 'PUT', body, ...(length === undefined ? {} : { length }) }),
    ).rejects.toMatchObject({ code: 'unprocessable_content' });
    await closed;
    expect(body.destroyed).toBe(true);
  });

  it('may be a range of a file, and the answer gives its headers', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'atrium-outbound-'));
    const file = join(folder, 'video');
    writeFileSync(file, '0123456789');
    try {
      for (const [start, end] of [
        [0, 3],
        [4, 7],
        [8, 9],
      ] as const) {
        const { headers } = await putStream(createReadStream(file, { start, end }), end - start + 1);
        expect(headers).toMatchObject({ etag: '"e-1"', 'x-restli-id': 'urn:li:share:1', 'retry-after': '3' });
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
    expect(server.uploads.map(({ body }) => body.toString())).toEqual(['0123', '4567', '89']);
  });

  it('of 500 MB passes through a small memory', async () => {
    const piece = Buffer.alloc(MIB, 'x');
    let [sent, most] = [0, 0];
    server.keepsBodies = false;
    const body = new Readable({
      highWaterMark: MIB,
      read() {
        most = Math.max(most, process.memoryUsage().rss - before);
        this.push(sent++ < 500 ? piece : null);
      },
    });
    const before = process.memoryUsage().rss;
    expect(await putStream(body, 500 * MIB)).toMatchObject({ status: 201 });
    expect(server.bytes).toBe(500 * MIB);
    expect(most).toBeLessThan(64 * MIB);
  });
});

describe('a form with a file', () => {
  /** Reads the form as another implementation understands it. */
  const read = ({ head, body }: Upload): Promise<FormData> =>
    new Response(new Uint8Array(body), { headers: { 'content-type': String(head.headers['content-type']) } }).formData();

  const post = (fields: Record<string, string>, name: string, text = 'bytes\r\n--of it') =>
    guarded.sendRequest(url, {
      method: 'POST',
      ...multipartForm(fields, { field: 'file', name, type: 'image/png', size: Buffer.byteLength(text), content: streamOf(text) }),
    });

  it('is streamed with a known length, its fields in order before the file', async () => {
    expect(await post({ key: 'a/b.png', 'Content-Type': 'image/png', policy: 'ü' }, 'b.png')).toMatchObject({ status: 201 });
    const [upload] = server.uploads;
    const form = await read(upload!);
    expect([...form.keys()]).toEqual(['key', 'Content-Type', 'policy', 'file']);
    expect([form.get('key'), form.get('policy')]).toEqual(['a/b.png', 'ü']);
    const file = form.get('file') as File;
    expect([file.name, file.type, await file.text()]).toEqual(['b.png', 'image/png', 'bytes\r\n--of it']);
    expect(upload?.head.headers['content-length']).toBe(String(upload?.body.length));
  });

  it('keeps names within their header', async () => {
    await post({ 'a"; x="b\r\nEvil: 1': '1' }, 'a"b\r\nEvil: 1.png', 'x');
    const text = server.uploads[0]?.body.toString() ?? '';
    expect(text).toContain('name="a%22; x=%22b%0D%0AEvil: 1"');
    expect(text).toContain('filename="a%22b%0D%0AEvil: 1.png"');
    expect(text).not.toMatch(/^Evil/m);
  });

  it('fails where the file has another size than announced', async () => {
    const form = multipartForm({}, { field: 'file', name: 'a', type: 'text/plain', size: 3, content: streamOf('ab') });
    await expect(guarded.sendRequest(url, { method: 'POST', ...form })).rejects.toMatchObject({
      code: 'unprocessable_content',
      detail: expect.stringContaining(`ended after ${form.length - 1} of the ${form.length} bytes`),
    });
    expect(server.uploads).toEqual([]);
  });
});

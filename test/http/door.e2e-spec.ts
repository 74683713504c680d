import { connect, type Socket } from 'node:net';
import { brotliCompressSync } from 'node:zlib';
import { eventually, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import request from 'supertest';
import { startAtrium } from '../support/api';

const MIB = 1024 * 1024;
let api: RunningApi;
let workspace: TestWorkspace;

beforeAll(async () => {
  api = await startAtrium({ BODIES_IN_FLIGHT_BYTES: '400000', BODIES_OF_ADDRESS_BYTES: '200000', MAX_CONNECTIONS: '20' });
  workspace = await api.workspace(['module-objects']);
}, 60_000);
afterAll(() => api.close());

/** A connection on which anything is sent, and what came back. */
class Wire {
  answer = '';
  isClosed = false;
  private constructor(readonly socket: Socket) {
    socket.on('data', (bytes: Buffer) => (this.answer += bytes.toString()));
    socket.on('close', () => (this.isClosed = true)).on('error', () => undefined);
  }

  static async open(bytes: string | Buffer = '', localAddress = '127.0.0.1'): Promise<Wire> {
    const socket = connect({ port: Number(new URL(api.url).port), host: '127.0.0.1', localAddress });
    await new Promise((resolve) => socket.once('connect', resolve));
    const wire = new Wire(socket);
    socket.write(bytes);
    return wire;
  }

  /** All status lines so far, once there are so many. */
  async statuses(count = 1): Promise<string[]> {
    await eventually(
      () => Promise.resolve(this.all()),
      (all) => all.length >= count,
      10_000,
    );
    return this.all();
  }

  closed(): Promise<boolean> {
    return eventually(() => Promise.resolve(this.isClosed), Boolean, 10_000);
  }

  private all(): string[] {
    return [...this.answer.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status = '']) => status);
  }
}

const head = (line: string, headers: Readonly<Record<string, string | number>>, as: Readonly<Record<string, string>> = {}): string =>
  [`${line} HTTP/1.1`, 'Host: atrium', ...Object.entries({ ...as, ...headers }).map(([name, value]) => `${name}: ${value}`), '', ''].join(
    '\r\n',
  );
const json = (size: number): Record<string, string | number> => ({ 'Content-Type': 'application/json', 'Content-Length': size });
const owner = (): Readonly<Record<string, string>> => workspace.owner.client.headers;

/** Seconds of the processor that this process, API and caller, takes for it. */
async function processorOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000_000;
}

describe('a body whose caller is not let in', () => {
  it.each([
    ['of a stranger', 'POST /api/v1/albums', '401'],
    ['of a path that does not exist', 'POST /api/v1/nothing', '404'],
    ['of a method that the path does not have', 'PATCH /api/v1/albums', '405'],
    ['of an operator without a token', 'POST /operator/v1/workspaces', '404'],
  ])('%s is refused before a byte of it has come', async (_, line, status) => {
    const wire = await Wire.open(head(line, json(9 * MIB)));
    expect(await wire.statuses()).toEqual([status]);
    wire.socket.destroy();
  });

  it('is thrown away, and its connection goes on to be used', async () => {
    const body = 'x'.repeat(300_000);
    const wire = await Wire.open(`${head('POST /api/v1/albums', json(body.length))}${body}`);
    expect(await wire.statuses()).toEqual(['401']);
    wire.socket.write(head('GET /health/live', {}));
    expect(await wire.statuses(2)).toEqual(['401', '200']);
    wire.socket.destroy();
  });

  it('is not listened to for ever', async () => {
    const wire = await Wire.open(head('POST /api/v1/nothing', { 'Transfer-Encoding': 'chunked' }));
    expect(await wire.statuses()).toEqual(['404']);
    const piece = `${(64 * 1024).toString(16)}\r\n${'x'.repeat(64 * 1024)}\r\n`;
    let taken = 0;
    const sending = (): void =>
      void (
        wire.isClosed ||
        wire.socket.write(piece, (error) => {
          if (error) return;
          taken += piece.length;
          setImmediate(sending);
        })
      );
    sending();
    await wire.closed();
    // What the service throws away, and what both kernels hold.
    expect(taken).toBeLessThan(64 * MIB);
  });

  it('that waits to be asked for is asked for only when its caller is let in', async () => {
    const body = '{"album_name":"Asked for"}';
    const expecting = { ...json(body.length), Expect: '100-continue' };
    const stranger = await Wire.open(head('POST /api/v1/albums', expecting));
    expect(await stranger.statuses()).toEqual(['401']);
    stranger.socket.destroy();
    const known = await Wire.open(head('POST /api/v1/albums', expecting, owner()));
    expect(await known.statuses()).toEqual(['100']);
    known.socket.write(body);
    expect(await known.statuses(2)).toEqual(['100', '201']);
    known.socket.destroy();
    const withMore = await Wire.open(head('POST /api/v1/albums', { ...expecting, Expect: '100-continue, more' }, owner()));
    expect(await withMore.statuses()).toEqual(['100']);
    withMore.socket.destroy();
  });
});

describe('a body', () => {
  const login = (bytes: string | Buffer, headers: Readonly<Record<string, string>> = {}) =>
    request(api.url)
      .post('/api/v1/auth/login')
      .set({ 'Content-Type': 'application/json', ...headers })
      .send(bytes);

  it('that is compressed is refused and never inflated', async () => {
    const bomb = brotliCompressSync(Buffer.from(`[${'{},'.repeat(3 * MIB)}{}]`));
    expect(bomb.length).toBeLessThan(1_000);
    const seconds = await processorOf(async () => {
      for (const encoding of ['br', 'gzip', 'deflate']) {
        const answer = await login(bomb, { 'Content-Encoding': encoding });
        expect([answer.status, (answer.body as { code: string }).code]).toEqual([415, 'unsupported_media_type']);
      }
    });
    // Inflating and parsing it once takes two seconds.
    expect(seconds).toBeLessThan(1);
    expect((await login('{}', { 'Content-Encoding': 'identity' })).status).toBe(400);
    expect((await login('{}', { 'Content-Type': 'application/json; charset=utf-16' })).status).toBe(415);
    expect((await login('{}', { 'Content-Type': 'application/json; charset="UTF-8"' })).status).toBe(400);
  });

  it('of signing in has 8 KB, and four megabytes of unknown names cost nothing', async () => {
    const names = JSON.stringify(Object.fromEntries(Array.from({ length: 300_000 }, (_, i) => [`k${i}`, i])));
    const seconds = await processorOf(async () => {
      const answer = await login(names);
      expect([answer.status, (answer.body as { detail: string }).detail]).toEqual([
        413,
        'The body is larger than the 8192 bytes (8 KB) that this operation accepts.',
      ]);
    });
    expect(seconds).toBeLessThan(1);
    expect((await login(JSON.stringify({ email: 'a@b.example', password: 'x', [`k${'x'.repeat(7_000)}`]: 1 }))).status).toBe(400);
  });

  it('that announces no size is read up to the limit of its route', async () => {
    const wire = await Wire.open(
      head('POST /api/v1/auth/login', { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' }) +
        `3000\r\n${' '.repeat(0x3000)}\r\n`,
    );
    expect(await wire.statuses()).toEqual(['413']);
    wire.socket.destroy();
  });

  it('with more than fifty unknown names is refused by the first fifty', async () => {
    const body = Object.fromEntries(Array.from({ length: 3_000 }, (_, i) => [`album_nam${i}`, i]));
    const answer = await workspace.owner.client.post('/albums', body).expect(400);
    expect((answer.body as { errors: unknown[] }).errors).toHaveLength(50);
    const query = Array.from({ length: 60 }, (_, i) => `album_nam${i}=1`).join('&');
    expect(((await workspace.owner.client.get(`/albums?${query}`).expect(400)).body as { errors: unknown[] }).errors).toHaveLength(50);
  });

  it.each(['__proto__', 'constructor', 'prototype'])('with the name %s anywhere in it is refused by that name', async (name) => {
    const text = (inner: string): string => `{"album_name":"x","album_metadata":{"list":[[1],{"deep":{${inner}:1}}]}}`;
    for (const written of [`"${name}"`, `"\\u00${name.charCodeAt(0).toString(16)}${name.slice(1)}"`]) {
      const answer = await request(api.url).post('/api/v1/albums').set(owner()).set('Content-Type', 'application/json').send(text(written));
      expect([answer.status, (answer.body as { errors: unknown }).errors]).toEqual([
        400,
        [{ path: `album_metadata.list[1].deep.${name}`, code: 'unknown_field', message: 'is unknown' }],
      ]);
    }
  });

  it('that is no object or nests too deeply is refused, and one with a byte order mark is read', async () => {
    const sent = (text: string) => request(api.url).post('/api/v1/albums').set(owner()).set('Content-Type', 'application/json').send(text);
    expect((await sent('"text"')).body).toMatchObject({ code: 'malformed_json' });
    expect((await sent('[{"album_name":"x"}]')).body).toMatchObject({
      code: 'validation_failed',
      detail: 'The body must be a JSON object.',
    });
    expect((await sent(`${'['.repeat(101)}${']'.repeat(101)}`)).body).toMatchObject({ detail: 'The body nests deeper than 100 levels.' });
    expect((await sent('\uFEFF{"album_name":"With a mark"}')).status).toBe(201);
  });
});

describe('a parameter', () => {
  it.each(['obj_content[constructor]=1', 'obj_content[__proto__]=1', '__proto__=1', 'constructor[x]=1', 'obj_content[%63onstructor]=1'])(
    'as %s is unknown and never dropped',
    async (query) => {
      const path = decodeURIComponent(query.split('=')[0] ?? '');
      const answer = await workspace.owner.client.get(`/objects?${query}`).expect(400);
      expect((answer.body as { errors: unknown }).errors).toEqual([{ path, code: 'unknown_field', message: 'is unknown' }]);
    },
  );

  it('beyond the thousandth is not dropped either', async () => {
    await workspace.owner.client.get(`/albums?${'limit=1&'.repeat(1_000)}album_name=x`).expect(400);
  });
});

describe('bodies in flight', () => {
  const half = (announced: number, sent: number): string => head('POST /api/v1/albums', json(announced), owner()) + ' '.repeat(sent);

  it('of one address have a bound by what has arrived, and a body beyond it is not read', async () => {
    const announced = await Promise.all([Wire.open(half(190_000, 0)), Wire.open(half(190_000, 0))]);
    const holding = await Wire.open(half(190_000, 150_000));
    const refused = await eventually(
      async () => {
        const wire = await Wire.open(half(100_000, 0));
        await Promise.race([wire.statuses(), wire.closed()]).catch(() => undefined);
        wire.socket.destroy();
        return wire;
      },
      ({ answer }) => answer.startsWith('HTTP/1.1 503'),
      30_000,
    );
    expect(refused.answer).toMatch(/Retry-After: 1\r\n/i);
    expect(refused.answer).toContain('"code":"service_unavailable"');
    // What is small enough still has room.
    await workspace.owner.client.post('/albums', { album_name: 'Small' }).expect(201);
    for (const wire of [...announced, holding]) wire.socket.destroy();
    await eventually(
      () =>
        workspace.owner.client.post('/albums', {
          album_name: 'Large',
          album_description: 'x'.repeat(5_000),
          album_metadata: { text: 'x'.repeat(60_000) },
        }),
      ({ status }) => status === 201,
    );
  });

  it('that are answered leave no bytes behind', async () => {
    for (let i = 0; i < 12; i++)
      await workspace.owner.client.post('/albums', { album_name: `Many ${i}`, album_metadata: { text: 'x'.repeat(60_000) } }).expect(201);
  });
});

describe('the reference', () => {
  it('says of every body how large it may be', async () => {
    const { paths } = (await request(api.url).get('/openapi.json').expect(200)).body as {
      paths: Record<string, Record<string, { requestBody?: { description?: string }; responses: Record<string, { description: string }> }>>;
    };
    const described = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { requestBody, responses }]) =>
        requestBody ? [[`${method} ${path}`, requestBody.description, responses['413']?.description] as const] : [],
      ),
    );
    expect(described.length).toBeGreaterThan(100);
    for (const [operation, body, refusal] of described)
      expect([operation, body, refusal]).toEqual([
        operation,
        expect.stringMatching(/At most \d+ (KB|MB)\.$/),
        expect.stringMatching(/The body may have at most [\d,]+ bytes\.$/),
      ]);
    expect(described.find(([operation]) => operation === 'post /api/v1/auth/login')?.[1]).toBe('At most 8 KB.');
  });
});

describe('connections', () => {
  const opened = async (count: number, from: string): Promise<Wire[]> => {
    const wires: Wire[] = [];
    for (let i = 0; i < count; i++) wires.push(await Wire.open('', from));
    return wires;
  };
  const closed = (wires: readonly Wire[]): number => wires.filter(({ isClosed }) => isClosed).length;

  it('beyond the most of a process are closed at once', async () => {
    const wires = [...(await opened(10, '127.0.0.2')), ...(await opened(10, '127.0.0.3')), ...(await opened(5, '127.0.0.4'))];
    await eventually(
      () => Promise.resolve(closed(wires)),
      (count) => count >= 5,
    );
    for (const { socket } of wires) socket.destroy();
  });

  it('of one address are closed beyond half of them, and those of another are not', async () => {
    const [theirs, ours] = [await opened(14, '127.0.0.5'), await opened(2, '127.0.0.6')];
    await eventually(
      () => Promise.resolve(closed(theirs)),
      (count) => count === 4,
    );
    expect(closed(ours)).toBe(0);
    for (const { socket } of theirs) socket.destroy();
    // Only an answer shows that a connection is kept: the end of one that is not arrives a moment after it was opened.
    await eventually(
      async () => {
        const [wire] = await opened(1, '127.0.0.5');
        wire?.socket.write(head('GET /health/live', { Connection: 'close' }));
        await wire?.closed();
        return wire?.answer ?? '';
      },
      (answer) => answer.startsWith('HTTP/1.1 200 '),
    );
    for (const { socket } of ours) socket.destroy();
  });
});

import type { LookupAddress } from 'node:dns';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server as TcpServer } from 'node:net';
import { Readable } from 'node:stream';
import { createServer as createTlsServer } from 'node:tls';
import type { Settings } from '@atrium/platform/config';
import { loadSettings } from '@atrium/platform/config';
import { GuardedHttp } from './guarded-http';

const settingsWith = (allow: string): Settings =>
  loadSettings({ DATABASE_URL: 'postgres://x@127.0.0.1/x', MASTER_KEY: Buffer.alloc(32).toString('base64'), OUTBOUND_ALLOW: allow });

/** A client whose names are looked up in answers written here, one after another (the last one stays). */
class Rehearsed extends GuardedHttp {
  readonly asked: string[] = [];

  constructor(
    allow: string,
    private readonly answers: LookupAddress[][] = [[{ address: '127.0.0.1', family: 4 }]],
  ) {
    super(settingsWith(allow));
  }

  protected override async resolve(hostname: string): Promise<LookupAddress[]> {
    this.asked.push(hostname);
    return (this.answers.length > 1 ? this.answers.shift() : this.answers[0]) ?? [];
  }
}

const v4 = (address: string): LookupAddress => ({ address, family: 4 });

const open: (Server | TcpServer)[] = [];
const portOf = (server: { address(): unknown }): number => (server.address() as AddressInfo).port;

async function listening<S extends Server | TcpServer>(server: S, host = '127.0.0.1', port = 0): Promise<S> {
  open.push(server);
  server.listen(port, host);
  await once(server, 'listening');
  return server;
}

/** A server on loopback: its address, and the requests it saw. */
async function serve(
  answer: RequestListener,
  host?: string,
  port?: number,
): Promise<{ url: string; port: number; seen: IncomingMessage[] }> {
  const seen: IncomingMessage[] = [];
  const server = await listening(
    createServer((request, response) => {
      seen.push(request);
      answer(request, response);
    }),
    host,
    port,
  );
  return { url: `http://${host ?? '127.0.0.1'}:${portOf(server)}`, port: portOf(server), seen };
}

afterEach(async () => {
  for (const server of open.splice(0)) {
    if ('closeAllConnections' in server) server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

const refused = (detail: string | RegExp): object => ({
  name: 'Problem',
  code: 'unprocessable_content',
  detail: expect.stringMatching(detail),
});
const NOT_PUBLIC = refused('^The host of the address does not exist or is not public.$');

describe('an address', () => {
  const closed = new Rehearsed('');

  it.each([
    '127.0.0.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '0x7f.1',
    '127.1',
    '127.0.0.1.',
    '１２７.0.0.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[64:ff9b::7f00:1]',
    '169.254.169.254',
    '[fd00:ec2::254]',
    '0.0.0.0',
    '0',
  ])('is refused when it is a spelling of a private one: %s', async (host) => {
    await expect(closed.sendRequest(`https://${host}/`)).rejects.toMatchObject(NOT_PUBLIC);
  });

  it('is refused when any of the addresses of its name is private', async () => {
    const guarded = new Rehearsed('', [[v4('93.184.216.34'), v4('10.0.0.1')]]);
    await expect(guarded.sendRequest('https://hooks.example.com/')).rejects.toMatchObject(NOT_PUBLIC);
  });

  it('is refused alike when its name is unknown, so that nobody can map names behind the service', async () => {
    const guarded = new Rehearsed('', [[]]);
    await expect(guarded.sendRequest('https://nowhere.example.com/')).rejects.toMatchObject(NOT_PUBLIC);
  });

  it.each([
    'http://hooks.example.com/',
    'ftp://hooks.example.com/',
    'file:///etc/passwd',
    'gopher://hooks.example.com/',
    'data:text/plain,x',
  ])('must be https: %s', async (url) => {
    const guarded = new Rehearsed('', [[v4('93.184.216.34')]]);
    await expect(guarded.sendRequest(url)).rejects.toMatchObject(refused('must start with https://'));
  });

  it('must not carry a user name or password', async () => {
    await expect(closed.sendRequest('https://me:secret@hooks.example.com/')).rejects.toMatchObject(refused('user name or password'));
  });

  it.each(['', 'hooks', 'https://', `https://hooks.example.com/${'a'.repeat(9_000)}`])(
    'must be a URL of reasonable length',
    async (url) => {
      await expect(closed.sendRequest(url)).rejects.toMatchObject(refused('not a valid URL'));
    },
  );

  it('can be checked where it is entered, without a connection', async () => {
    await expect(new Rehearsed('', [[v4('93.184.216.34')]]).checkAddress('https://hooks.example.com/')).resolves.toBeUndefined();
    await expect(closed.checkAddress('https://10.0.0.1/')).rejects.toMatchObject(NOT_PUBLIC);
  });
});

describe('a private address that the operator opened', () => {
  it('is reached by its name, over http too, under that name', async () => {
    const { port, seen } = await serve((_, response) => response.end('hello'));
    const guarded = new Rehearsed('hooks.internal');
    const answer = await guarded.sendRequest(`http://hooks.internal:${port}/in?a=1`, {
      method: 'POST',
      headers: { Host: 'other', 'X-Sign': 's' },
      body: '{}',
    });
    expect(answer).toMatchObject({ status: 200, body: Buffer.from('hello'), url: `http://hooks.internal:${port}/in?a=1` });
    expect(seen[0]).toMatchObject({ method: 'POST', url: '/in?a=1' });
    expect(seen[0]?.headers).toMatchObject({ host: `hooks.internal:${port}`, 'x-sign': 's', 'accept-encoding': 'identity' });
    await expect(guarded.sendRequest(`http://other.internal:${port}/`)).rejects.toMatchObject(NOT_PUBLIC);
  });

  it('is reached by its range', async () => {
    const { url } = await serve((_, response) => response.writeHead(404).end());
    expect(await new Rehearsed('127.0.0.0/8').sendRequest(url)).toMatchObject({ status: 404 });
    await expect(new Rehearsed('10.0.0.0/8').sendRequest(url)).rejects.toMatchObject(NOT_PUBLIC);
  });

  it('hears its own name in the TLS handshake', async () => {
    const names: string[] = [];
    const server = await listening(createTlsServer({ SNICallback: (name, done) => (names.push(name), done(new Error('no certificate'))) }));
    await expect(new Rehearsed('hooks.internal').sendRequest(`https://hooks.internal:${portOf(server)}/`)).rejects.toMatchObject({
      code: 'upstream_failed',
    });
    expect(names).toEqual(['hooks.internal']);
  });

  it('receives our ids only when the call says so', async () => {
    const { url, seen } = await serve((_, response) => response.end());
    const guarded = new Rehearsed('127.0.0.1');
    await guarded.sendRequest(url);
    await guarded.sendRequest(url, { trace: { request_id: 'r-1', traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` } });
    expect(seen[0]?.headers).not.toHaveProperty('x-request-id');
    expect(seen[1]?.headers).toMatchObject({ 'x-request-id': 'r-1', traceparent: expect.stringMatching(/^00-a/) });
  });
});

describe('a name that changes its mind', () => {
  it('is asked once a request, and the connection goes to what was checked', async () => {
    const honest = await serve((_, response) => response.end('checked'), '127.0.0.2');
    const hidden = await serve((_, response) => response.end('hidden'), '127.0.0.1', honest.port);
    const guarded = new Rehearsed('127.0.0.2/32', [[v4('127.0.0.2')], [v4('127.0.0.1')]]);
    const answer = await guarded.sendRequest(`http://rebinding.example.com:${honest.port}/`);
    expect(answer.body.toString()).toBe('checked');
    expect(guarded.asked).toEqual(['rebinding.example.com']);
    await expect(guarded.sendRequest(`http://rebinding.example.com:${honest.port}/`)).rejects.toMatchObject(NOT_PUBLIC);
    expect(hidden.seen).toEqual([]);
  });
});

describe('a redirect', () => {
  it('is the answer itself by default', async () => {
    const { url, seen } = await serve((_, response) => response.writeHead(302, { location: '/next' }).end());
    expect(await new Rehearsed('127.0.0.1').sendRequest(url)).toMatchObject({ status: 302, headers: { location: '/next' } });
    expect(seen).toHaveLength(1);
  });

  it('to a private address is refused like the address itself', async () => {
    const hidden = await serve((_, response) => response.end('secret'));
    const entrance = await serve(
      (_, response) => response.writeHead(302, { location: `http://127.0.0.1:${hidden.port}/` }).end(),
      '127.0.0.2',
    );
    await expect(new Rehearsed('127.0.0.2').sendRequest(entrance.url, { redirects: 5 })).rejects.toMatchObject(NOT_PUBLIC);
    for (const location of [
      'https://169.254.169.254/latest/meta-data/',
      'https://[::1]/',
      'file:///etc/passwd',
      'https://u:p@127.0.0.2/',
    ]) {
      const { url } = await serve((_, response) => response.writeHead(307, { location }).end(), '127.0.0.2');
      await expect(new Rehearsed('127.0.0.2').sendRequest(url, { redirects: 5 })).rejects.toMatchObject({ code: 'unprocessable_content' });
    }
    expect(hidden.seen).toEqual([]);
  });

  it('is followed so many times and no more', async () => {
    const { url, seen } = await serve((_, response) => response.writeHead(302, { location: '/again' }).end());
    await expect(new Rehearsed('127.0.0.1').sendRequest(url, { redirects: 3 })).rejects.toMatchObject({
      code: 'upstream_failed',
      detail: 'The address redirects too often.',
    });
    expect(seen).toHaveLength(4);
  });

  it('takes no credentials to another origin, and repeats the body only where the status says so', async () => {
    const target = await serve((_, response) => response.end('there'), '127.0.0.2');
    const statusOf = (path = ''): number => Number(path.slice(1));
    const entrance = await serve((request, response) =>
      response.writeHead(statusOf(request.url), { location: `${target.url}/arrived` }).end(),
    );
    const guarded = new Rehearsed('127.0.0.0/8');
    const send = (status: number) =>
      guarded.sendRequest(`${entrance.url}/${status}`, {
        method: 'POST',
        body: 'body',
        redirects: 1,
        headers: { Authorization: 'Bearer x', Cookie: 'a=b', 'X-Api-Key': 'k', 'Content-Type': 'text/plain' },
      });
    for (const status of [303, 307]) expect(await send(status)).toMatchObject({ status: 200, url: `${target.url}/arrived` });
    expect(target.seen.map(({ method }) => method)).toEqual(['GET', 'POST']);
    for (const { headers } of target.seen)
      for (const name of ['authorization', 'cookie', 'x-api-key']) expect(headers).not.toHaveProperty(name);
    expect(target.seen[1]?.headers).toMatchObject({ 'content-type': 'text/plain', 'content-length': '4' });
    await expect(
      guarded.sendRequest(`${entrance.url}/307`, { method: 'POST', body: Readable.from(['once']), redirects: 1 }),
    ).rejects.toMatchObject({ code: 'upstream_failed' });
  });
});

describe('an answer', () => {
  it('without end is cut off at the cap', async () => {
    let sent = 0;
    let broken: () => void = () => undefined;
    const gone = new Promise<void>((resolve) => (broken = resolve));
    const chunk = Buffer.alloc(64 * 1024);
    const { url } = await serve((_, response) => {
      response.writeHead(200, { 'content-length': String(30 * 1024 ** 3) }).on('close', () => broken());
      const pour = (): void => {
        while (!response.destroyed && response.write(chunk)) sent += chunk.length;
      };
      response.on('drain', pour);
      pour();
    });
    await expect(new Rehearsed('127.0.0.1').sendRequest(url, { maxBytes: 1024 * 1024 })).rejects.toMatchObject(
      refused('larger than this service accepts'),
    );
    await gone;
    expect(sent).toBeLessThan(32 * 1024 * 1024);
  });

  it('is never unpacked, so that a small one cannot become a large one', async () => {
    const { url } = await serve((_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('not even gzip'));
    expect((await new Rehearsed('127.0.0.1').sendRequest(url)).body.toString()).toBe('not even gzip');
  });

  it('is handed out while it arrives; destroying it ends the connection', async () => {
    let ended: () => void = () => undefined;
    const gone = new Promise<void>((resolve) => (ended = resolve));
    const { url } = await serve((request, response) => {
      request.socket.on('close', () => ended());
      response.write('first');
    });
    const { body, status } = await new Rehearsed('127.0.0.1').openStream(url);
    expect(status).toBe(200);
    expect(String((await once(body, 'data'))[0])).toBe('first');
    body.destroy();
    await gone;
  });

  it('that nobody reads is let go when it is destroyed', async () => {
    let ended: () => void = () => undefined;
    const gone = new Promise<void>((resolve) => (ended = resolve));
    const { url } = await serve((request, response) => {
      request.socket.on('close', () => ended());
      response.write('first');
    });
    (await new Rehearsed('127.0.0.1').openStream(url)).body.destroy();
    await gone;
  });

  it.each([
    ['its headers', {}, (): undefined => undefined],
    ['its body', { body: 1_000 }, (response: Parameters<RequestListener>[1]): unknown => response.write('x')],
  ])('that keeps %s waiting is given up', async (_, timeouts, begin) => {
    const { url } = await serve((_request, response) => begin(response));
    const late = new Rehearsed('127.0.0.1').sendRequest(url, { timeouts: { headers: 1_000, ...timeouts } });
    await expect(late).rejects.toMatchObject({ code: 'upstream_timeout', detail: 'The address did not respond in time.' });
  });

  it('that breaks off before anybody reads it ends nothing, and its reader meets the error', async () => {
    const { url } = await serve((_request, response) => {
      response.writeHead(200);
      response.write('drop', () => response.destroy());
    });
    const { body } = await new Rehearsed('127.0.0.1').openStream(url);
    await new Promise((resolve) => body.once('close', resolve));
    await expect(body.toArray()).rejects.toMatchObject({ code: 'upstream_failed' });
  });

  it('that drips for ever ends with the time for the whole', async () => {
    const drips = new Set<NodeJS.Timeout>();
    const { url } = await serve((_, response) => {
      drips.add(setInterval(() => response.write('.'), 20));
    });
    try {
      await expect(new Rehearsed('127.0.0.1').sendRequest(url, { timeouts: { total: 300 } })).rejects.toMatchObject({
        code: 'upstream_timeout',
      });
    } finally {
      drips.forEach(clearInterval);
    }
  });

  it('of a caller who disconnected is abandoned with the reason of the caller', async () => {
    const { url } = await serve(() => undefined);
    const leaving = new AbortController();
    const answer = new Rehearsed('127.0.0.1').sendRequest(url, { signal: leaving.signal });
    leaving.abort(new Error('the job was cancelled'));
    await expect(answer).rejects.toThrow('the job was cancelled');
  });

  it('that breaks off, or is none, says nothing of sockets', async () => {
    const { url } = await serve((_, response) =>
      response.writeHead(200, { 'content-length': '10' }).write('half', () => response.destroy()),
    );
    const garbage = await listening(
      createTcpServer((socket) =>
        socket
          .on('error', () => undefined)
          .resume()
          .end('SSH-2.0-internal\r\n'),
      ),
    );
    const free = await listening(createTcpServer());
    const closedPort = portOf(free);
    await new Promise((resolve) => free.close(resolve));
    for (const address of [url, `http://127.0.0.1:${portOf(garbage)}/`, `http://127.0.0.1:${closedPort}/`]) {
      await expect(new Rehearsed('127.0.0.1').sendRequest(address)).rejects.toMatchObject({
        code: 'upstream_failed',
        detail: 'The address could not be reached, or its response was interrupted.',
      });
    }
  });
});

describe('a request', () => {
  it('ignores proxies of the environment', async () => {
    const proxy = await serve((_, response) => response.end('proxied'));
    const { url } = await serve((_, response) => response.end('direct'), '127.0.0.2');
    const before = { ...process.env };
    Object.assign(process.env, {
      HTTP_PROXY: proxy.url,
      http_proxy: proxy.url,
      HTTPS_PROXY: proxy.url,
      ALL_PROXY: proxy.url,
      NODE_USE_ENV_PROXY: '1',
    });
    try {
      expect((await new Rehearsed('127.0.0.2').sendRequest(url)).body.toString()).toBe('direct');
    } finally {
      for (const name of ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'ALL_PROXY', 'NODE_USE_ENV_PROXY']) {
        if (before[name] === undefined) delete process.env[name];
        else process.env[name] = before[name];
      }
    }
    expect(proxy.seen).toEqual([]);
  });

  it('with a header that could smuggle another is refused', async () => {
    await expect(
      new Rehearsed('127.0.0.1').sendRequest('http://127.0.0.1:9/', { headers: { 'x-note': 'a\r\nX-Admin: 1' } }),
    ).rejects.toMatchObject(refused('header is not valid'));
  });

  it('waits no longer for a name than for the whole', async () => {
    class Silent extends GuardedHttp {
      protected override resolve(): Promise<LookupAddress[]> {
        return new Promise(() => undefined);
      }
    }
    await expect(
      new Silent(settingsWith('')).sendRequest('https://hooks.example.com/', { timeouts: { total: 100 } }),
    ).rejects.toMatchObject({
      code: 'upstream_timeout',
    });
  });
});

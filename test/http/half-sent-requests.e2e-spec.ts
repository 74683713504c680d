import { connect, type Socket } from 'node:net';
import { eventually, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { Hosts } from '../faults/hosts';
import { openUpload } from '../files/uploading';
import { startAtrium } from '../support/api';

let api: RunningApi;
let workspace: TestWorkspace;
const hosts = new Hosts();

beforeAll(async () => {
  api = await startAtrium({ REQUEST_HEADERS_SECONDS: '1', REQUEST_BODY_SECONDS: '1' });
  workspace = await api.workspace();
}, 60_000);
afterAll(async () => {
  await hosts.close();
  await api.close();
});

/** A caller that sends bytes as it pleases, and keeps what comes back. */
class RawCaller {
  answer = '';
  isClosed = false;
  private constructor(readonly socket: Socket) {
    socket.on('data', (bytes: Buffer) => (this.answer += bytes.toString()));
    socket.on('close', () => (this.isClosed = true));
    socket.on('error', () => undefined);
  }

  static async open(url: string, text: string): Promise<RawCaller> {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    await new Promise((resolve) => socket.once('connect', resolve));
    const caller = new RawCaller(socket);
    socket.write(text);
    return caller;
  }

  closed(): Promise<boolean> {
    return eventually(() => Promise.resolve(this.isClosed), Boolean, 10_000);
  }
}

const headersOf = (path: string, more: readonly string[] = []): string =>
  [
    `POST ${path} HTTP/1.1`,
    'Host: atrium',
    ...Object.entries(workspace.owner.client.headers).map(([name, value]) => `${name}: ${value}`),
    'Content-Type: application/json',
    ...more,
  ].join('\r\n');
const half = (): string => `${headersOf('/api/v1/albums', ['Content-Length: 100'])}\r\n\r\n{"album_name":`;

describe('a request that is not sent to its end', () => {
  it.each([
    ['before its headers are whole', () => headersOf('/api/v1/albums')],
    ['in its body', half],
  ])('%s is refused after a settable time, and its connection closed', async (_, text) => {
    const caller = await RawCaller.open(api.url, text());
    await caller.closed();
    expect(caller.answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(caller.answer).toContain('The request did not arrive in time.');
  });

  it('is ended even when a byte comes now and then', async () => {
    const caller = await RawCaller.open(api.url, half());
    const dripping = setInterval(() => caller.socket.write(' '), 100);
    await caller.closed().finally(() => clearInterval(dripping));
    expect(caller.answer).toContain('The request did not arrive in time.');
  });

  it('may take its time with the bytes of a file as long as they come, and is ended when they pause', async () => {
    const size = 200;
    const { upl_url, upl_headers } = await openUpload(workspace.owner.client, { file_name: 'slow.txt', file_size: size });
    const { pathname, search } = new URL(upl_url);
    const head = [
      `PUT ${pathname}${search} HTTP/1.1`,
      'Host: atrium',
      `Content-Length: ${size}`,
      ...Object.entries(upl_headers)
        .filter(([name]) => name.toLowerCase() !== 'content-length')
        .map(([name, value]) => `${name}: ${value}`),
      '',
      '',
    ].join('\r\n');
    const pausing = await RawCaller.open(api.url, `${head}x`);
    const slow = await RawCaller.open(api.url, `${head}x`);
    let sent = 1;
    const sending = setInterval(() => sent < 30 && slow.socket.write('x'.repeat(sent++ === 29 ? size - 29 : 1)), 100);
    await pausing.closed();
    await eventually(
      () => Promise.resolve(slow.answer),
      (answer) => answer.startsWith('HTTP/1.1 200'),
    ).finally(() => clearInterval(sending));
    slow.socket.destroy();
  });
});

describe('an API that is asked to stop', () => {
  it('does not wait for requests that are half sent', async () => {
    await hosts.witness(async () => {
      const host = await hosts.api({ REQUEST_HEADERS_SECONDS: '60', REQUEST_BODY_SECONDS: '60' });
      const callers = await Promise.all([
        RawCaller.open(host.url, ''),
        RawCaller.open(host.url, headersOf('/api/v1/albums')),
        RawCaller.open(host.url, half()),
      ]);
      const dripping = await RawCaller.open(host.url, half());
      const drips = setInterval(() => dripping.socket.write(' '), 100);
      await host.client(workspace.owner.client).get('/albums').expect(200);
      const ended = host.end('SIGTERM').finally(() => clearInterval(drips));
      // Requests in flight would be waited for 20 seconds.
      await eventually(
        () => Promise.resolve(host.isRunning),
        (running) => !running,
        15_000,
      );
      expect(await ended).toEqual({ code: 0, signal: null });
      for (const caller of [...callers, dripping]) await caller.closed();
      expect(dripping.answer).toMatch(/^HTTP\/1\.1 503 /);
    });
  }, 60_000);
});

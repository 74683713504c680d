import type { LookupAddress } from 'node:dns';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { loadSettings, type Settings } from '@atrium/platform/config';
import { GuardedSockets } from './guarded-sockets';

const settingsWith = (allow: string): Settings =>
  loadSettings({ DATABASE_URL: 'postgres://x@127.0.0.1/x', MASTER_KEY: Buffer.alloc(32).toString('base64'), OUTBOUND_ALLOW: allow });

/** Names are looked up in answers written here, one after another (the last one stays). */
class Rehearsed extends GuardedSockets {
  readonly asked: string[] = [];

  constructor(
    allow: string,
    private readonly answers: string[][] = [['127.0.0.1']],
  ) {
    super(settingsWith(allow));
  }

  protected override async resolve(hostname: string): Promise<LookupAddress[]> {
    this.asked.push(hostname);
    const found = (this.answers.length > 1 ? this.answers.shift() : this.answers[0]) ?? [];
    return found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  }
}

const refusal = (detail: RegExp): object => ({ code: 'unprocessable_content', detail: expect.stringMatching(detail) });
const NOT_PUBLIC = refusal(/^The host of the address does not exist or is not public\.$/);
const at = (host: string, encrypted = true) => ({ host, port: 5_432, encrypted });
const never = new AbortController().signal;

let server: Server;
let port: number;
beforeAll(async () => {
  server = createServer((socket) => socket.end('hello')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo);
});
afterAll(() => new Promise((closed) => server.close(closed)));

describe('a server that a user names', () => {
  it.each(['127.0.0.1', '2130706433', '0x7f.1', '127.1', '10.0.0.1', '169.254.169.254', '::1', '::ffff:10.0.0.1', 'fe80::1'])(
    'is refused at %s, when it is entered and when it is connected to',
    async (host) => {
      const closed = new Rehearsed('');
      await expect(closed.checkEndpoint(at(host))).rejects.toMatchObject(NOT_PUBLIC);
      await expect(closed.openSocket(at(host), never)).rejects.toMatchObject(NOT_PUBLIC);
      expect(closed.asked).toEqual([]);
    },
  );

  it('is refused where one of its addresses is private', async () => {
    const mixed = new Rehearsed('', [['8.8.8.8', '10.0.0.1']]);
    await expect(mixed.checkEndpoint(at('db.example.com'))).rejects.toMatchObject(NOT_PUBLIC);
  });

  it.each(['db.example.com:5432', 'a@b', 'a/b', '/var/run/postgresql', ''])('is no server when written as "%s"', async (host) => {
    await expect(new Rehearsed('').checkEndpoint(at(host))).rejects.toMatchObject({ code: 'unprocessable_content' });
  });

  it('is reached unencrypted only where the operator has opened it', async () => {
    const open = new Rehearsed('db.internal', [['8.8.8.8']]);
    await expect(open.checkEndpoint(at('db.example.com', false))).rejects.toMatchObject(refusal(/requires an encrypted connection/));
    await open.checkEndpoint(at('db.example.com'));
    await open.checkEndpoint(at('db.internal', false));
  });

  it('is connected to at the addresses that were checked, whatever names answer by then and wherever the client thinks it connects', async () => {
    const sockets = new Rehearsed('127.0.0.1', [['127.0.0.1'], ['10.0.0.1']]);
    const socket = await sockets.openSocket({ ...at('db.example.com', false), port }, never);
    (socket as { connect(port: number, host: string): unknown }).connect(9, '10.9.9.9');
    const [said] = (await once(socket, 'data')) as [Buffer];
    expect(said.toString()).toBe('hello');
    expect(socket.remoteAddress).toBe('127.0.0.1');
    expect(sockets.asked).toEqual(['db.example.com']);
    await expect(sockets.openSocket(at('db.example.com'), never)).rejects.toMatchObject(NOT_PUBLIC);
  });

  it('that is looked up for nobody any longer is left with the reason of the caller', async () => {
    class Silent extends GuardedSockets {
      protected override resolve(): Promise<LookupAddress[]> {
        return new Promise(() => undefined);
      }
    }
    const leaving = new AbortController();
    const socket = new Silent(settingsWith('')).openSocket(at('db.example.com'), leaving.signal);
    leaving.abort(new Error('the job was cancelled'));
    await expect(socket).rejects.toThrow('the job was cancelled');
  });
});

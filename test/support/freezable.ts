import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, freePort } from '@atrium/platform/testing';

/** A connection pooler of the distribution, where it is installed. */
export const PGBOUNCER_PROGRAM = [
  '/usr/sbin/pgbouncer',
  '/usr/bin/pgbouncer',
  '/usr/local/bin/pgbouncer',
  '/opt/homebrew/bin/pgbouncer',
].find((path) => existsSync(path));

/** A server in a process that a signal stops: it still takes connections, and answers nothing. */
export class Freezable {
  protected constructor(
    private readonly program: ChildProcess,
    readonly url: string,
    private readonly cleanUp: () => void = () => undefined,
  ) {}

  /** A forwarder in front of the server at the address. */
  static async before(address: string): Promise<Freezable> {
    const target = new URL(address);
    const program = spawn(process.execPath, [join(__dirname, 'forwarding-process.mjs'), target.port], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [port] = (await once(program.stdout, 'data')) as [Buffer];
    target.port = port.toString().trim();
    return new Freezable(program, target.href.replace(/\/$/, ''));
  }

  /** PgBouncer in transaction mode in front of the database at the address; as those before 1.21, it knows nothing of prepared statements. */
  static async pooler(address: string): Promise<Freezable> {
    const { hostname, port, username, password } = new URL(address);
    const folder = mkdtempSync(join(tmpdir(), 'atrium-pgbouncer-'));
    const own = String(await freePort());
    const users = join(folder, 'users.txt');
    writeFileSync(users, `"${username}" "${decodeURIComponent(password)}"\n`);
    const settings = {
      ...(keepsStatements() ? { max_prepared_statements: 0 } : {}),
      listen_addr: '127.0.0.1',
      listen_port: own,
      unix_socket_dir: '',
      auth_type: 'plain',
      auth_file: users,
      pool_mode: 'transaction',
      max_client_conn: 200,
      default_pool_size: 10,
      ignore_startup_parameters: 'extra_float_digits',
    };
    const file = join(folder, 'pgbouncer.ini');
    writeFileSync(
      file,
      `[databases]\n* = host=${hostname} port=${port}\n[pgbouncer]\n${Object.entries(settings)
        .map(([name, value]) => `${name} = ${value}`)
        .join('\n')}\n`,
    );
    for (const path of [folder, users, file]) chmodSync(path, 0o755);
    // It refuses to run as root.
    const program = spawn(PGBOUNCER_PROGRAM ?? 'pgbouncer', [...(process.getuid?.() === 0 ? ['-u', 'nobody'] : []), '-q', file], {
      stdio: ['ignore', 'ignore', 'ignore'],
    });
    await eventually(() => listens(Number(own)), Boolean);
    const url = new URL(address);
    [url.hostname, url.port] = ['127.0.0.1', own];
    return new Freezable(program, url.href, () => rmSync(folder, { recursive: true, force: true }));
  }

  freeze(): void {
    this.program.kill('SIGSTOP');
  }

  thaw(): void {
    this.program.kill('SIGCONT');
  }

  async stop(): Promise<void> {
    const gone = once(this.program, 'exit');
    this.program.kill('SIGKILL');
    await gone;
    this.cleanUp();
  }
}

const keepsStatements = (): boolean => {
  const [, major = 0, minor = 0] =
    /(\d+)\.(\d+)/.exec(execFileSync(PGBOUNCER_PROGRAM ?? 'pgbouncer', ['--version'], { encoding: 'utf8' })) ?? [];
  return Number(major) > 1 || Number(minor) >= 21;
};

const listens = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

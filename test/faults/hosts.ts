import type { ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { Client, eventually, freePort } from '@atrium/platform/testing';
import { spawnHost } from '../support/built-hosts';

const KEPT_CHARACTERS = 1_000_000;
const SHOWN_CHARACTERS = 4_000;

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** One built host in a process of its own, with everything it has said. */
export class Host {
  output = '';
  errors = '';
  readonly ended: Promise<Ended>;

  constructor(
    readonly name: string,
    readonly url: string,
    readonly process: ChildProcess,
  ) {
    process.stdout?.on('data', (text: Buffer) => (this.output = (this.output + text.toString()).slice(-KEPT_CHARACTERS)));
    process.stderr?.on('data', (text: Buffer) => (this.errors = (this.errors + text.toString()).slice(-KEPT_CHARACTERS)));
    this.ended = new Promise((resolve) => process.once('close', (code, signal) => resolve({ code, signal })));
  }

  get isRunning(): boolean {
    return this.process.exitCode === null && this.process.signalCode === null;
  }

  /** Sends the signal and resolves with how the process ended. */
  end(signal: NodeJS.Signals): Promise<Ended> {
    this.process.kill(signal);
    return this.ended;
  }

  /** The same caller, asking this host. */
  client(of: Client): Client {
    return new Client(this.url, of.headers);
  }

  /** Memory of the process that is in RAM, in MiB; null where the system does not report it. */
  residentMib(): number | null {
    const status = `/proc/${this.process.pid}/status`;
    const line = existsSync(status) ? /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(status, 'utf8')) : null;
    return line ? Number(line[1]) / 1024 : null;
  }

  /** Its last words, for a test that failed. */
  words(): string {
    return `--- ${this.name} ---\n${this.output.slice(-SHOWN_CHARACTERS)}\n${this.errors.slice(-SHOWN_CHARACTERS)}`;
  }
}

/**
 * The hosts of one test file, as they are built, on the database and objects of the running API of the test. What still
 * runs when the file ends is killed.
 */
export class Hosts {
  private readonly started: Host[] = [];

  constructor(private readonly environment: Readonly<Record<string, string>> = {}) {}

  async api(environment: Readonly<Record<string, string>> = {}, at?: number): Promise<Host> {
    const port = at ?? (await freePort());
    const url = `http://127.0.0.1:${port}`;
    const host = this.spawn('api', url, { PORT: String(port), HOST: '127.0.0.1', BASE_URL: url, ...environment });
    await this.until(host, () =>
      fetch(`${url}/health/live`).then(
        (answer) => answer.ok,
        () => false,
      ),
    );
    return host;
  }

  async worker(environment: Readonly<Record<string, string>> = {}): Promise<Host> {
    const host = this.spawn('worker', '', { LOG_LEVEL: 'info', ...environment });
    await this.until(host, () => Promise.resolve(host.output.includes('worker started')));
    return host;
  }

  /** Runs the work; when it fails, the error contains the last output of the hosts. */
  async witness<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof Error) error.message += `\n${this.started.map((host) => host.words()).join('\n')}`;
      throw error;
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.started.filter((host) => host.isRunning).map((host) => host.end('SIGKILL')));
  }

  private spawn(app: 'api' | 'worker', url: string, environment: Readonly<Record<string, string>>): Host {
    // What a killed host leaves behind goes with the data folder of the test.
    const TMPDIR = process.env.DATA_DIR;
    const child = spawnHost(app, {
      env: { ...process.env, TMPDIR, ...this.environment, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const host = new Host(`${app} ${child.pid}`, url, child);
    this.started.push(host);
    return host;
  }

  private until(host: Host, isReady: () => Promise<boolean>): Promise<boolean> {
    return this.witness(() =>
      eventually(
        async () => {
          if (!host.isRunning) throw new Error(`The ${host.name} ended before it was ready.`);
          return isReady();
        },
        Boolean,
        60_000,
      ),
    );
  }
}

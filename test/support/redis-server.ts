import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { freePort, ofThisFile } from '@atrium/platform/testing';

/** A Redis of the distribution, where it is installed. */
export const REDIS_PROGRAM = [
  '/usr/bin/redis-server',
  '/usr/bin/valkey-server',
  '/usr/local/bin/redis-server',
  '/opt/homebrew/bin/redis-server',
].find((path) => existsSync(path));

/** A Redis of one test file that may lose everything, or stop and come back on the same port. */
export class RedisServer {
  private readonly folder = mkdtempSync(join(tmpdir(), 'atrium-faults-redis-'));
  private program: ChildProcess | undefined;

  private constructor(private readonly port: number) {}

  static async start(): Promise<RedisServer> {
    const server = new RedisServer(await freePort());
    await server.restart();
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  async flush(): Promise<void> {
    const redis = new Redis(this.url);
    await redis.flushall();
    redis.disconnect();
  }

  async crash(): Promise<void> {
    const program = this.program;
    this.program = undefined;
    if (!program) return;
    const gone = once(program, 'exit');
    program.kill('SIGKILL');
    await gone;
  }

  async restart(): Promise<void> {
    const program = ofThisFile(
      spawn(
        REDIS_PROGRAM ?? 'redis-server',
        ['--port', String(this.port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', this.folder],
        { stdio: ['ignore', 'pipe', 'inherit'] },
      ),
    );
    this.program = program;
    await new Promise<void>((resolve, reject) => {
      program.once('exit', () => reject(new Error('redis-server did not start.')));
      program.stdout.on('data', (text: Buffer) => text.toString().includes('eady to accept connections') && resolve());
    });
  }

  /** Stopped by a signal: it takes connections and answers nothing. */
  freeze(): void {
    this.program?.kill('SIGSTOP');
  }

  thaw(): void {
    this.program?.kill('SIGCONT');
  }

  async stop(): Promise<void> {
    await this.crash();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

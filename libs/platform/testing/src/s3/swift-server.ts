import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ofThisFile } from '../children';

const PYTHON = '/usr/bin/python3';
const START_LIMIT_MS = 30_000;

/**
 * OpenStack Swift behind its S3 interface, as the distribution packages it: a real server to prove the S3 adapter on.
 * It ignores `x-amz-checksum-sha256` and refuses `If-None-Match: *` on uploads (501).
 */
export class SwiftServer {
  readonly credentials = { accessKey: 'test:tester', secretKey: 'testing', region: 'us-east-1' };

  private constructor(
    readonly endpoint: string,
    private readonly process: ChildProcess,
    private readonly folder: string,
  ) {}

  /** Whether the distribution's package is installed (python3-swift). */
  static isInstalled(): boolean {
    return spawnSync(PYTHON, ['-c', 'import swift'], { stdio: 'ignore' }).status === 0;
  }

  static async start(): Promise<SwiftServer> {
    const folder = await mkdtemp(join(tmpdir(), 'swift-s3-'));
    const process = ofThisFile(spawn(PYTHON, [join(__dirname, 'swift-s3.py'), folder], { stdio: ['pipe', 'pipe', 'pipe'] }));
    let complaints = '';
    process.stderr.on('data', (text: Buffer) => (complaints = (complaints + text.toString()).slice(-2_000)));
    const lines = createInterface(process.stdout);
    try {
      const ended = once(process, 'exit').then(() => Promise.reject(new Error(`Swift did not start:\n${complaints}`)));
      const [port] = (await Promise.race([once(lines, 'line', { signal: AbortSignal.timeout(START_LIMIT_MS) }), ended])) as [string];
      ended.catch(() => undefined);
      return new SwiftServer(`http://127.0.0.1:${port}`, process, folder);
    } catch (error) {
      process.kill();
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
  }

  async stop(): Promise<void> {
    if (this.process.exitCode === null && this.process.signalCode === null) {
      this.process.kill('SIGKILL');
      await once(this.process, 'exit');
    }
    await rm(this.folder, { recursive: true, force: true });
  }
}

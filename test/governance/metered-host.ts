import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { eventually, ofThisFile } from '@atrium/platform/testing';

/** A host is compiled as it starts; on a busy machine that takes its time. */
const READY_MS = 60_000;
const HOOK = join(__dirname, '../messaging/typescript-hook.cjs');

/** A process of its own that runs metered work; it can be killed. */
export class MeteredHost {
  private said = '';

  private constructor(private readonly child: ChildProcess) {
    child.stdout?.on('data', (text: Buffer) => (this.said += text.toString()));
  }

  static async start(script: string, ...args: readonly string[]): Promise<MeteredHost> {
    const host = new MeteredHost(
      ofThisFile(
        spawn(process.execPath, ['-r', HOOK, join(__dirname, script), ...args], {
          stdio: ['pipe', 'pipe', 'inherit'],
          env: { ...process.env },
        }),
      ),
    );
    await host.line('ready', 1, READY_MS);
    return host;
  }

  tell(line: string): void {
    this.child.stdin?.write(`${line}\n`);
  }

  /** Lines it has said that begin like this. */
  lines(beginning: string): string[] {
    return this.said.split('\n').filter((line) => line.startsWith(beginning));
  }

  async line(beginning: string, count = 1, milliseconds?: number): Promise<string[]> {
    return eventually(
      () => Promise.resolve(this.lines(beginning)),
      (lines) => lines.length >= count,
      milliseconds,
    );
  }

  async kill(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const gone = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await gone;
  }
}

import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ofThisFile } from '@atrium/platform/testing';

const PROJECT = join(__dirname, '../..');
const DEADLINE_MS = 90_000;

/** What `npm start` leaves in DATA_DIR/demo.json. */
export interface Demo {
  readonly base_url: string;
  readonly docs_url: string;
  readonly tenant_id: string;
  readonly api_key: string;
  readonly email: string;
  readonly password: string;
}

/** One `npm start` of its own data folder, as a newcomer has it: no settings in the environment. */
export class RunningStart {
  output = '';
  private readonly ended: Promise<number | null>;

  private constructor(
    readonly dataDir: string,
    private readonly child: ChildProcess,
  ) {
    child.stdout?.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    this.ended = new Promise((resolve) => child.once('close', (code) => resolve(code)));
  }

  static in(dataDir: string, settings: Record<string, string> = {}): RunningStart {
    const env = { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: dataDir, ...settings };
    return new RunningStart(
      dataDir,
      ofThisFile(spawn(process.execPath, [join(PROJECT, 'tools/start.mjs')], { cwd: '/', env, stdio: ['ignore', 'pipe', 'pipe'] })),
    );
  }

  /** Resolves when everything runs and the last words are out. */
  async ready(): Promise<Demo> {
    await until(
      () => this.output.includes('Ctrl-C stops everything') || this.child.exitCode !== null,
      () => `not ready:\n${this.output}`,
    );
    if (this.child.exitCode !== null) throw new Error(`The start ended:\n${this.output}`);
    return JSON.parse(readFileSync(join(this.dataDir, 'demo.json'), 'utf8')) as Demo;
  }

  /** Process groups of the children, as the start notes them. */
  groups(): number[] {
    const { groups } = JSON.parse(readFileSync(join(this.dataDir, 'run.json'), 'utf8')) as { groups: number[] };
    return groups;
  }

  /** Sends the signal and resolves with the exit code (null when it was killed). */
  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    this.child.kill(signal);
    return this.ended;
  }

  exitCode(): Promise<number | null> {
    return this.ended;
  }
}

/** Polls until the condition holds; fails with `complaint` after the deadline. */
export async function until(condition: () => boolean, complaint: () => string): Promise<void> {
  for (const deadline = Date.now() + DEADLINE_MS; !condition(); await pause(50)) {
    if (Date.now() > deadline) throw new Error(complaint());
  }
}

/** Whether a process of the group still exists. */
export function groupLives(group: number): boolean {
  try {
    process.kill(-group, 0);
    return true;
  } catch {
    return false;
  }
}

export const lockIn = (dataDir: string): boolean => existsSync(join(dataDir, 'run.json'));

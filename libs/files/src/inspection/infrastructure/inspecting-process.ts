import { fork, type ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import type { Inspection, InspectionFault, InspectionTask } from './inspection';
import type { InspectionReport, InspectionRequest } from './inspection-messages';

const MIB = 1024 * 1024;
const WATCH_MS = 100;
/** Time a process has to load its decoders, which is not the file's. */
const LOADING_MS = 30_000;

export interface ProcessLimits {
  /** Memory the process may hold, native memory of the decoders included. */
  readonly memoryMib: number;
  /** Folders that ffmpeg and ffprobe are looked for in, as in PATH. */
  readonly searchPath: string;
}

interface Work {
  settle(inspection: Inspection): void;
  fail(error: Error): void;
}

/**
 * One inspecting process and the limits it lives under. It does one inspection at a time; whatever ends the process during
 * one (its limits, a crash) is that inspection's result. It gets none of the worker's environment, hence none of its secrets.
 */
export class InspectingProcess {
  private readonly child: ChildProcess;
  private work: Work | undefined;
  private endedFor: InspectionFault | undefined;
  private loaded = false;
  private gone = false;
  private rss = 0;
  private timeoutMs = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    script: string,
    private readonly limits: ProcessLimits,
  ) {
    this.child = fork(script, {
      // A group of its own, so that tools it starts end with it.
      detached: true,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      execArgv: [`--max-old-space-size=${Math.max(64, Math.floor(limits.memoryMib / 2))}`],
      // Few malloc arenas: the memory that image decoding frees goes back to the system.
      env: { PATH: limits.searchPath, MALLOC_ARENA_MAX: '2', TZ: 'UTC' },
    });
    this.child.on('message', (report: InspectionReport) => this.hear(report));
    this.child.on('error', (error) => this.afterError(error));
    this.child.on('exit', () => this.afterExit());
    this.letParentEnd();
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  get busy(): boolean {
    return this.work !== undefined;
  }

  /** Whether it can take another inspection; one that kept much memory is better replaced. */
  get fit(): boolean {
    return !this.gone && this.endedFor === undefined && this.rss < (this.limits.memoryMib * MIB) / 2;
  }

  async inspect(task: InspectionTask, timeoutMs: number): Promise<Inspection> {
    this.timeoutMs = timeoutMs;
    this.limitTime(this.loaded ? timeoutMs : timeoutMs + LOADING_MS);
    const watch = setInterval(() => void this.checkMemory(), WATCH_MS);
    this.child.ref();
    this.child.channel?.ref();
    try {
      return await new Promise<Inspection>((settle, fail) => {
        this.work = { settle, fail };
        if (this.gone) return this.afterExit();
        const request: InspectionRequest = { task };
        this.child.send(request, (error) => {
          if (error && !this.gone) this.end('crashed');
        });
      });
    } finally {
      clearTimeout(this.timer);
      clearInterval(watch);
      this.letParentEnd();
    }
  }

  /** Ends the process and the tools it started at once. */
  kill(): void {
    const { pid } = this.child;
    if (pid === undefined || this.gone) return;
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      this.child.kill('SIGKILL');
    }
  }

  private end(fault: InspectionFault): void {
    this.endedFor ??= fault;
    this.kill();
  }

  private hear(report: InspectionReport): void {
    if (report.say === 'ready') this.afterLoading();
    if (report.say === 'memory' || report.say === 'inspected') this.rss = report.rss;
    if (report.say === 'inspected') this.endWork((work) => work.settle(report.inspection));
    if (report.say === 'failed') this.endWork((work) => work.fail(Object.assign(new Error(report.message), { code: report.code })));
  }

  private afterLoading(): void {
    this.loaded = true;
    if (this.busy) this.limitTime(this.timeoutMs);
  }

  private limitTime(ms: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.end('timed_out'), ms);
  }

  /** Its own reports stop while a decoder holds its thread, so the system is asked where it can be. */
  private async checkMemory(): Promise<void> {
    if (process.platform === 'linux') this.rss = (await residentBytes(this.child.pid)) ?? this.rss;
    if (this.busy && this.rss > this.limits.memoryMib * MIB) this.end('out_of_memory');
  }

  /** A process that never came to be has no exit. */
  private afterError(error: Error): void {
    if (this.child.pid === undefined) this.gone = true;
    this.endWork((work) => work.fail(error));
  }

  private afterExit(): void {
    this.gone = true;
    const fault = this.endedFor ?? 'crashed';
    if (!this.loaded && this.endedFor === undefined) {
      return this.endWork((work) => work.fail(new Error('The process that inspects files could not start.')));
    }
    this.endWork((work) => work.settle({ renditions: [], system: { error: fault } }));
  }

  private endWork(finish: (work: Work) => void): void {
    const { work } = this;
    this.work = undefined;
    if (work) finish(work);
  }

  /** An idle process does not keep the worker from ending. */
  private letParentEnd(): void {
    this.child.unref();
    this.child.channel?.unref();
  }
}

async function residentBytes(pid: number | undefined): Promise<number | undefined> {
  try {
    const status = await readFile(`/proc/${pid}/status`, 'utf8');
    const kib = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
    return kib === undefined ? undefined : Number(kib) * 1024;
  } catch {
    return undefined;
  }
}

import { fork, type ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import type { Outcome, ProcessEnd, ProcessReport, ProcessRequest } from './process-messages';
import { toolsOf } from './tools-of';

const MIB = 1024 * 1024;
const WATCH_MS = 100;
/** Time a process has to load what it works with, which is not the task's. */
const LOADING_MS = 30_000;
/** Time on the clock for one of a processor. */
const SLOWEST = 5;
/** Of the processor time that Linux reports. */
const TICK_MS = 10;

export interface ProcessLimits {
  /** Memory the process may hold, native memory included; where the system reports it, together with the tools it starts. */
  readonly memoryMib: number;
  /** Folders that tools are searched in, as in PATH; none unless said. */
  readonly searchPath?: string | undefined;
  /**
   * Time is that of a processor, where the system reports it, and five times as much on the clock: on a busy machine a task gets no less done.
   * For processes that start no tools, whose time would not count.
   */
  readonly ofProcessor?: boolean | undefined;
}

export interface TaskOptions {
  readonly timeoutMs: number;
  /** The task says when it begins; what it does before is loading. */
  readonly saysWhenItBegins?: boolean | undefined;
  readonly onProgress?: ((progress: unknown) => void) | undefined;
}

interface Work<Answer> {
  settle(outcome: Outcome<Answer>): void;
  fail(error: Error): void;
  readonly onProgress: TaskOptions['onProgress'];
}

/**
 * One process beside this one and the limits it lives under. It does one task at a time; whatever ends the process during one
 * (its limits, a crash) is that task's outcome. It gets none of the environment, hence no secrets. Tasks and answers are
 * cloned, so they may hold bytes.
 */
export class BoundedProcess<Task, Answer> {
  private readonly child: ChildProcess;
  private work: Work<Answer> | undefined;
  private endedFor: ProcessEnd | undefined;
  private loaded = false;
  private gone = false;
  private rss = 0;
  private timeoutMs = 0;
  /** Of the processor, when the time of the task began; undefined until it is known. */
  private begunMs: number | undefined;
  private counts = false;
  private saysWhenItBegins = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    script: string,
    private readonly limits: ProcessLimits,
  ) {
    this.child = fork(script, {
      // A group of its own, so that tools it starts end with it.
      detached: true,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
      execArgv: [`--max-old-space-size=${Math.max(64, Math.floor(limits.memoryMib / 2))}`],
      // Few malloc arenas: native memory that is freed goes back to the system.
      env: { PATH: limits.searchPath ?? '', MALLOC_ARENA_MAX: '2', TZ: 'UTC' },
    });
    this.child.on('message', (report: ProcessReport<Answer>) => this.receive(report));
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

  /** Whether it can take another task; one that kept much memory is better replaced. */
  get fit(): boolean {
    return !this.gone && this.endedFor === undefined && this.rss < (this.limits.memoryMib * MIB) / 2;
  }

  async runTask(task: Task, { timeoutMs, saysWhenItBegins = false, onProgress }: TaskOptions): Promise<Outcome<Answer>> {
    this.timeoutMs = timeoutMs;
    this.saysWhenItBegins = saysWhenItBegins;
    if (this.loaded && !saysWhenItBegins) this.beginTime();
    else this.limitTime(timeoutMs + LOADING_MS);
    const watch = setInterval(() => {
      void this.checkMemory();
      if (this.counts) void this.checkProcessor();
    }, WATCH_MS);
    this.child.ref();
    this.child.channel?.ref();
    try {
      return await new Promise<Outcome<Answer>>((settle, fail) => {
        this.work = { settle, fail, onProgress };
        if (this.gone) return this.afterExit();
        const request: ProcessRequest<Task> = { task };
        this.child.send(request, (error) => {
          if (error && !this.gone) this.end('crashed');
        });
      });
    } finally {
      clearTimeout(this.timer);
      clearInterval(watch);
      this.counts = false;
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

  private end(why: ProcessEnd): void {
    this.endedFor ??= why;
    this.kill();
  }

  private receive(report: ProcessReport<Answer>): void {
    if (report.say === 'ready') this.afterLoading();
    if (report.say === 'memory' || report.say === 'answered') this.rss = report.rss;
    if (report.say === 'progress') this.work?.onProgress?.(report.progress);
    if (report.say === 'answered') this.endWork((work) => work.settle({ answer: report.answer }));
    if (report.say === 'failed') this.endWork((work) => work.fail(Object.assign(new Error(report.message), { code: report.code })));
  }

  /** Said once by the process, and again by each task that says when it begins. */
  private afterLoading(): void {
    const isOfTask = this.loaded || !this.saysWhenItBegins;
    this.loaded = true;
    if (this.busy && isOfTask) this.beginTime();
  }

  /** From now on it is the task's. */
  private beginTime(): void {
    const isCounted = this.limits.ofProcessor === true && process.platform === 'linux';
    this.begunMs = undefined;
    this.counts = isCounted;
    this.limitTime(isCounted ? this.timeoutMs * SLOWEST : this.timeoutMs);
  }

  private async checkProcessor(): Promise<void> {
    const spent = await processorMs(this.child.pid);
    if (spent === undefined || !this.counts) return;
    this.begunMs ??= spent;
    if (this.busy && spent - this.begunMs > this.timeoutMs) this.end('timed_out');
  }

  private limitTime(ms: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.end('timed_out'), ms);
  }

  /** Its own reports stop while a decoder holds its thread, so the system is asked where it can be. */
  private async checkMemory(): Promise<void> {
    let ofTools = 0;
    const { work } = this;
    const { pid } = this.child;
    if (process.platform === 'linux' && pid !== undefined) {
      this.rss = (await residentBytes(pid)) ?? this.rss;
      for (const tool of await toolsOf(pid)) ofTools += (await residentBytes(tool)) ?? 0;
    }
    // The next task has nothing to do with the tools of the one before.
    if (this.busy && this.work === work && this.rss + ofTools > this.limits.memoryMib * MIB) this.end('out_of_memory');
  }

  /** A process that never came to be has no exit. */
  private afterError(error: Error): void {
    if (this.child.pid === undefined) this.gone = true;
    this.endWork((work) => work.fail(error));
  }

  private afterExit(): void {
    this.gone = true;
    const ended = this.endedFor ?? 'crashed';
    if (!this.loaded && this.endedFor === undefined) {
      return this.endWork((work) => work.fail(new Error('The bounded process could not start.')));
    }
    this.endWork((work) => work.settle({ ended }));
  }

  private endWork(finish: (work: Work<Answer>) => void): void {
    const { work } = this;
    this.work = undefined;
    if (work) finish(work);
  }

  /** An idle process does not keep this one from ending. */
  private letParentEnd(): void {
    this.child.unref();
    this.child.channel?.unref();
  }
}

async function processorMs(pid: number | undefined): Promise<number | undefined> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The name in brackets may hold anything; user and system time are the twelfth and thirteenth behind it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  } catch {
    return undefined;
  }
}

async function residentBytes(pid: number): Promise<number | undefined> {
  try {
    const status = await readFile(`/proc/${pid}/status`, 'utf8');
    const kib = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
    return kib === undefined ? undefined : Number(kib) * 1024;
  } catch {
    return undefined;
  }
}

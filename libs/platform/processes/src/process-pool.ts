import { existsSync } from 'node:fs';
import { currentEnding, onEnding, reasonOf } from '@atrium/platform/kernel';
import { BoundedProcess, type TaskOptions } from './bounded-process';
import type { Outcome } from './process-messages';
import { ofMachineMib } from './machine-memory';
import { ProcessTurns, type Turn, type TurnRules } from './process-turns';

export interface ProcessPoolOptions {
  /** The compiled script of the processes, which calls `serveTasks`. */
  readonly script: string;
  /** Tasks that run at once; those that take long do not count, as many of them again. Fewer where memory does not suffice. */
  readonly processes: number;
  /** Time one task may take, unless it says otherwise. */
  readonly timeoutMs: number;
  /** Memory one process may hold. */
  readonly memoryMib?: number | undefined;
  /** Memory that all processes of the pool may hold, two in any case; unless said, a quarter of the machine's or container's. */
  readonly togetherMib?: number | undefined;
  /** How much work of one owner may wait for a process. */
  readonly waiting?: number | undefined;
  /** Time after which a task counts as one that takes long. */
  readonly longMs?: number | undefined;
  /** Time after which a process without work ends. */
  readonly idleMs?: number | undefined;
  /** Folders that tools are searched in, as in PATH. */
  readonly searchPath?: string | undefined;
  /** Times are those of a processor (`ProcessLimits`). */
  readonly ofProcessor?: boolean | undefined;
}

export interface PoolTaskOptions extends Turn, Partial<TaskOptions> {
  /**
   * Ends the process that works on the task, or takes the task out of the line; the run is then rejected with its reason. The end of the
   * request or job that asks does the same.
   */
  readonly signal?: AbortSignal | undefined;
}

const MEMORY_MIB = 1_024;
const MOST_WAITING = 100;
/** One that works, and one for another owner. */
const LEAST_PROCESSES = 2;

interface Waiting<Task, Answer> extends Turn {
  readonly task: Task;
  readonly options: PoolTaskOptions;
  readonly resolve: (outcome: Outcome<Answer>) => void;
  readonly reject: (error: unknown) => void;
  /** It no longer waits. */
  forget: () => void;
}

/**
 * A few long-lived processes beside this one. Whatever a task does to its process, this one lives on and the other tasks
 * proceed. A task that takes long holds up no other workspace's. A task that waits leaves the line with its signal; beyond
 * the line of its owner it is refused with `service_unavailable`. Only trouble of this machine (a missing file, a full disk) is
 * thrown, for the work to be tried again.
 */
export class ProcessPool<Task, Answer> {
  private readonly processes = new Set<BoundedProcess<Task, Answer>>();
  private readonly idle = new Map<BoundedProcess<Task, Answer>, NodeJS.Timeout>();
  private readonly turns: ProcessTurns<Waiting<Task, Answer>>;
  private closed = false;

  constructor(private readonly options: ProcessPoolOptions) {
    this.turns = new ProcessTurns(rulesOf(options));
    if (!existsSync(options.script)) throw new Error(`The script of the bounded processes is not built: ${options.script}`);
  }

  /** Ids of the processes that run now. */
  get processIds(): number[] {
    return [...this.processes].flatMap(({ pid }) => pid ?? []);
  }

  runTask(task: Task, { signal, ...rest }: PoolTaskOptions = {}): Promise<Outcome<Answer>> {
    const ending = currentEnding();
    const options = { ...rest, signal: signal && ending ? AbortSignal.any([signal, ending]) : (signal ?? ending) };
    return new Promise((resolve, reject) => {
      if (options.signal?.aborted) return reject(reasonOf(options.signal));
      const work: Waiting<Task, Answer> = { owner: options.owner, task, options, resolve, reject, forget: () => undefined };
      this.turns.enqueueWork(work);
      work.forget = onEnding(options.signal, (reason) => {
        if (this.turns.withdrawWork(work)) reject(reason);
      });
      this.advance();
    });
  }

  /** Ends every process; tasks that run or wait are rejected. */
  close(): void {
    this.closed = true;
    this.advance();
    for (const process of this.processes) this.remove(process);
  }

  private advance(): void {
    if (this.closed) {
      for (const { forget, reject } of this.turns.drain()) {
        forget();
        reject(closedError());
      }
      return;
    }
    for (let next = this.turns.takeNext(); next; next = this.turns.takeNext()) {
      next.forget();
      void this.work(this.freeProcess(), next);
    }
  }

  private freeProcess(): BoundedProcess<Task, Answer> {
    for (const [process, timer] of this.idle) {
      clearTimeout(timer);
      this.idle.delete(process);
      if (process.fit) return process;
      this.remove(process);
    }
    const { script, memoryMib = MEMORY_MIB, searchPath, ofProcessor } = this.options;
    const started = new BoundedProcess<Task, Answer>(script, { memoryMib, searchPath, ofProcessor });
    this.processes.add(started);
    return started;
  }

  private async work(process: BoundedProcess<Task, Answer>, work: Waiting<Task, Answer>): Promise<void> {
    const { task, options, resolve, reject } = work;
    const { signal, onProgress, saysWhenItBegins } = options;
    const long = setTimeout(() => this.makeRoom(work), this.options.longMs ?? 3_000);
    const forget = onEnding(signal, () => process.kill());
    try {
      const outcome = await process.runTask(task, { timeoutMs: options.timeoutMs ?? this.options.timeoutMs, saysWhenItBegins, onProgress });
      if (this.closed) reject(closedError());
      else if (signal?.aborted && 'ended' in outcome) reject(reasonOf(signal));
      else resolve(outcome);
    } catch (error) {
      reject(signal?.aborted ? reasonOf(signal) : error);
    }
    forget();
    clearTimeout(long);
    this.turns.releaseTurn(work);
    if (process.fit && !signal?.aborted && !this.closed) this.rest(process);
    else this.remove(process);
    this.advance();
  }

  /** Others need not wait for what takes long. */
  private makeRoom(work: Waiting<Task, Answer>): void {
    this.turns.becameLong(work);
    this.advance();
  }

  private rest(process: BoundedProcess<Task, Answer>): void {
    const timer = setTimeout(() => this.remove(process), this.options.idleMs ?? 60_000);
    timer.unref();
    this.idle.set(process, timer);
  }

  private remove(process: BoundedProcess<Task, Answer>): void {
    clearTimeout(this.idle.get(process));
    this.idle.delete(process);
    this.processes.delete(process);
    process.kill();
  }
}

const closedError = (): Error => new Error('The bounded processes are closed.');

function rulesOf({ processes, memoryMib = MEMORY_MIB, togetherMib, waiting = MOST_WAITING }: ProcessPoolOptions): TurnRules {
  const affordable = Math.max(LEAST_PROCESSES, Math.floor((togetherMib || ofMachineMib() / 4) / memoryMib));
  const places = Math.max(1, Math.min(processes, affordable - 1));
  return { places, most: Math.min(2 * places + 1, affordable), waiting };
}

import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { currentScope } from '@atrium/platform/database';
import { Problem } from '@atrium/platform/kernel';
import { ProcessPool, type ProcessEnd } from '@atrium/platform/processes';
import type { ComputeTask } from './compute-task';
import type { ComputeAnswer, ComputeRequest } from './perform-task';

/** What a host lets one task take. */
export interface ComputeBounds {
  readonly timeoutMs: number;
  /** The same for one that works on a whole file. */
  readonly longTimeoutMs?: number | undefined;
  readonly memoryMib: number;
  /** How long a task may wait besides; without end where it is not said. */
  readonly patienceMs?: number | undefined;
  /** Memory that all processes may hold together. */
  readonly togetherMib?: number | undefined;
}

export const COMPUTE_BOUNDS = Symbol('compute-bounds');

/** A process that has loaded its parsers is worth keeping for a while. */
const IDLE_MS = 10 * 60_000;
/** Time on the clock for one of a processor, and how long anybody waits for an answer at all. */
const SLOWEST = 5;
const LONGEST_MS = 60_000;
const SCRIPT = 'libs/platform/compute/src/compute-process.js';
/** What this file is below of: the build, or the sources. */
const HERE = join(__dirname, '../../../..');

export interface ComputeOptions {
  /** Ends the task, and its process where it runs already; so does the end of the request or job that asks. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Works on foreign text in a few processes beside this one, in turns of the workspaces. Input that takes too long or too much memory, or
 * that cannot be read, is a problem of the input (`unprocessable_content`); the event loop of this process never waits for it.
 */
@Injectable()
export class Compute implements OnApplicationShutdown {
  private readonly log = new Logger(Compute.name);
  private started: ProcessPool<ComputeRequest, ComputeAnswer> | undefined;

  constructor(@Inject(COMPUTE_BOUNDS) private readonly bounds: ComputeBounds) {}

  async runTask<Input, Answer>(task: ComputeTask<Input, Answer>, input: Input, { signal }: ComputeOptions = {}): Promise<Answer> {
    const { longTimeoutMs, patienceMs } = this.bounds;
    const ofHost = task.isLong === true ? (longTimeoutMs ?? this.bounds.timeoutMs) : this.bounds.timeoutMs;
    const timeoutMs = Math.min(task.timeoutMs ?? Infinity, ofHost);
    const impatience =
      patienceMs === undefined ? undefined : AbortSignal.timeout(Math.max(0, Math.min(LONGEST_MS, SLOWEST * timeoutMs + patienceMs)));
    const signals = [signal, impatience].flatMap((each) => each ?? []);
    try {
      const outcome = await this.pool().runTask(
        { module: builtModule(task.module), input },
        { owner: currentScope()?.tenant_id ?? undefined, timeoutMs, saysWhenItBegins: true, signal: AbortSignal.any(signals) },
      );
      if ('ended' in outcome) throw this.problemOfEnd(task, outcome.ended, timeoutMs);
      return this.valueOf(task, outcome.answer);
    } catch (error) {
      signal?.throwIfAborted();
      if (impatience?.aborted && !(error instanceof Problem)) throw busy();
      throw error;
    }
  }

  /** Ids of the processes that run now. */
  get processIds(): number[] {
    return this.started?.processIds ?? [];
  }

  onApplicationShutdown(): void {
    this.started?.close();
    this.started = undefined;
  }

  private pool(): ProcessPool<ComputeRequest, ComputeAnswer> {
    const { timeoutMs, memoryMib, togetherMib } = this.bounds;
    return (this.started ??= new ProcessPool({
      script: join(buildRoot(), SCRIPT),
      processes: availableParallelism(),
      timeoutMs,
      memoryMib,
      togetherMib,
      idleMs: IDLE_MS,
      ofProcessor: true,
    }));
  }

  private valueOf<Input, Answer>({ module, what }: ComputeTask<Input, Answer>, answer: ComputeAnswer): Answer {
    if ('value' in answer) return answer.value as Answer;
    if ('problem' in answer) {
      const { code, detail, errors } = answer.problem;
      throw new Problem(code, detail, errors === undefined ? {} : { errors });
    }
    this.log.warn({ msg: 'input could not be worked on', task: relative(HERE, module), reason: answer.unreadable });
    throw new Problem(
      'unprocessable_content',
      answer.isTooDeep ? `The ${what} is nested too deeply to be read.` : `The ${what} cannot be read: it is damaged.`,
    );
  }

  private problemOfEnd(
    { module, what }: Pick<ComputeTask<unknown, unknown>, 'module' | 'what'>,
    ended: ProcessEnd,
    timeoutMs: number,
  ): Problem {
    this.log.warn({ msg: 'a bounded process was ended', task: relative(HERE, module), ended });
    return new Problem('unprocessable_content', reasonOf(what, ended, timeoutMs), { isMeasured: true });
  }
}

function reasonOf(what: string, ended: ProcessEnd, timeoutMs: number): string {
  if (ended === 'timed_out')
    return `Reading the ${what} took longer than ${timeoutMs / 1_000} seconds, which is the limit. Make it smaller or simpler.`;
  if (ended === 'out_of_memory') return `Reading the ${what} takes more memory than one may use. Make it smaller or simpler.`;
  return `The ${what} cannot be read: reading it ended without a result.`;
}

const busy = (): Problem =>
  new Problem('service_unavailable', 'Too much is being read at the moment. Try again shortly.', { headers: { 'Retry-After': '5' } });

/** Processes run what was built, also where this process runs from the sources (tests). */
const buildRoot = (): string => (existsSync(join(HERE, SCRIPT)) ? HERE : join(HERE, 'dist'));

const builtModule = (module: string): string =>
  module.startsWith(HERE) ? join(buildRoot(), `${relative(HERE, module)}.js`) : `${module}.js`;

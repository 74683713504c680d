import { Injectable, Optional } from '@nestjs/common';
import { ModelUsage, NO_TOKENS, type TokenUsage } from '@atrium/models';
import { Database } from '@atrium/platform/database';
import { asJson, Clock, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import { Metrics } from '@atrium/platform/observability';
import { Memories } from '../../../memories/application/memories';
import type { Finish, MessageCitation } from '../../../threads/domain/message';
import { textOf, type MessagePart } from '../../../threads/domain/message-parts';
import { closedParts, isOpenCall, partsChanged, type AnswerChange, type SentAnswer } from '../domain/answer';
import type { Run, RunEnd } from '../domain/run';
import type { RunSource } from '../domain/run-source';
import { AnswersRepository } from '../infrastructure/answers.repository';
import { RunsRepository, type Sign } from '../infrastructure/runs.repository';
import { RunStepsRepository, type ToolCallRow } from '../infrastructure/run-steps.repository';
import { ThreadLocksRepository } from '../infrastructure/thread-locks.repository';
import { RunCharges, type UsedStep } from './run-charges';
import { RunNotifier } from './run-notifier';
import { ThreadTitles } from './thread-titles';

/** Another worker has the run, or somebody ended it. */
export class Superseded extends Error {}

/** The attempt of a run that writes. */
export interface Held {
  readonly run: Run;
  readonly attempt: number;
}

/** Tokens of a step that is not done: what it was asked with, and what the model has said. */
export interface PendingTokens {
  readonly input: number;
  readonly output: number;
}

/** A call that was checked: what keeps it from being made, or what it waits for. */
export interface CheckedCall {
  readonly call_id: string;
  readonly tool: string;
  readonly input: JsonObject;
  readonly fault: string | null;
  readonly isInvalid: boolean;
  readonly waits_for: 'approval' | 'client' | null;
  readonly idempotent: boolean;
}

/** A step that is about to be asked for. */
interface BeginningStep {
  readonly sent: SentAnswer;
  readonly pending: PendingTokens;
  /** Sets its credits aside. */
  readonly reserve: () => Promise<{ readonly hold_id: string }>;
}

/** How a run ends, and with what. */
export interface Ending {
  readonly status: RunEnd;
  readonly parts: readonly MessagePart[];
  readonly citations?: readonly MessageCitation[];
  readonly data?: JsonValue;
  readonly finish: Finish;
  readonly error?: JsonObject | null;
  /** What its provider itself said of that. */
  readonly reason?: string | null;
  /** What a step took that did not end. */
  readonly unfinished?: TokenUsage;
}

const MESSAGE_STATUS = { completed: 'complete', stopped: 'stopped', failed: 'failed' } as const;

/** What runs write: each step, each call and the end are one unit of work, under the fence of their attempt. */
@Injectable()
export class RunRecords {
  constructor(
    private readonly db: Database,
    private readonly runs: RunsRepository,
    private readonly steps: RunStepsRepository,
    private readonly answers: AnswersRepository,
    private readonly locks: ThreadLocksRepository,
    private readonly memories: Memories,
    private readonly usage: ModelUsage,
    private readonly charges: RunCharges,
    private readonly notifier: RunNotifier,
    private readonly titles: ThreadTitles,
    private readonly clock: Clock,
    @Optional() private readonly metrics?: Metrics,
  ) {}

  /** The content that followers have seen; whether the run is to stop. */
  saveCheckpoint({ run, attempt }: Held, { parts, id }: SentAnswer, pending: PendingTokens): Promise<{ readonly stop: boolean }> {
    return this.db.write(async () => {
      const sign = await this.runs.recordHeartbeat(run.run_id, signOf(attempt, id, pending));
      if (!sign) throw new Superseded();
      if (run.run_message) await this.answers.saveParts(run.run_message, parts);
      return sign;
    });
  }

  /** A step begins: other credits are set aside for it, and what followers have seen is kept; whether the run is to stop. */
  beginStep(
    { run, attempt }: Held,
    { sent: told, pending, reserve }: BeginningStep,
  ): Promise<{ readonly stop: boolean; readonly hold_id: string }> {
    return this.db.write(async () => {
      const sign = await this.runs.recordHeartbeat(run.run_id, signOf(attempt, told.id, pending));
      if (!sign) throw new Superseded();
      if (run.run_message) await this.answers.saveParts(run.run_message, told.parts);
      const { hold_id } = await reserve();
      await this.runs.holdCredits(run.run_id, hold_id);
      return { ...sign, hold_id };
    });
  }

  /** A step is done: what it said, the calls that it asked for, and what it took. */
  recordStep(held: Held, step: UsedStep, calls: readonly CheckedCall[], sent: SentAnswer): Promise<void> {
    return this.writing(held, async (run) => {
      run.run_steps = step.step;
      run.clearPending();
      await this.charges.chargeStep(run, step, 'done', calls.filter(({ fault }) => fault === null).length);
      await this.steps.addCalls(
        run.run_id,
        step.step,
        calls.map(({ isInvalid: invalid, ...call }) => ({
          ...call,
          invalid,
          state: call.fault === null ? 'pending' : 'error',
          error: call.fault,
          attempt: held.attempt,
        })),
      );
      await this.keep(run, sent);
    });
  }

  async recordCallStart({ run, attempt }: Held, call_id: string): Promise<void> {
    if (!(await this.steps.beginCall({ run_id: run.run_id, attempt }, call_id))) throw new Superseded();
  }

  /** A call came to its end; what was found for it gets its place among the sources. */
  async callEnds(
    { run, attempt }: Held,
    call: Pick<ToolCallRow, 'call_id' | 'state' | 'output' | 'shown' | 'error'>,
    beside: { readonly sources: readonly RunSource[]; readonly taint: string | null },
  ): Promise<void> {
    if (!(await this.steps.endCall({ run_id: run.run_id, attempt }, call, beside))) throw new Superseded();
  }

  /** What the message says by now. */
  saveContent(held: Held, sent: SentAnswer): Promise<void> {
    return this.writing(held, (run) => this.keep(run, sent));
  }

  /**
   * What was found before the first step, what taints the run from the start, and whether its answer may say what memories say.
   * Answers the memories that were deleted since they were read: the run is not given them.
   */
  recordSources(
    held: Held,
    sources: readonly RunSource[],
    { taint, recalls }: { readonly taint: string | null; readonly recalls: boolean },
  ): Promise<readonly RunSource[]> {
    return this.writing(held, async (run) => {
      const memories = sources.filter(({ source_kind }) => source_kind === 'memory');
      const there = await this.memories.holdThose(memories.map(({ source_id }) => source_id));
      const gone = memories.filter(({ source_id }) => !there.has(source_id));
      run.run_tainted ??= taint;
      run.run_sources = sources.filter((source) => !gone.includes(source));
      if ((recalls || there.size > 0) && run.run_message) await this.answers.markRecalls(run.run_message);
      return gone;
    });
  }

  /** Its answer may say what memories say: the conversation does. */
  markRecalls(held: Held): Promise<void> {
    return this.writing(held, async (run) => {
      if (run.run_message) await this.answers.markRecalls(run.run_message);
    });
  }

  recordWait(held: Held, sent: SentAnswer): Promise<void> {
    return this.writing(held, async (run) => {
      run.wait(this.clock);
      await this.keep(run, sent, 'waiting');
    });
  }

  /** The worker shuts down: another takes the run from the queue. */
  requeueRun(held: Held): Promise<void> {
    return this.writing(held, (run) => {
      run.handBack();
      return Promise.resolve();
    });
  }

  /** The end of a run by the worker that has it. */
  recordEnd(held: Held, ending: Ending, checkpoint: string | null): Promise<void> {
    return this.db.write(async () => {
      if (held.run.run_thread) await this.locks.lockThread(held.run.run_thread);
      const run = await this.runs.lock(held.run.run_id);
      if (!run.isHeldBy(held.attempt)) throw new Superseded();
      run.run_checkpoint = checkpoint ?? run.run_checkpoint;
      await this.settleRun(run, ending, true);
    });
  }

  /** Ends a run that is locked, after its thread, by this unit of work: its message, its calls, its hold, the lock of its thread. */
  async settleRun(run: Run, ending: Ending, isByItsWorker = false): Promise<void> {
    // What calls came to is known of their rows, also where the message that was kept is older.
    const calls = ending.parts.some(isOpenCall) ? await this.steps.listCalls(run.run_id) : [];
    const parts = closedParts(ending.parts, new Map(calls.map((call) => [call.call_id, call])));
    // What its worker said since the last checkpoint is not known here: followers get what is stored.
    const isReconstructed = run.run_status === 'running' && !isByItsWorker;
    const changes = isReconstructed ? [{ op: 'reset' as const, parts, reason: 'worker_lost' as const }] : partsChanged(ending.parts, parts);
    const at = { step: run.run_steps + 1, parts: [], finish: null, correction: null, usage: ending.unfinished ?? NO_TOKENS };
    const lost = ending.unfinished ? await this.charges.chargeStep(run, at, 'stopped') : [];
    const usage = await this.charges.toUsageAnswer(run, ending.unfinished, lost.length > 0);
    const status = MESSAGE_STATUS[ending.status];
    const error = ending.error ?? null;
    run.run_usage = usage;
    run.clearPending();
    run.end(ending.status, this.clock, error);
    run.run_reason = ending.reason ?? null;
    if (!run.run_thread)
      run.run_output = {
        output: ending.data === undefined ? textOf(parts) : JSON.stringify(ending.data),
        data: ending.data ?? null,
        citations: (ending.citations ?? []).map(asJson),
        finish: ending.finish,
      };
    if (ending.status === 'failed')
      this.db
        .current()
        .afterCommit(() => this.metrics?.answersFailed.inc({ code: typeof error?.code === 'string' ? error.code : 'unknown' }));
    await this.runs.save(run);
    await this.steps.closeCalls(run.run_id);
    if (run.run_message)
      await this.answers.saveEnd(run.run_message, {
        status,
        parts,
        citations: ending.citations ?? [],
        finish: ending.finish,
        usage,
        error,
      });
    if (run.run_thread) await this.freeThread(run, ending, changes);
    else this.notifier.announceEnd(run);
    if (run.run_thread && run.run_user) await this.memories.runEnds(run.run_user);
    if (run.run_hold) await this.usage.releaseHold(run.run_hold);
  }

  private async freeThread(run: Run, { status }: Ending, changes: readonly AnswerChange[]): Promise<void> {
    const lock = await this.locks.releaseThread(run.run_thread ?? '', run.run_id);
    if (!lock) return;
    const thread_title = status === 'completed' ? await this.titles.giveTitle(lock) : lock.thread_title;
    await this.notifier.announceAnswer(run, { ...lock, thread_title }, changes);
  }

  private async keep(run: Run, { parts, id }: SentAnswer, status: 'generating' | 'waiting' = 'generating'): Promise<void> {
    run.run_checkpoint = id ?? run.run_checkpoint;
    run.run_alive = this.clock.now();
    run.run_kept_parts = parts.length;
    if (run.run_message) await this.answers.saveParts(run.run_message, parts, status);
  }

  private writing<T>(held: Held, work: (run: Run) => Promise<T>): Promise<T> {
    return this.db.write(async () => {
      const run = await this.runs.lock(held.run.run_id);
      if (!run.isHeldBy(held.attempt)) throw new Superseded();
      const made = await work(run);
      await this.runs.save(run);
      return made;
    });
  }
}

const signOf = (attempt: number, checkpoint: string | null, { input, output }: PendingTokens): Sign => ({
  attempt,
  checkpoint,
  pending_tokens: input + output,
  pending_output: output,
});

import { randomBytes } from 'node:crypto';
import { Logger } from '@nestjs/common';
import type { TokenUsage } from '@atrium/models';
import type { MessagePart } from '../../../threads/domain/message-parts';
import type { Answer, SentAnswer } from '../../records/domain/answer';
import type { Count } from '../../prompt/input-budget';
import type { RunPlan } from '../../records/domain/run-plan';
import type { Run } from '../../records/domain/run';
import { RunSources } from '../../records/domain/run-source';
import type { RunState } from '../domain/next-step';
import { ToolLoop } from '../domain/tool-loop';
import type { FinishedStep, ToolCallRow } from '../../records/infrastructure/run-steps.repository';
import { GrowingCount, rememberingCount, type RememberingCount } from '../../prompt/step-prompt';
import type { AnswerStream } from './answer-stream';
import { JsonCheck } from './json-check';
import type { ClaimedRun } from './run-claims';
import { Superseded, type Ending, type Held, type PendingTokens, type RunRecords } from '../../records/application/run-records';

/** What an attempt begins with. */
export interface AttemptOf {
  readonly claimed: ClaimedRun;
  readonly answer: Answer;
  readonly stream: AnswerStream;
  readonly count: Count;
  /** Aborted when somebody stops the run. */
  readonly stop: AbortController;
  /** Aborted when the worker shuts down. */
  readonly shutdown: AbortSignal;
  /** Aborted when the time of the run is over. */
  readonly overtime: AbortSignal;
}

/** One worker's attempt at a run: what was committed of it so far, and its writes, which are made one after the other under its fence. */
export class RunAttempt {
  readonly plan: RunPlan;
  readonly sources: RunSources;
  readonly loop: ToolLoop;
  readonly steps: FinishedStep[];
  readonly calls: ToolCallRow[];
  /** Aborted when somebody stops the run, its time is over or the worker shuts down. */
  readonly signal: AbortSignal;
  /** Encloses data in the input; nobody who writes a source knows it. */
  readonly mark = `data-${randomBytes(6).toString('hex')}`;
  /** Counts what the model is asked with, most of which is the same in every step. */
  readonly inputCount: RememberingCount;
  tainted: string | null;
  /** False once the credits for another step could not be set aside. */
  hasCredits = true;
  /** Tokens that the step at hand was asked with. */
  pending = 0;
  private readonly log = new Logger(RunAttempt.name);
  private readonly held: Held;
  /** Counts what the model has said in the step at hand, at each checkpoint. */
  private readonly saidCount: GrowingCount;
  private compiled: JsonCheck | undefined;
  private writes: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly of: AttemptOf,
    private readonly records: RunRecords,
  ) {
    const { run, attempt, steps, calls } = of.claimed;
    this.held = { run, attempt };
    this.plan = run.run_options;
    this.sources = new RunSources(run.run_sources);
    this.steps = [...steps];
    this.calls = [...calls];
    this.loop = new ToolLoop(this.plan.max_steps);
    for (const { tool, input, invalid, state } of calls) {
      this.loop.recordCall({ tool, input, isInvalid: invalid });
      if (state === 'unknown') this.loop.noteUncertain({ tool, input });
    }
    this.inputCount = rememberingCount(of.count);
    this.saidCount = new GrowingCount(of.count);
    this.tainted = run.run_tainted;
    this.signal = AbortSignal.any([of.stop.signal, of.overtime, of.shutdown]);
  }

  get run(): Run {
    return this.held.run;
  }

  get number(): number {
    return this.held.attempt;
  }

  get answer(): Answer {
    return this.of.answer;
  }

  get stream(): AnswerStream {
    return this.of.stream;
  }

  get count(): Count {
    return this.of.count;
  }

  get isStopped(): boolean {
    return this.of.stop.signal.aborted;
  }

  get isOverdue(): boolean {
    return this.of.overtime.aborted;
  }

  get isShutDown(): boolean {
    return this.of.shutdown.aborted;
  }

  /** The schema that the answer has to follow, which is compiled once; null where it has none. Throws where it cannot be used. */
  get schemaCheck(): JsonCheck | null {
    const { schema } = this.plan;
    return schema ? (this.compiled ??= new JsonCheck(schema)) : null;
  }

  /** What decides what happens next, while nothing interrupts the work. */
  get state(): RunState<FinishedStep, ToolCallRow> {
    const { steps, calls, answer, hasCredits } = this;
    return { isStopRequested: this.run.run_stop_requested, steps, calls, isFull: answer.isFull, hasCredits };
  }

  /** Text that the asker did not write is among what the model reads from now on. */
  taintRun(reason: string | null): void {
    this.tainted ??= reason;
  }

  replaceCall(call: ToolCallRow): void {
    this.calls[this.calls.findIndex(({ call_id }) => call_id === call.call_id)] = call;
  }

  /** Logs an error of this attempt at its run. */
  logError(msg: string, err: unknown): void {
    this.log.error({ msg, run_id: this.run.run_id, attempt: this.number, err });
  }

  /** One write after the other: what is kept never goes back to what followers saw before. */
  writeRecords<T>(write: (records: RunRecords, held: Held) => Promise<T>): Promise<T> {
    const next = this.writes.then(() => write(this.records, this.held));
    this.writes = next.catch(() => undefined);
    return next;
  }

  /** A step begins, for which credits are set aside; what followers have seen is kept with them, and whether the run is to stop is learned. */
  async beginStep(tokens: number, reserve: () => Promise<{ readonly hold_id: string }>): Promise<void> {
    const { stop, hold_id } = await this.writeRecords(async (records, held) => {
      const begun = await records.beginStep(held, { sent: this.stream.sent, pending: { input: tokens, output: 0 }, reserve });
      // Before the next checkpoint, which notes them again.
      this.answer.beginStep();
      this.pending = tokens;
      return begun;
    });
    this.run.run_hold = hold_id;
    if (stop) this.of.stop.abort();
  }

  /** Keeps what followers have seen, and learns whether the run is to stop. */
  async saveCheckpoint(): Promise<void> {
    try {
      const { stop } = await this.writeRecords((records, held) => this.saveSent(records, held));
      if (stop) this.of.stop.abort();
    } catch (error) {
      if (error instanceof Superseded) this.of.stop.abort(error);
      // The database may have crashed, and events of the last moment with it.
      else this.stream.markTorn();
    }
  }

  /** Keeps all that was said so far. */
  async saveAll(): Promise<void> {
    await this.stream.sendRemaining();
    await this.writeRecords((records, held) => this.saveSent(records, held));
  }

  async endRun(ending: Omit<Ending, 'parts'>, unfinished: TokenUsage | null = null): Promise<void> {
    const told = await this.stream.sendRemaining();
    const whole = { ...ending, parts: told.parts, ...(unfinished ? { unfinished } : {}) };
    await this.writeRecords((records, held) => records.recordEnd(held, whole, told.id));
  }

  private async saveSent(records: RunRecords, held: Held): Promise<{ readonly stop: boolean }> {
    const { sent } = this.stream;
    return records.saveCheckpoint(held, sent, await this.countPending(sent));
  }

  /** Tokens of the step at hand; what it has said as far as followers know it. */
  private async countPending({ parts }: SentAnswer): Promise<PendingTokens> {
    const input = this.pending;
    if (input === 0) return { input, output: 0 };
    const said = parts.slice(this.answer.parts.length - this.answer.stepParts.length);
    const texts = said.map((part: MessagePart) => (part.kind === 'text' || part.kind === 'reasoning' ? part.text : ''));
    return { input, output: await this.saidCount.countTexts(texts) };
  }
}

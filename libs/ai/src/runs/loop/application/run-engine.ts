import { Injectable } from '@nestjs/common';
import { loadTokenCount } from '@atrium/models';
import { Settings } from '@atrium/platform/config';
import { Database } from '@atrium/platform/database';
import { asJson, Clock } from '@atrium/platform/kernel';
import { Signals, StreamFenced, tenantChannel, type JobRun } from '@atrium/platform/messaging';
import type { AssistantMessageEvent, ThreadEvent } from '../../../events/thread-event';
import { Answer, withEnds } from '../../records/domain/answer';
import { isFollowed } from '../../records/domain/run';
import { textOf, type MessagePart } from '../../../threads/domain/message-parts';
import { AnswerStream, LOST, type AnswerEvent, type SendEvents } from './answer-stream';
import { RunAttempt } from './run-attempt';
import { RunClaims, type ClaimedRun } from './run-claims';
import { AttemptLoop } from './attempt-loop';
import { RunRecords, Superseded } from '../../records/application/run-records';
import { runTopic } from '../../records/application/run-stops';
import { RunNotifier } from '../../records/application/run-notifier';

/** Events of a second, of one run: an append to PostgreSQL is a transaction. */
const PACE_MS = { postgres: 100, redis: 40 } as const;

/** Answers one message. What goes wrong with a model ends the run; what goes wrong here hands it to another worker. */
@Injectable()
export class RunEngine {
  private readonly paceMs: number;

  constructor(
    private readonly db: Database,
    private readonly claims: RunClaims,
    private readonly records: RunRecords,
    private readonly notifier: RunNotifier,
    private readonly signals: Signals,
    private readonly course: AttemptLoop,
    private readonly clock: Clock,
    settings: Settings,
  ) {
    this.paceMs = settings.REDIS_URL === '' ? PACE_MS.postgres : PACE_MS.redis;
  }

  async executeRun(run_id: string, job: Pick<JobRun, 'signal'>): Promise<void> {
    const claimed = await this.claims.claimRun(run_id);
    if (!claimed) return;
    const stopping = new AbortController();
    const channel = tenantChannel(runTopic(run_id));
    const unsubscribe = await this.signals.subscribe(channel, ({ stop }) => stop === true && stopping.abort());
    try {
      await this.follow(claimed, job.signal, stopping);
    } finally {
      // Also when another worker has the run: a return would say that the job is done.
      await unsubscribe().catch(() => undefined);
      await this.signals.publish(channel, { ended: true }).catch(() => undefined);
    }
  }

  private async follow(claimed: ClaimedRun, signal: AbortSignal, stopping: AbortController): Promise<void> {
    const { run, attempt, steps, calls, parts } = claimed;
    const stand = steps.filter(({ correction }) => correction === null);
    const ends = new Map(calls.map((call) => [call.call_id, call]));
    const kept = withEnds(run.run_message ? parts.slice(0, run.run_kept_parts) : stand.flatMap((step) => step.parts), ends);
    const answer = new Answer(kept);
    const stream = new AnswerStream(answer, this.tellOf(claimed), this.paceMs, () => stopping.abort());
    await this.begin(claimed);
    const count = await loadTokenCount();
    const overtime = AbortSignal.timeout(Math.max(0, run.timeLeft(this.clock)));
    const held = new RunAttempt({ claimed, answer, stream, count, stop: stopping, overtime, shutdown: signal }, this.records);
    // What an asker without a thread saw of a step that was not done is stored nowhere.
    const isSeenInPart = isFollowed(run) && attempt > 1;
    if (claimed.wasLost || isSeenInPart || parts.length > kept.length) stream.applyChange((whole) => whole.dropStep('worker_lost'));
    else if (attempt > 1) tellCalls(stream, kept);
    try {
      await this.course.runAttempt(held);
    } catch (error) {
      if (signal.aborted && !stopping.signal.aborted) {
        await this.records.requeueRun({ run, attempt });
        throw error;
      }
      if (!(error instanceof Superseded || error instanceof StreamFenced)) held.logError('a run was interrupted', error);
      throw error;
    }
  }

  private async begin({ run, attempt, shown: message }: ClaimedRun): Promise<void> {
    const [thread_id, msg_id] = [run.run_thread ?? '', run.run_message ?? ''];
    if (!message) return;
    await this.notifier.emitEvent(
      thread_id,
      { kind: 'assistant_message', data: { op: 'start', msg_id, run_id: run.run_id, attempt, message } },
      { run_id: run.run_id, attempt },
    );
  }

  /** A run without a thread is followed by its asker alone, where that one asked for a stream. */
  private tellOf({ run, attempt }: ClaimedRun): SendEvents {
    const { run_id, run_thread, run_message: msg_id } = run;
    if (isFollowed(run))
      return async (events) => {
        const told = events.map(({ event }) => asJson(event));
        return (await this.notifier.sendToAsker(told, { run_id, attempt })) ?? LOST;
      };
    if (run_thread === null || msg_id === null) return () => Promise.resolve(null);
    const of = { msg_id, run_id, attempt };
    return async (events) => {
      const told: ThreadEvent[] = [];
      for (const { event, only_for } of events) {
        const said = event.op === 'snapshot' ? await this.whole(run_thread, msg_id, event) : event;
        const data = { ...said, ...(only_for === null ? {} : { only_for }), ...of } as AssistantMessageEvent;
        told.push({ kind: 'assistant_message', data });
      }
      return (await this.notifier.sendEvents(run_thread, told, { run_id, attempt })) ?? LOST;
    };
  }

  /** The message with what its answer says at this moment, which may not be stored yet. */
  private async whole(thread_id: string, msg_id: string, { parts }: Extract<AnswerEvent, { op: 'snapshot' }>): Promise<object> {
    const message = await this.db.read(() => this.notifier.viewMessage(thread_id, msg_id));
    return { op: 'snapshot', message: { ...message, msg_parts: parts, msg_text: textOf(parts) } };
  }
}

/** What became of calls while the run waited: followers learn it from the worker that goes on. */
function tellCalls(stream: AnswerStream, parts: readonly MessagePart[]): void {
  for (const [at, part] of parts.entries()) if (part.kind === 'tool') stream.applyChange((answer) => answer.replacePart(at, part));
}

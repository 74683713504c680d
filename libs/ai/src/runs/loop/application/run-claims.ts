import { Injectable } from '@nestjs/common';
import { Settings } from '@atrium/platform/config';
import { Database, requireScope } from '@atrium/platform/database';
import type { Carried } from '@atrium/models';
import { Clock, SECOND } from '@atrium/platform/kernel';
import { EventStreams, planJob, Outbox } from '@atrium/platform/messaging';
import type { MessageView } from '../../../events/thread-event';
import { threadStream } from '../../../events/thread-events';
import type { MessagePart } from '../../../threads/domain/message-parts';
import type { Run } from '../../records/domain/run';
import { AnswersRepository } from '../../records/infrastructure/answers.repository';
import { RunsRepository } from '../../records/infrastructure/runs.repository';
import { RunStepsRepository, type FinishedStep, type StepRow, type ToolCallRow } from '../../records/infrastructure/run-steps.repository';
import { ThreadLocksRepository } from '../../records/infrastructure/thread-locks.repository';
import { answer } from '../jobs/runs.jobs';
import { RunCharges } from '../../records/application/run-charges';
import { RunRecords } from '../../records/application/run-records';
import { RunNotifier } from '../../records/application/run-notifier';

/** A run that a worker has taken up, with what was committed of it. */
export interface ClaimedRun {
  readonly run: Run;
  readonly attempt: number;
  readonly steps: readonly (StepRow & Pick<FinishedStep, 'carried'>)[];
  readonly calls: readonly ToolCallRow[];
  /** What the message shows, of an unfinished step too. */
  readonly parts: readonly MessagePart[];
  /** The worker before was lost. */
  readonly wasLost: boolean;
  /** The message as its followers are sent it first; null where they have had it, or where there is none. */
  readonly shown?: MessageView | null;
}

interface Claimed {
  readonly claimed?: ClaimedRun | null;
  /** It has ended, which may not have been reported. */
  readonly over?: Run;
}

const MOST_OF_USER = 5;
const AGAIN_MS = SECOND;
const PAGE = 1_000;

/** Who answers: one worker at a time, so many runs of a person and of a workspace at once, and no more after three lost workers. */
@Injectable()
export class RunClaims {
  constructor(
    private readonly db: Database,
    private readonly runs: RunsRepository,
    private readonly steps: RunStepsRepository,
    private readonly answers: AnswersRepository,
    private readonly locks: ThreadLocksRepository,
    private readonly records: RunRecords,
    private readonly charges: RunCharges,
    private readonly notifier: RunNotifier,
    private readonly streams: EventStreams,
    private readonly outbox: Outbox,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /** Null where there is nothing to do, or not yet. */
  async claimRun(run_id: string): Promise<ClaimedRun | null> {
    const { claimed = null, over } = await this.db.write(async (): Promise<Claimed> => {
      await this.locks.holdOf(run_id);
      const [run] = await this.runs.lockMany([run_id]);
      if (!run) return {};
      if (run.isOver) return { over: run };
      if (run.run_status !== 'queued' && run.run_status !== 'running') return {};
      if (run.run_status === 'queued' && !(await this.hasRoom(run))) {
        if (run.staysQueued(this.clock)) await this.runs.save(run);
        this.outbox.addJob(planJob(answer, { run_id }, { delayMs: AGAIN_MS }));
        return {};
      }
      return { claimed: await this.take(run) };
    });
    if (over) await this.announce(over);
    return claimed;
  }

  private async take(run: Run): Promise<ClaimedRun | null> {
    const lost = run.run_attempt;
    const claimed = run.claim(this.clock);
    if (lost === 0 && claimed === 'began') return this.takeFirst(run);
    const parts = run.run_message ? await this.answers.readParts(run.run_message) : [];
    this.charges.chargeLost(run, lost);
    if (claimed === 'given up') {
      const error = { code: 'service_unavailable', detail: 'The answer was interrupted three times. Ask again, or regenerate it.' };
      await this.records.settleRun(run, { status: 'failed', parts, finish: 'error', error });
      return null;
    }
    await this.runs.save(run);
    const { run_id, run_attempt: attempt } = run;
    const steps = (await this.steps.listSteps(run_id)).filter(({ state }) => state === 'done');
    const carried: ReadonlyMap<number, Carried> = steps.length > 0 ? await this.steps.findCarried(run_id) : new Map();
    const made = steps.map((step) => ({ ...step, carried: carried.get(step.step) ?? null }));
    return { run, attempt, steps: made, calls: await this.steps.listCalls(run_id), parts, wasLost: claimed === 'taken over' };
  }

  /** Nobody had it before: nothing is stored of it. */
  private async takeFirst(run: Run): Promise<ClaimedRun> {
    await this.runs.save(run);
    const { run_attempt: attempt, run_thread, run_message } = run;
    const shown = run_thread && run_message ? await this.notifier.viewMessage(run_thread, run_message) : null;
    return { run, attempt, steps: [], calls: [], parts: [], wasLost: false, shown };
  }

  private async hasRoom({ run_user }: Run): Promise<boolean> {
    const { ofUser, ofWorkspace } = await this.runs.countRunsAtWork(run_user);
    return ofWorkspace < this.settings.AI_TENANT_CONCURRENCY && (run_user === null || ofUser < MOST_OF_USER);
  }

  /** Reports, once, the end of a run whose worker was lost before it could. */
  private async announce(run: Run): Promise<void> {
    if (!run.run_thread || !run.run_message || (await this.isTold(run))) return;
    await this.db.write(async () => {
      const lock = await this.locks.lockThread(run.run_thread ?? '');
      if (lock?.thread_active) await this.notifier.announceAnswer(run, lock);
    });
  }

  private async isTold({ run_thread, run_message, run_checkpoint }: Run): Promise<boolean> {
    requireScope();
    for (let after = run_checkpoint ?? '0'; ;) {
      const { events } = await this.streams.readEvents(threadStream(run_thread ?? ''), after, PAGE);
      if (events.some(({ event }) => isDoneOf(event['data'], run_message))) return true;
      const last = events.at(-1);
      if (!last || events.length < PAGE) return false;
      after = last.id;
    }
  }
}

const isDoneOf = (data: unknown, msg_id: string | null): boolean =>
  typeof data === 'object' && data !== null && 'op' in data && data.op === 'done' && 'msg_id' in data && data.msg_id === msg_id;

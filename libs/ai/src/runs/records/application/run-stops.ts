import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { Clock, notFound, SECOND, unknownReference, type JsonObject } from '@atrium/platform/kernel';
import { Signals, tenantChannel } from '@atrium/platform/messaging';
import { MessageReader, type MessageAnswer } from '../../../threads/application/message-reader';
import { ThreadAccess } from '../../../threads/application/thread-access';
import { ThreadEnds } from '../../../threads/application/thread-ends';
import type { Run, RunEnd } from '../domain/run';
import { AnswersRepository } from '../infrastructure/answers.repository';
import { RunsRepository, type RunRow } from '../infrastructure/runs.repository';
import { ThreadLocksRepository } from '../infrastructure/thread-locks.repository';
import { RunCharges } from './run-charges';
import { RunRecords } from './run-records';

/** The topic by which the worker of a run hears that it is to stop, and others that it ended. */
export const runTopic = (run_id: string): string => `run/${run_id}`;

/** A run that was stopped, and what is kept of its answer. */
export interface Stopped {
  readonly run: RunRow | null;
  readonly assistant_message: MessageAnswer | null;
}

const PATIENCE_MS = 3 * SECOND;
const LOOK_MS = 250;

/** Ends runs: by the worker that has them, or at once where none has, or where it does not answer. */
@Injectable()
export class RunStops implements OnModuleInit {
  constructor(
    private readonly db: Database,
    private readonly threads: ThreadAccess,
    private readonly messages: MessageReader,
    private readonly ends: ThreadEnds,
    private readonly runs: RunsRepository,
    private readonly locks: ThreadLocksRepository,
    private readonly answers: AnswersRepository,
    private readonly records: RunRecords,
    private readonly charges: RunCharges,
    private readonly signals: Signals,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.ends.register({
      onThreadEnded: async ({ thread_run }) => {
        if (thread_run === null) return;
        const run = await this.runs.lock(thread_run);
        if (run.isOver) return;
        if (run.run_status === 'running') run.takeAway();
        await this.settle(run, 'stopped', null);
        // Its worker need not wait for the next checkpoint to learn that nobody reads it any more.
        this.db.current().afterCommit(() => this.signalStop(thread_run));
      },
    });
  }

  /** Stops what answers in the thread, or the named run of it. */
  async stopRun(caller: Principal, thread_id: string, run_id?: string): Promise<Stopped> {
    const known = await this.db.read(async () => {
      const thread = await this.threads.requireThread(caller, thread_id, 'edit');
      const wanted = run_id ?? thread.thread_run;
      const run = wanted === null ? null : await this.runs.findRow(wanted);
      if (run_id !== undefined && run?.run_thread !== thread_id) throw unknownReference('run_id', 'run of this thread');
      return run;
    });
    if (!known) return { run: null, assistant_message: null };
    await this.endRun(known.run_id);
    return this.db.read(async () => {
      const run = (await this.runs.findRunRow(known.run_id)) ?? null;
      const kept = known.run_message ? [await this.messages.requireMessage(thread_id, known.run_message)] : [];
      const [assistant_message = null] = await this.messages.viewMessages(caller, thread_id, kept);
      return { run, assistant_message };
    });
  }

  /** The run is over when this is: by its worker within three seconds, else without it. */
  async endRun(run_id: string): Promise<void> {
    const over = await this.watch(run_id);
    try {
      if (!(await this.ask(run_id))) return;
      await this.signalStop(run_id);
      if (await over.within(PATIENCE_MS)) return;
      await this.takeAway(run_id);
    } finally {
      await over.leave();
    }
  }

  /** Waits so long for the end of a run, or until it needs somebody; whether it came. */
  async awaitEnd(run_id: string, withinMs: number): Promise<boolean> {
    const over = await this.watch(run_id);
    try {
      return await over.within(withinMs);
    } finally {
      await over.leave();
    }
  }

  /** Ends a run that nobody works on any more, for the reason that it has now that it is locked; none lets it be. What its worker used is shown, never billed. */
  expireRun(run_id: string, reasonOf: (run: Run) => JsonObject | null): Promise<void> {
    return this.locked(run_id, async (run) => {
      const error = run.isOver ? null : reasonOf(run);
      if (!error) return;
      this.charges.chargeLost(run, run.run_attempt);
      run.takeAway();
      await this.settle(run, 'failed', error);
    });
  }

  private async signalStop(run_id: string): Promise<void> {
    await this.signals.publish(tenantChannel(runTopic(run_id)), { stop: true }).catch(() => undefined);
  }

  /** Whether its worker has to end it; one that no worker has is over now. */
  private ask(run_id: string): Promise<boolean> {
    return this.locked(run_id, async (run) => {
      if (run.isOver) return false;
      if (run.requestStop()) {
        await this.runs.save(run);
        return true;
      }
      await this.settle(run, 'stopped', null);
      return false;
    });
  }

  private takeAway(run_id: string): Promise<void> {
    return this.locked(run_id, async (run) => {
      if (run.isOver) return;
      run.takeAway();
      await this.settle(run, 'stopped', null);
    });
  }

  private async settle(run: Run, status: RunEnd, error: JsonObject | null): Promise<void> {
    const parts = run.run_message ? await this.answers.readParts(run.run_message) : [];
    const lost = run.run_status === 'running' && run.run_pending_tokens > 0 ? { unfinished: estimatedOf(run) } : {};
    await this.records.settleRun(run, { status, parts, finish: status === 'stopped' ? 'stopped' : 'error', error, ...lost });
  }

  /** The thread before its run: the order of all who lock both. */
  private async locked<T>(run_id: string, work: (run: Run) => Promise<T>): Promise<T> {
    return this.db.write(async () => {
      const known = await this.runs.findRow(run_id);
      if (!known) throw notFound('run');
      if (known.run_thread) await this.locks.lockThread(known.run_thread);
      return work(await this.runs.lock(run_id));
    });
  }

  private async watch(run_id: string) {
    let wake: () => void = () => undefined;
    const unsubscribe = await this.signals
      .subscribe(tenantChannel(runTopic(run_id)), ({ ended }) => ended === true && wake())
      .catch(() => () => Promise.resolve());
    const isOver = (): Promise<boolean> =>
      this.db.read(async () => {
        const run = await this.runs.findRow(run_id);
        return !run || run.isOver || run.run_status === 'waiting';
      });
    return {
      leave: unsubscribe,
      within: async (milliseconds: number): Promise<boolean> => {
        for (const until = this.clock.now().getTime() + milliseconds; ;) {
          if (await isOver()) return true;
          const left = until - this.clock.now().getTime();
          if (left <= 0) return false;
          await new Promise<void>((resolve) => {
            wake = resolve;
            setTimeout(resolve, Math.min(LOOK_MS, left)).unref();
          });
        }
      },
    };
  }
}

const estimatedOf = ({ run_pending_tokens, run_pending_output }: Run) => ({
  input_tokens: run_pending_tokens - run_pending_output,
  cached_tokens: 0,
  output_tokens: run_pending_output,
  reasoning_tokens: 0,
  estimated: true,
});

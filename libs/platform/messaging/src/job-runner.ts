import { Injectable, Logger } from '@nestjs/common';
import { runAsJob } from '@atrium/platform/database';
import { BackgroundJobs } from './background-jobs';
import { scopeOf } from './job-envelope';
import { fateOf, type JobFate } from './job-fate';
import { PermanentFailure, type JobResult, type JobRun } from './job-handling';
import { JobLedger, type Begun } from './job-ledger';
import { checkedPayload, InvalidPayload } from './job-payload';
import type { HandledJob } from './job-registry';
import { pauseAfter } from './outages';
import type { ReceivedJob } from './queue-backend';
import { WorkerSettings } from './worker-settings';

/**
 * Runs one received job: in the scope of who asked for it, with a checked payload, once. What it throws decides what
 * the queue does: run it again, give it up, or let another worker take it.
 */
@Injectable()
export class JobRunner {
  private readonly log = new Logger(JobRunner.name);
  private readonly stopping = new AbortController();
  private readonly overdue = new AbortController();

  constructor(
    private readonly ledger: JobLedger,
    private readonly background: BackgroundJobs,
    private readonly settings: WorkerSettings,
  ) {}

  /**
   * Asks running handlers to stop; those that still run after the grace period are abandoned, and their jobs go to other workers.
   * Answers what to call when none runs any more.
   */
  stop(graceMs: number): () => void {
    this.stopping.abort(new Error('The worker shuts down.'));
    const grace = setTimeout(() => this.overdue.abort(), graceMs).unref();
    return () => clearTimeout(grace);
  }

  /** The outcome of the run, where it did not throw. */
  run(job: HandledJob, received: ReceivedJob): Promise<'done' | 'waits'> {
    return runAsJob(scopeOf(received.envelope, received.envelope.bulk || job.definition.bulk), async () => {
      const began = await this.ledger.begin(job.definition, received.envelope);
      return began ? this.attempt(job, received, began) : 'done';
    });
  }

  /**
   * The queue gave the job up, because workers ended while they had it. It goes on after a pause, which is longer each time: a job
   * that ends its worker leaves the others time, and one whose worker was ended by somebody else loses nothing.
   */
  async abandoned({ definition: { name } }: HandledJob, { envelope }: Pick<ReceivedJob, 'envelope'>, reason: string): Promise<void> {
    await runAsJob(scopeOf(envelope), async () => {
      const waited = await this.ledger.waited(envelope);
      if (!waited) return;
      const { outages: pace } = this.settings;
      const { job_id, tenant_id, request_id } = envelope;
      const facts = { job: name, job_id, tenant_id, request_id, reason };
      if (waited.waitedMs < pace.boundMs) {
        const pauseMs = pauseAfter(pace, waited.waits);
        this.log.warn({ msg: 'job pauses: its workers have ended', ...facts, pause_ms: pauseMs });
        await this.ledger.postpone(envelope, null, pauseMs);
      } else {
        this.log.warn({ msg: 'job failed', ...facts });
        await this.ledger.failed(envelope, reason);
      }
    });
  }

  private async attempt(job: HandledJob, received: ReceivedJob, began: Begun): Promise<'done' | 'waits'> {
    const { name } = job.definition;
    const { envelope, attempt } = received;
    try {
      const result = await this.handle(job, received, began);
      await this.ledger.succeeded(envelope, began, result ?? null);
      return 'done';
    } catch (error) {
      const permanent = error instanceof PermanentFailure || error instanceof InvalidPayload;
      if (this.stopping.signal.aborted && !permanent) throw await received.handBack();
      const fate = this.fateOf(error, received, began);
      if (fate.kind !== 'again' && !(await isOurs(received))) throw error;
      if (fate.kind === 'waits') {
        await this.wait(job, received, fate);
        return 'waits';
      }
      const reason = error instanceof Error ? error.message : String(error);
      const final = fate.kind === 'over';
      this.log.warn({
        msg: final ? 'job failed' : 'job will be tried again',
        job: name,
        job_id: envelope.job_id,
        tenant_id: envelope.tenant_id,
        request_id: envelope.request_id,
        attempt,
        err: error,
      });
      if (final) await this.ledger.failed(envelope, reason);
      throw final ? new PermanentFailure(reason) : error;
    }
  }

  private fateOf(error: unknown, received: ReceivedJob, began: Begun): JobFate {
    return fateOf(error, received, began, this.settings.outages);
  }

  /** The queue lets go of the job; its row brings it back when the pause is over. */
  private async wait(
    { definition: { name } }: HandledJob,
    { envelope }: ReceivedJob,
    { outage, pauseMs }: Extract<JobFate, { kind: 'waits' }>,
  ): Promise<void> {
    const { job_id, tenant_id, request_id } = envelope;
    await this.ledger.postpone(envelope, outage.part, pauseMs);
    this.log.warn({
      msg: 'job waits for an external service',
      job: name,
      job_id,
      tenant_id,
      request_id,
      part: outage.part,
      pause_ms: pauseMs,
      err: outage,
    });
  }

  private async handle({ definition, handle }: HandledJob, received: ReceivedJob, began: Begun): Promise<JobResult> {
    const { envelope } = received;
    if (envelope.version > definition.version) throw new Error(`${definition.name} version ${envelope.version} is newer than this worker.`);
    const payload = checkedPayload(definition, envelope.payload);
    const time = definition.timeoutMs ? [AbortSignal.timeout(definition.timeoutMs)] : [];
    const run = this.runOf(received, began, AbortSignal.any([received.signal, this.stopping.signal, ...time]));
    // A handler that ignores its signal is left behind when the time or the grace is over.
    return Promise.race([handle(payload, run), rejection(AbortSignal.any([this.overdue.signal, ...time]), definition.name)]);
  }

  private runOf(received: ReceivedJob, began: Begun, signal: AbortSignal): JobRun {
    const { attempt, lastAttempt } = received;
    const { job_id, tracked } = received.envelope;
    return {
      job_id,
      attempt,
      lastAttempt,
      signal,
      isFirst: received.isFirst && began.waits === 0,
      waitsFor: (error) => {
        const fate = this.fateOf(error, received, began);
        return fate.kind === 'waits' ? fate.outage : null;
      },
      givesUpOn: async (error) => !signal.aborted && this.fateOf(error, received, began).kind === 'over' && (await isOurs(received)),
      heartbeat: () => received.heartbeat(),
      progress: async (done, total, failed = 0) => {
        if (tracked) await this.background.progress(job_id, { done, total, failed });
      },
      cancelled: async () => tracked && (await this.background.isCancelled(job_id)),
    };
  }
}

/** Whether no other worker has taken the job over; one that was stopped for long learns it here. */
const isOurs = (received: ReceivedJob): Promise<boolean> =>
  received.heartbeat().then(
    () => true,
    () => false,
  );

/** Rejects when the signal is aborted; never resolves. */
const rejection = (signal: AbortSignal, name: string): Promise<never> =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error(`${name} did not finish in time.`)), { once: true });
  });

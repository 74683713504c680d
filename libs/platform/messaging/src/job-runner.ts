import { Injectable, Logger, Optional } from '@nestjs/common';
import { runAsJob, runUntil } from '@atrium/platform/database';
import { Metrics } from '@atrium/platform/observability';
import { BackgroundJobs } from './background-jobs';
import { scopeOf, type JobEnvelope } from './job-envelope';
import { outcomeOfError, type ErrorOutcome } from './error-outcome';
import { PermanentFailure, type JobResult, type JobRun } from './job-handling';
import { JobLedger, Overtaken, type Begun, type Held } from './job-ledger';
import { checkedPayload, InvalidPayload } from './job-payload';
import type { HandledJob } from './job-registry';
import { backoffOf, pauseAfter } from './outages';
import type { ReceivedJob } from './queue-backend';
import { RunningJobs, type RunningJob } from './running-jobs';
import { GIVEN_UP } from './tracked/reasons-to-stop';
import { WorkerSettings } from './worker-settings';

/** Of a run that did not throw: the job is done, waits, or is tried again after a pause. */
type RunOutcome = 'done' | 'waits' | 'retried';

/** The queue has given the job up. A run that a relay has started since does not count. */
const NOBODY: Held = { hold: null };
/** A job that has blocked its worker so often until its watchdog ended it is not run again (ADR 42). */
const MOST_STRIKES = 2;
const STRUCK = 'The work took too long in one piece and has stopped the service twice. Ask for less at once, or with simpler content.';

/**
 * Runs one received job: in the scope of who asked for it, with a checked payload, once. What it throws decides what
 * the queue does: run it again, give it up, or let another worker take it.
 */
@Injectable()
export class JobRunner {
  private readonly log = new Logger(JobRunner.name);
  private readonly stopping = new AbortController();
  private readonly overdue = new AbortController();
  private readonly running = new RunningJobs();

  constructor(
    private readonly ledger: JobLedger,
    private readonly background: BackgroundJobs,
    private readonly settings: WorkerSettings,
    @Optional() private readonly metrics?: Metrics,
  ) {}

  /**
   * Asks running handlers to stop; those that still run after the grace period are abandoned, and their jobs go to other workers.
   * Answers what to call when none runs any more.
   */
  stopRuns(graceMs: number): () => void {
    this.stopping.abort(new Error('The worker shuts down.'));
    const grace = setTimeout(() => this.overdue.abort(), graceMs).unref();
    return () => clearTimeout(grace);
  }

  /** Has the runs of this work begin again at once: it is no longer wanted, or not as it was. */
  interruptWork(work: Pick<JobEnvelope, 'tenant_id' | 'key'>): void {
    this.running.interruptRuns(work);
  }

  /** The outcome of the run, where it did not throw. */
  runJob(job: HandledJob, received: ReceivedJob): Promise<RunOutcome> {
    const { envelope } = received;
    return runAsJob(
      scopeOf(envelope, envelope.bulk || job.definition.bulk),
      async () => {
        const began = await this.ledger.beginRun(job.definition, envelope, received.isFirst);
        if (!began) return 'done';
        if (began.strikes < MOST_STRIKES) return this.attempt(job, received, began);
        await this.giveUp(job, envelope, { held: began, error: new PermanentFailure(STRUCK) });
        return 'done';
      },
      {
        doing: () => ({ kind: 'job', operation: job.definition.name, id: envelope.job_id }),
        urgency: job.definition.awaited ? 'awaited' : 'background',
      },
    );
  }

  /**
   * The queue gave the job up, because workers ended while they had it. It goes on after a pause, which is longer each time: a job
   * that ends its worker leaves the others time, and one whose worker was ended by somebody else loses nothing.
   */
  async resumeAbandoned(job: HandledJob, { envelope }: Pick<ReceivedJob, 'envelope'>, reason: string): Promise<void> {
    await runAsJob(scopeOf(envelope), async () => {
      const waited = await this.ledger.findWait(envelope);
      if (!waited) return;
      const { outages: pace } = this.settings;
      if (waited.waitedMs >= pace.boundMs) return this.giveUp(job, envelope, { held: NOBODY, error: new Error(reason) });
      const pauseMs = pauseAfter(pace, waited.waits);
      this.log.warn({
        msg: 'job pauses: its workers have ended',
        job: job.definition.name,
        ...factsOf(envelope),
        reason,
        pause_ms: pauseMs,
      });
      await this.ledger.postponeJob(envelope, NOBODY, null, pauseMs);
    });
  }

  /** The end of a job that is run no more: what its context shows of the work ends as well, where its handler could not see to that. */
  private async giveUp(
    job: HandledJob,
    envelope: JobEnvelope,
    { held, error }: { readonly held: Held; readonly error: unknown },
  ): Promise<void> {
    const { name } = job.definition;
    this.log.warn({ msg: 'job failed', job: name, ...factsOf(envelope), err: error });
    this.metrics?.jobsGivenUp.inc({ job: name });
    if (!(error instanceof InvalidPayload))
      await job.giveUp?.(checkedPayload(job.definition, envelope.payload), {
        job_id: envelope.job_id,
        reason: error instanceof PermanentFailure ? error.message : GIVEN_UP,
      });
    await this.ledger.failRun(envelope, held, messageOf(error));
  }

  private async attempt(job: HandledJob, received: ReceivedJob, began: Begun): Promise<RunOutcome> {
    const { name } = job.definition;
    const { envelope, attempt } = received;
    const running = this.running.beginRun(envelope);
    try {
      const result = await this.handle(job, received, { began, running });
      await this.ledger.completeRun(envelope, began, result ?? null);
      return 'done';
    } catch (error) {
      const permanent = error instanceof PermanentFailure || error instanceof InvalidPayload;
      if (this.stopping.signal.aborted && !permanent) throw await received.returnToQueue();
      const outcome: ErrorOutcome = running.interrupted.aborted ? { kind: 'pauses', pauseMs: 0 } : this.toOutcome(error, received, began);
      // One that was stopped for long learns here that another worker has the job: what went wrong is that one's to say.
      if (error instanceof Overtaken || !(await isOurs(received))) throw error;
      if (outcome.kind === 'pauses') {
        await this.ledger.pauseJob(envelope, began, { failed: false, pauseMs: outcome.pauseMs });
        return 'waits';
      }
      if (outcome.kind === 'waits') {
        await this.wait(job, received, { ...outcome, began });
        return 'waits';
      }
      if (outcome.kind === 'over') {
        await this.giveUp(job, envelope, { held: began, error });
        throw new PermanentFailure(messageOf(error));
      }
      this.log.warn({ msg: 'job will be tried again', job: name, ...factsOf(envelope), attempt, err: error });
      await this.ledger.pauseJob(envelope, began, { failed: true, pauseMs: backoffOf(job.definition.backoffMs, attempt) });
      return 'retried';
    } finally {
      running.end();
    }
  }

  private toOutcome(error: unknown, received: ReceivedJob, began: Begun): ErrorOutcome {
    return outcomeOfError(error, received, began, this.settings.outages);
  }

  /** The queue lets go of the job; its row brings it back when the pause is over. */
  private async wait(
    { definition: { name } }: HandledJob,
    { envelope }: ReceivedJob,
    { outage, pauseMs, began }: Extract<ErrorOutcome, { kind: 'waits' }> & { readonly began: Begun },
  ): Promise<void> {
    await this.ledger.postponeJob(envelope, began, outage.part, pauseMs);
    this.log.warn({
      msg: 'job waits for an external service',
      job: name,
      ...factsOf(envelope),
      part: outage.part,
      pause_ms: pauseMs,
      err: outage,
    });
  }

  private async handle(
    { definition, handle }: HandledJob,
    received: ReceivedJob,
    { began, running }: { readonly began: Begun; readonly running: RunningJob },
  ): Promise<JobResult> {
    const { envelope } = received;
    if (envelope.version > definition.version) throw new Error(`${definition.name} version ${envelope.version} is newer than this worker.`);
    const payload = checkedPayload(definition, envelope.payload);
    const time = definition.timeoutMs ? [AbortSignal.timeout(definition.timeoutMs)] : [];
    const run = this.runOf(received, began, AbortSignal.any([received.signal, this.stopping.signal, running.interrupted, ...time]));
    // A handler that ignores its signal is left behind when the time or the grace is over.
    const { left, forget } = leaving(AbortSignal.any([this.overdue.signal, running.left, ...time]), definition.name);
    try {
      return await Promise.race([
        runUntil(
          () => run.signal,
          () => handle(payload, run),
        ),
        left,
      ]);
    } finally {
      forget();
    }
  }

  private runOf(received: ReceivedJob, began: Begun, signal: AbortSignal): JobRun {
    const { attempt, lastAttempt } = received;
    const { job_id, tracked } = received.envelope;
    return {
      job_id,
      attempt,
      lastAttempt,
      signal,
      isFirst: received.isFirst && began.hold === 0,
      waitsFor: (error) => {
        const outcome = this.toOutcome(error, received, began);
        return outcome.kind === 'waits' ? outcome.outage : null;
      },
      givesUpOn: async (error) => !signal.aborted && this.toOutcome(error, received, began).kind === 'over' && (await isOurs(received)),
      heartbeat: () => received.heartbeat(),
      reportProgress: async (done, total, failed = 0) => {
        if (tracked) await this.background.recordProgress(job_id, { done, total, failed });
      },
      isCancelled: async () => tracked && (await this.background.isCancelled(job_id)),
    };
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const factsOf = ({ job_id, tenant_id, request_id }: JobEnvelope): object => ({ job_id, tenant_id, request_id });

/** Whether no other worker has taken the job over; one that was stopped for long learns it here. */
const isOurs = (received: ReceivedJob): Promise<boolean> =>
  received.heartbeat().then(
    () => true,
    () => false,
  );

/** `left` rejects when the signal is aborted and never resolves; a signal that is listened to is kept for as long as the process lives, so it is forgotten. */
function leaving(signal: AbortSignal, name: string): { readonly left: Promise<never>; readonly forget: () => void } {
  let leave = (): void => undefined;
  const left = new Promise<never>((_resolve, reject) => {
    leave = () => reject(new Error(`${name} did not finish in time.`));
  });
  signal.addEventListener('abort', leave, { once: true });
  return { left, forget: () => signal.removeEventListener('abort', leave) };
}

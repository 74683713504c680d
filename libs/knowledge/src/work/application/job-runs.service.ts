import { Injectable, Optional } from '@nestjs/common';
import { ActingCallers } from '@atrium/identity';
import { permissionDenied, type Permission, type Principal } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { Clock, Outage, Problem } from '@atrium/platform/kernel';
import { Outbox, PermanentFailure, type JobRun } from '@atrium/platform/messaging';
import { Metrics } from '@atrium/platform/observability';
import { finishedEvent } from './job-events';
import { JobEnded, JobsRepository, type JobAttempt, type JobStep } from '../infrastructure/jobs.repository';
import type { JobOutcome, KnowledgeJob } from '../domain/knowledge-job';

/** How a run ended, and what it has stored. */
export type RunOutcome = JobOutcome & { readonly report?: string | null; readonly object?: string | null };

const SERVER_FAULT = 500;
const GIVEN_UP = 'The work could not be finished. Start it again.';
const ASKER_GONE = 'The member or key that asked for this work is gone or has lost its rights. Somebody else can start it.';

/**
 * What is the same in every run of a job: it begins once, goes on where another worker was lost, stops when it was cancelled, and
 * ends with a reason that people can read. A fault that passes is left to the queue, which runs the job again.
 */
@Injectable()
export class JobRuns {
  constructor(
    private readonly db: Database,
    private readonly jobs: JobsRepository,
    private readonly callers: ActingCallers,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
    @Optional() private readonly metrics?: Metrics,
  ) {}

  async run(job_id: string, run: JobRun, work: (job: KnowledgeJob) => Promise<RunOutcome>): Promise<void> {
    const job = await this.begin(job_id);
    if (!job) return;
    try {
      await this.finish(job, await work(job));
    } catch (error) {
      // Cancelled; a worker that another one has followed learns here that the job is no longer its own.
      if (error instanceof JobEnded) {
        await run.heartbeat();
        return;
      }
      const reason = await reasonToStop(error, run);
      if (reason === undefined) throw error;
      await this.finish(job, { status: 'failed', error: reason });
    }
  }

  /** The queue has given the job up, and no run can say so. */
  giveUp(job_id: string, reason: string): Promise<void> {
    return this.db.write(async () => {
      const job = await this.locked(job_id);
      if (!job || job.isFinished) return;
      job.begin(this.clock);
      job.finish({ status: 'failed', error: reason }, this.clock);
      this.metrics?.workFailed.inc({ work: job.job_kind });
      await this.jobs.save(job);
      this.outbox.emit(finishedEvent(job));
    });
  }

  /** Who asked for the work, with the rights of this moment; asked before each step. */
  async acting({ job_created_by, job_key }: Pick<KnowledgeJob, 'job_created_by' | 'job_key'>, permission: Permission): Promise<Principal> {
    if (job_created_by === null) throw new PermanentFailure(ASKER_GONE);
    const caller = await this.callers.of({ user_id: job_created_by, key_id: job_key }).catch((error: unknown) => {
      throw error instanceof Problem && error.status < SERVER_FAULT ? new PermanentFailure(ASKER_GONE, { cause: error }) : error;
    });
    if (!caller.permissions.has(permission)) throw permissionDenied([permission]);
    return caller;
  }

  /** Within the unit of work of the step. */
  advance(job: JobAttempt, step: JobStep): Promise<void> {
    return this.jobs.advance(job, step);
  }

  /** Throws when the job was cancelled or has gone to another worker; for checkpoints without a step. */
  async assertRunning(job: JobAttempt): Promise<void> {
    if (!(await this.db.read(() => this.jobs.isRunning(job)))) throw new JobEnded();
  }

  private begin(job_id: string): Promise<KnowledgeJob | undefined> {
    return this.db.write(async () => {
      const job = await this.locked(job_id);
      if (!job || job.isFinished) return undefined;
      job.begin(this.clock);
      await this.jobs.save(job);
      return job;
    });
  }

  private finish({ job_id, job_attempt }: JobAttempt, { report = null, object = null, ...outcome }: RunOutcome): Promise<void> {
    return this.db.write(async () => {
      const job = await this.locked(job_id);
      if (!job || job.isFinished) return;
      if (job.job_attempt !== job_attempt) throw new JobEnded();
      job.finish(outcome, this.clock);
      if (job.status === 'failed') this.metrics?.workFailed.inc({ work: job.job_kind });
      job.job_report = report;
      job.job_object = object;
      await this.jobs.save(job);
      this.outbox.emit(finishedEvent(job));
    });
  }

  /** Undefined where the base went with all that it had. */
  private locked(job_id: string): Promise<KnowledgeJob | undefined> {
    return this.jobs.lock(job_id).catch((error: unknown) => {
      if (error instanceof Problem && error.code === 'not_found') return undefined;
      throw error;
    });
  }
}

/** Why the job ends here; undefined where another run may succeed. */
async function reasonToStop(error: unknown, run: JobRun): Promise<string | undefined> {
  if (error instanceof PermanentFailure) return error.message;
  if (error instanceof Problem && error.status < SERVER_FAULT && !(error instanceof Outage)) return error.detail;
  if (!(await run.givesUpOn(error))) return undefined;
  return error instanceof Problem && error.code !== 'internal_error' ? error.detail : GIVEN_UP;
}

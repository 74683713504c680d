import { Injectable } from '@nestjs/common';
import { ActingCallers } from '@atrium/identity';
import { systemPrincipal } from '@atrium/platform/access';
import { Database, requireScope, runInScope, SYSTEM_ACTOR } from '@atrium/platform/database';
import { Clock, Outage, PROBLEMS, Problem, type ProblemCode } from '@atrium/platform/kernel';
import type { JobRun } from '@atrium/platform/messaging';
import type { FileJob, FileJobBatch } from '../domain/file-job';
import { FileJobsRepository } from '../infrastructure/file-jobs.repository';
import { FileJobKinds, type FileJobKind } from './file-job-kinds';

const SERVER_FAULT = 500;
type Run = Pick<JobRun, 'signal' | 'heartbeat' | 'waitsFor' | 'givesUpOn'>;

const GIVEN_UP = 'The work could not be finished; ask for it again.';

/**
 * Does the batches of a file job, one after the other, until none is left or nobody wants it any more. What a batch came
 * to is written with the place where it ended: a run that is cut off anywhere is taken up there by the next one.
 */
@Injectable()
export class FileJobRunner {
  constructor(
    private readonly db: Database,
    private readonly jobs: FileJobsRepository,
    private readonly kinds: FileJobKinds,
    private readonly callers: ActingCallers,
    private readonly clock: Clock,
  ) {}

  async run(job_id: string, run: Run): Promise<void> {
    const begun = await this.begin(job_id);
    if (!begun) return;
    const kind = this.kinds.of(begun.job_kind);
    if (!kind) return this.fail(job_id, 'This installation does not support jobs of this kind.', 'not_configured');
    try {
      for (let job: FileJob | null = begun; job;) {
        run.signal.throwIfAborted();
        job = await this.next(job, kind, run);
        if (job) await run.heartbeat();
      }
    } catch (error) {
      if (error instanceof Problem && error.status < SERVER_FAULT && !(error instanceof Outage))
        return this.fail(job_id, error.detail, error.code);
      if (await run.givesUpOn(error)) await this.fail(job_id, reasonOf(error), error instanceof Problem ? error.code : 'internal_error');
      throw error;
    }
  }

  /** The job, now running; null when it is finished, cancelled or gone. */
  private begin(job_id: string): Promise<FileJob | null> {
    return this.db.write(async () => {
      const job = await this.jobs.lock(job_id).catch(unlessAbsent);
      if (!job || job.isFinished) return null;
      job.begin(this.clock);
      await this.jobs.save(job);
      return job;
    });
  }

  private next(job: FileJob, kind: FileJobKind, run: Run): Promise<FileJob | null> {
    const batch = async (): Promise<FileJob | null> => this.advance(job, await this.step(job, kind, run));
    return kind.whole ? this.db.write(batch) : batch();
  }

  /** One batch, in the name of the caller who started the job, with their current rights. */
  private async step(job: FileJob, kind: FileJobKind, run: Run): Promise<FileJobBatch> {
    const { tenant_id, request_id } = requireScope();
    const batch = {
      job_id: job.job_id,
      params: job.job_params,
      checkpoint: job.job_checkpoint,
      signal: run.signal,
      waitsFor: (error: unknown) => run.waitsFor(error),
      heartbeat: () => run.heartbeat(),
    };
    if (job.job_created_by === null)
      return runInScope({ tenant_id, actor: SYSTEM_ACTOR, request_id }, () => kind.step({ ...batch, caller: systemPrincipal(tenant_id) }));
    return kind.step({ ...batch, caller: await this.callers.of({ user_id: job.job_created_by, key_id: job.job_key }) });
  }

  /** The job after the batch; null when there is nothing left to do, or another run is ahead. */
  private advance({ job_id, job_checkpoint }: FileJob, batch: FileJobBatch): Promise<FileJob | null> {
    return this.db.write(async () => {
      const job = await this.jobs.lock(job_id).catch(unlessAbsent);
      if (!job || job.isFinished || job.job_checkpoint !== job_checkpoint) return null;
      job.advance(batch, this.clock);
      await this.jobs.save(job);
      return job.isFinished ? null : job;
    });
  }

  /** Ends the job, unless it has ended. */
  fail(job_id: string, reason: string, code: ProblemCode): Promise<void> {
    return this.db.write(async () => {
      const job = await this.jobs.lock(job_id).catch(unlessAbsent);
      if (!job || job.isFinished) return;
      job.fail(reason, code, this.clock);
      await this.jobs.save(job);
    });
  }
}

const reasonOf = (error: unknown): string =>
  error instanceof Problem && error.code !== 'internal_error' ? `${PROBLEMS[error.code].title}: ${error.detail}` : GIVEN_UP;

const unlessAbsent = (error: unknown): null => {
  if (error instanceof Problem && error.code === 'not_found') return null;
  throw error;
};

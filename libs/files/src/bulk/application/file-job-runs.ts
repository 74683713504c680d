import { Injectable } from '@nestjs/common';
import { systemPrincipal } from '@atrium/platform/access';
import { requireScope, runInScope, SYSTEM_ACTOR } from '@atrium/platform/database';
import { Problem } from '@atrium/platform/kernel';
import { PermanentFailure, TrackedRuns, WorkEnded, WorkEngine, type JobRun } from '@atrium/platform/messaging';
import type { FileJob, FileJobBatch, FileJobOutcome } from '../domain/file-job';
import { FileJobsRepository } from '../infrastructure/file-jobs.repository';
import { FileJobKinds, type FileJobKind } from './file-job-kinds';

/**
 * Does the batches of a file job, one after the other, until none is left. What a batch came to is written with the place where it
 * ended: a run that is cut off anywhere is taken up there by the next one.
 */
@Injectable()
export class FileJobRuns extends TrackedRuns<FileJob, FileJobOutcome> {
  constructor(
    engine: WorkEngine,
    jobs: FileJobsRepository,
    private readonly kinds: FileJobKinds,
  ) {
    super(engine, jobs);
  }

  runBatches(job_id: string, run: JobRun): Promise<void> {
    return this.runWork(job_id, run, async (begun) => {
      const kind = this.kinds.findKind(begun.job_kind);
      if (!kind) throw unknownKind();
      for (let job = begun; !job.isFinished;) {
        run.signal.throwIfAborted();
        job = await this.doBatch(job, kind, run);
        if (!job.isFinished) await run.heartbeat();
      }
      return { status: 'completed' };
    });
  }

  protected labelOf({ job_kind }: FileJob): string {
    return `files.${job_kind}`;
  }

  protected eventsOf(): readonly never[] {
    return [];
  }

  protected override failureOf(error: string, cause?: unknown): FileJobOutcome {
    return { status: 'failed', error, code: codeOf(cause) };
  }

  /** The job after the batch. */
  private doBatch(job: FileJob, kind: FileJobKind, run: JobRun): Promise<FileJob> {
    const { db, clock } = this.engine;
    const recorded = (batch: FileJobBatch): Promise<FileJob> =>
      db.write(() =>
        this.changeRow(job, (row) => {
          // A host of the release before has no attempts.
          if (row.job_checkpoint !== job.job_checkpoint) throw new WorkEnded();
          row.advance(batch, clock);
        }),
      );
    return kind.whole ? db.write(async () => recorded(await this.step(job, kind, run))) : this.step(job, kind, run).then(recorded);
  }

  /** One batch, in the name of who requested the job, with their rights of this moment. */
  private async step(job: FileJob, kind: FileJobKind, run: JobRun): Promise<FileJobBatch> {
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
      return runInScope({ tenant_id, actor: SYSTEM_ACTOR, request_id }, () =>
        kind.runStep({ ...batch, caller: systemPrincipal(tenant_id) }),
      );
    return kind.runStep({ ...batch, caller: await this.findAsker(job, kind.kind.rights?.(job.job_params)) });
  }
}

const unknownKind = (): PermanentFailure => {
  const cause = new Problem('not_configured', 'This installation does not support jobs of this kind.');
  return new PermanentFailure(cause.detail, { cause });
};

/** The code of the problem that ended a job. */
function codeOf(cause: unknown): string {
  if (cause instanceof Problem) return cause.code;
  return cause instanceof Error && cause.cause instanceof Problem ? cause.cause.code : 'internal_error';
}

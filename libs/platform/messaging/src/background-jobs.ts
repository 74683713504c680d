import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { assertCurrent, requireScope, sql, versionOf, type Precondition, type Sql } from '@atrium/platform/database';
import type { JsonObject } from '@atrium/platform/kernel';
import { kindsClosedTo, kindsSeenWith, type PlannedJob } from './job-definition';
import type { BackgroundJob, BackgroundOutcome } from './tracked/background-job';
import { BackgroundJobRows } from './tracked/background-job.rows';
import { JobDirectory } from './tracked/job-directory';
import { hrefOfJob, requesterOf, type Job, type JobRows } from './tracked/job-rows';
import { LostWork } from './tracked/lost-work';
import { TrackedRuns } from './tracked/tracked-runs';
import { WorkEnded } from './tracked/tracked.repository';
import { WorkEngine } from './tracked/work-engine';

/**
 * Work that its context shows at no route of its own. `startJob` writes the row and the job in one unit of work under one
 * id; the queue begins and ends the row with its runs, and the worker updates it in between. Only the member who started
 * the job sees it, at `/jobs/{job_id}`.
 */
@Injectable()
export class BackgroundJobs extends TrackedRuns<BackgroundJob, BackgroundOutcome> {
  constructor(
    engine: WorkEngine,
    private readonly jobs: BackgroundJobRows,
    directory: JobDirectory,
    lost: LostWork,
  ) {
    super(engine, jobs);
    directory.register({
      mayShow: () => true,
      rowsFor: (caller) => this.rowsFor(caller),
      cancelJob: (_, job_id, precondition) => this.cancelUnfinished(job_id, precondition),
    });
    lost.register('background_job', (job_id, reason) => this.giveUp(job_id, reason));
  }

  /** Starts the job; the row is the body of the 202 answer. */
  startJob(planned: PlannedJob, { total = null }: { readonly total?: number | null } = {}): Promise<Job> {
    const { db, outbox } = this.engine;
    return db.write(() => {
      const job_id = outbox.addJob(planned, { tracked: true });
      return this.jobs.insert({ job_id, job_kind: planned.definition.name, total, created_by: requesterOf(requireScope().actor) });
    });
  }

  isCancelled(job_id: string): Promise<boolean> {
    return this.engine.db.read(() => this.jobs.isCancelled(job_id));
  }

  /** The work begins, or begins again; false when it was cancelled. */
  async beginJob(job_id: string): Promise<boolean> {
    return (await this.beginRun(job_id)) !== undefined;
  }

  recordProgress(job_id: string, at: { readonly done: number; readonly total: number; readonly failed?: number }): Promise<void> {
    return this.engine.db.write(() => this.jobs.recordProgress(job_id, at));
  }

  /** Counts a step in, within its unit of work, so that a run that is cut off counts on; returns the sum. Once the job has ended the step is undone. */
  async advanceJob(job_id: string, by: number): Promise<number> {
    const done = await this.engine.db.write(() => this.jobs.addDone(job_id, by));
    if (done === undefined) throw new WorkEnded();
    return done;
  }

  /** Locks a job that has not ended until the unit of work has; false when it has. */
  lockJob(job_id: string): Promise<boolean> {
    return this.jobs.lockUnfinished(job_id);
  }

  /** What the work has come to so far; it stays where the job fails. False when the job has ended. */
  reportResult(job_id: string, result: JsonObject): Promise<boolean> {
    return this.engine.db.write(() => this.jobs.storeResult(job_id, result));
  }

  /** The work is over; what its items came to decides how it ended. */
  completeJob(job_id: string, result: JsonObject | null, item?: string): Promise<void> {
    return this.closeUnfinished(job_id, { status: 'completed', result, ...(item === undefined ? {} : { item }) });
  }

  protected labelOf({ job_kind }: BackgroundJob): string {
    return job_kind;
  }

  protected eventsOf(): readonly never[] {
    return [];
  }

  /** For who started them: a member, or a key that is nobody's. */
  private rowsFor(caller: Principal): readonly JobRows[] {
    return [
      {
        from: sql`background_job r`,
        where: sql`r.tenant_id = ${caller.tenant_id}`,
        requester: sql`r.job_created_by`,
        permitted: permittedTo(caller),
        subjects: null,
        job_kind: sql`r.job_kind`,
        queue: null,
        subject: null,
        href: hrefOfJob(sql`r.job_id`),
        states: { unfinished: sql`r.job_status IN ('queued', 'running')`, failing: sql`r.job_status IN ('failed', 'partial')` },
        columns: {
          status: sql`r.job_status`,
          done: sql`r.job_done`,
          failed: sql`r.job_failed`,
          total: sql`r.job_total`,
          error: sql`r.job_error`,
          result: sql`r.job_result`,
          // Rows of hosts of the release before do not say when they ended.
          job_finished: sql`coalesce(r.job_finished, CASE WHEN r.job_status NOT IN ('queued', 'running') THEN r.job_updated END)`,
          job_updated: sql`r.job_updated`,
        },
      },
    ];
  }

  /** Stops it at its next checkpoint, within the unit of work of the caller who sees it. */
  private async cancelUnfinished(job_id: string, precondition?: Precondition): Promise<void> {
    const { status, isFinished } = await this.jobs.lock(job_id);
    assertCurrent(precondition, versionOf(status), 'job');
    if (!isFinished) await this.cancelWork(job_id);
  }
}

/** A kind that names no permission is open to the member who requested it, and closed to keys. */
const permittedTo = ({ key_id, permissions }: Principal): Sql =>
  key_id === null
    ? sql`r.job_kind <> ALL(${kindsClosedTo(permissions)}::text[])`
    : sql`r.job_kind = ANY(${kindsSeenWith(permissions)}::text[])`;

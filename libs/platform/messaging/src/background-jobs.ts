import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { assertCurrent, Database, empty, requireScope, sql, versionOf, type Actor, type Precondition } from '@atrium/platform/database';
import { allFailed, endOfWork, notFound, type JsonObject, type WorkCounts } from '@atrium/platform/kernel';
import { kindsSeenWith, type PlannedJob } from './job-definition';
import { Outbox } from './outbox';
import { JobDirectory } from './tracked/job-directory';
import { LostWork } from './tracked/lost-work';
import { hrefOfJob, type Job, type JobRows } from './tracked/job-rows';

/** The job was cancelled or has ended otherwise: its step does not count. */
export class BackgroundJobEnded extends Error {
  constructor() {
    super('The job has ended.');
    this.name = 'BackgroundJobEnded';
  }
}

/** The columns of a job that has just been requested, as clients see it. */
const NEW_JOB = sql`job_id, job_kind, job_status AS status, job_done AS done, job_failed AS failed, job_total AS total, job_error AS error, job_result AS result,
  NULL AS waits_for, false AS stalled, NULL AS subject, ${hrefOfJob(sql`job_id`)} AS href, job_created, job_started, job_finished, job_updated`;
const UNFINISHED = sql`job_status IN ('queued', 'running')`;

/**
 * Work that its context shows at no route of its own. `start` writes the row and the job in one unit of work under one
 * id; the worker updates the row. A finished row never changes again. Only the member who started the job sees it,
 * at `/jobs/{job_id}`.
 */
@Injectable()
export class BackgroundJobs {
  constructor(
    private readonly db: Database,
    private readonly outbox: Outbox,
    directory: JobDirectory,
    lost: LostWork,
  ) {
    directory.register({
      shows: () => true,
      rowsFor: (caller) => this.rowsFor(caller),
      cancel: (_, job_id, precondition) => this.cancel(job_id, precondition),
    });
    lost.register('background_job', (job_id, reason) => this.fail(job_id, reason));
  }

  /** Starts the job; the row is the body of the 202 answer. */
  start(planned: PlannedJob, { total = null }: { readonly total?: number | null } = {}): Promise<Job> {
    const { tenant_id, actor } = requireScope();
    return this.db.write(async (tx) => {
      const job_id = this.outbox.add(planned, { tracked: true });
      const row = await tx.first<Job & Record<string, unknown>>(sql`
        INSERT INTO background_job (tenant_id, job_id, job_kind, job_total, job_created_by)
        VALUES (${tenant_id}, ${job_id}, ${planned.definition.name}, ${total}, ${requestedBy(actor)}) RETURNING ${NEW_JOB}`);
      if (!row) throw new Error('A row that was inserted is returned.');
      return row;
    });
  }

  async isCancelled(job_id: string): Promise<boolean> {
    const row = await this.db.read((tx) =>
      tx.first<{ job_status: string }>(sql`SELECT job_status FROM background_job WHERE ${one(job_id)}`),
    );
    return row?.job_status === 'cancelled';
  }

  /** The work begins, or begins again; false when it was cancelled. */
  async begin(job_id: string): Promise<boolean> {
    return (
      (await this.db.write((tx) =>
        tx.execute(
          sql`UPDATE background_job SET job_status = 'running', job_started = coalesce(job_started, now()), job_updated = now() WHERE ${one(job_id)} AND ${UNFINISHED}`,
        ),
      )) === 1
    );
  }

  async progress(job_id: string, at: { readonly done: number; readonly total: number; readonly failed?: number }): Promise<void> {
    await this.db.write((tx) =>
      tx.execute(
        sql`UPDATE background_job SET job_done = ${at.done}, job_total = ${at.total}, job_failed = ${at.failed ?? 0}, job_updated = now() WHERE ${one(job_id)} AND ${UNFINISHED}`,
      ),
    );
  }

  /** Counts a step in, within its unit of work, so that a run that is cut off counts on; answers the sum. Once the job has ended the step is undone. */
  async advance(job_id: string, by: number): Promise<number> {
    const row = await this.db.write((tx) =>
      tx.first<{ done: number }>(sql`
        UPDATE background_job SET job_done = job_done + ${by}::integer, job_total = greatest(job_total, job_done + ${by}::integer), job_updated = now()
        WHERE ${one(job_id)} AND ${UNFINISHED} RETURNING job_done AS done`),
    );
    if (!row) throw new BackgroundJobEnded();
    return row.done;
  }

  /** Locks a job that has not ended until the unit of work has; false when it has. */
  async keep(job_id: string): Promise<boolean> {
    const row = await this.db.current().first(sql`SELECT 1 FROM background_job WHERE ${one(job_id)} AND ${UNFINISHED} FOR SHARE`);
    return row !== undefined;
  }

  /** What the work has come to so far; it stays where the job fails. False when the job has ended. */
  async report(job_id: string, result: JsonObject): Promise<boolean> {
    return (
      (await this.db.write((tx) =>
        tx.execute(
          sql`UPDATE background_job SET job_result = ${JSON.stringify(result)}::jsonb, job_updated = now() WHERE ${one(job_id)} AND ${UNFINISHED}`,
        ),
      )) === 1
    );
  }

  /** The work is over; what its items came to decides how it ended. */
  async complete(job_id: string, result: JsonObject | null, item = 'item'): Promise<void> {
    await this.db.write(async (tx) => {
      const counts = await tx.first<WorkCounts>(
        sql`SELECT job_done AS done, job_failed AS failed FROM background_job WHERE ${one(job_id)} AND ${UNFINISHED} FOR NO KEY UPDATE`,
      );
      if (!counts) return;
      const end = endOfWork(counts);
      const error = end === 'failed' ? allFailed(counts.failed, item) : null;
      await tx.execute(
        sql`UPDATE background_job SET job_status = ${end}, job_error = ${error}, job_result = ${result && JSON.stringify(result)}::jsonb, job_finished = now(), job_updated = now() WHERE ${one(job_id)}`,
      );
    });
  }

  /** The reason is shown to the customer. */
  async fail(job_id: string, reason: string): Promise<void> {
    await this.db.write((tx) =>
      tx.execute(
        sql`UPDATE background_job SET job_status = 'failed', job_error = ${reason}, job_finished = now(), job_updated = now() WHERE ${one(job_id)} AND ${UNFINISHED}`,
      ),
    );
  }

  /** What the member, or the key that is nobody's, has started. */
  private rowsFor(caller: Principal): readonly JobRows[] {
    return [
      {
        from: sql`background_job r`,
        where: sql`r.tenant_id = ${caller.tenant_id} AND r.job_created_by = ${requestedBy(caller)}::uuid ${
          caller.key_id === null ? empty : sql`AND r.job_kind = ANY(${kindsSeenWith(caller.permissions)}::text[])`
        }`,
        job_kind: sql`r.job_kind`,
        queue: null,
        subject: null,
        href: hrefOfJob(sql`r.job_id`),
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
  private async cancel(job_id: string, precondition?: Precondition): Promise<void> {
    const present = await this.db
      .current()
      .first<{ status: string }>(sql`SELECT job_status AS status FROM background_job WHERE ${one(job_id)} FOR UPDATE`);
    if (!present) throw notFound('job');
    assertCurrent(precondition, versionOf(present.status), 'job');
    await this.db.write((tx) =>
      tx.execute(
        sql`UPDATE background_job SET job_status = 'cancelled', job_finished = now(), job_updated = now() WHERE ${one(job_id)} AND ${UNFINISHED}`,
      ),
    );
    this.outbox.interrupt(job_id);
  }
}

const one = (job_id: string) => sql`tenant_id = ${requireScope().tenant_id} AND job_id = ${job_id}`;

const requestedBy = (actor: Actor): string | null => actor.user_id ?? actor.key_id;

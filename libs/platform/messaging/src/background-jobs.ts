import { Injectable } from '@nestjs/common';
import {
  assertCurrent,
  Database,
  requireScope,
  sql,
  versionOf,
  type Actor,
  type Precondition,
  type Versioned,
} from '@atrium/platform/database';
import { allFailed, endOfWork, notFound, type JsonObject, type WorkCounts } from '@atrium/platform/kernel';
import type { PlannedJob } from './job-definition';
import { Outbox } from './outbox';
import { waitsForOf } from './waiting-jobs';

export type BackgroundJobStatus = 'queued' | 'running' | 'completed' | 'partial' | 'failed' | 'cancelled';

/** A background job as clients see it. */
export interface BackgroundJob {
  readonly job_id: string;
  readonly job_kind: string;
  readonly status: BackgroundJobStatus;
  readonly done: number;
  readonly failed: number;
  readonly total: number | null;
  readonly error: string | null;
  /** The external service it waits for; null while it waits for none. */
  readonly waits_for: string | null;
  readonly result: JsonObject | null;
  readonly job_created: string;
  readonly job_updated: string;
}

/** The job was cancelled or has ended otherwise: its step does not count. */
export class BackgroundJobEnded extends Error {
  constructor() {
    super('The job has ended.');
    this.name = 'BackgroundJobEnded';
  }
}

const VIEW = sql`job_id, job_kind, job_status AS status, job_done AS done, job_failed AS failed, job_total AS total, job_error AS error, ${waitsForOf(sql`background_job.job_id`)} AS waits_for, job_result AS result, job_created, job_updated`;
const UNFINISHED = sql`job_status IN ('queued', 'running')`;

/**
 * Work that its context shows at no route of its own. `start` writes the row and the job in one unit of work under one
 * id; the worker updates the row. A finished row never changes again. Only the member who started the job sees it.
 */
@Injectable()
export class BackgroundJobs {
  constructor(
    private readonly db: Database,
    private readonly outbox: Outbox,
  ) {}

  /** Starts the job; the row is the body of the 202 answer. */
  start(planned: PlannedJob, { total = null }: { readonly total?: number | null } = {}): Promise<BackgroundJob> {
    const { tenant_id, actor } = requireScope();
    return this.db.write(async (tx) => {
      const job_id = this.outbox.add(planned, { tracked: true });
      const row = await tx.first<BackgroundJob>(sql`
        INSERT INTO background_job (tenant_id, job_id, job_kind, job_total, job_created_by)
        VALUES (${tenant_id}, ${job_id}, ${planned.definition.name}, ${total}, ${requestedBy(actor)}) RETURNING ${VIEW}`);
      return found(row);
    });
  }

  /** The job, for the member who started it. */
  get(job_id: string): Promise<BackgroundJob & Versioned> {
    return this.db.read(async (tx) =>
      versioned(await tx.first<BackgroundJob>(sql`SELECT ${VIEW} FROM background_job WHERE ${this.own(job_id)}`)),
    );
  }

  /** Stops it at its next checkpoint; a finished one is left alone. */
  cancel(job_id: string, precondition?: Precondition): Promise<BackgroundJob & Versioned> {
    return this.db.write(async (tx) => {
      const present = await tx.first<{ status: BackgroundJobStatus }>(
        sql`SELECT job_status AS status FROM background_job WHERE ${this.own(job_id)} FOR UPDATE`,
      );
      if (!present) throw notFound('job');
      assertCurrent(precondition, versionOf(present.status), 'job');
      await tx.execute(
        sql`UPDATE background_job SET job_status = 'cancelled', job_updated = now() WHERE ${this.own(job_id)} AND ${UNFINISHED}`,
      );
      this.outbox.interrupt(job_id);
      return versioned(await tx.first<BackgroundJob>(sql`SELECT ${VIEW} FROM background_job WHERE ${this.own(job_id)}`));
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
        tx.execute(sql`UPDATE background_job SET job_status = 'running', job_updated = now() WHERE ${one(job_id)} AND ${UNFINISHED}`),
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
        sql`UPDATE background_job SET job_status = ${end}, job_error = ${error}, job_result = ${result && JSON.stringify(result)}::jsonb, job_updated = now() WHERE ${one(job_id)}`,
      );
    });
  }

  /** The reason is shown to the customer. */
  async fail(job_id: string, reason: string): Promise<void> {
    await this.db.write((tx) =>
      tx.execute(
        sql`UPDATE background_job SET job_status = 'failed', job_error = ${reason}, job_updated = now() WHERE ${one(job_id)} AND ${UNFINISHED}`,
      ),
    );
  }

  private own(job_id: string) {
    return sql`${one(job_id)} AND job_created_by IS NOT DISTINCT FROM ${requestedBy(requireScope().actor)}::uuid`;
  }
}

const one = (job_id: string) => sql`tenant_id = ${requireScope().tenant_id} AND job_id = ${job_id}`;

const requestedBy = (actor: Actor): string | null => actor.user_id ?? actor.key_id;

function found(row: BackgroundJob | undefined): BackgroundJob {
  if (!row) throw notFound('job');
  return row;
}

/** Its version is its state: that is all a customer can change, while counts grow by themselves. */
function versioned(row: BackgroundJob | undefined): BackgroundJob & Versioned {
  const job = found(row);
  return { ...job, row_version: versionOf(job.status) };
}

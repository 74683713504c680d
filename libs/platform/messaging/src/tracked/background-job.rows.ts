import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql, type Sql } from '@atrium/platform/database';
import { notFound, type JsonObject } from '@atrium/platform/kernel';
import { BackgroundJob } from './background-job';
import { hrefOfJob, type Job } from './job-rows';
import type { WorkAttempt, WorkRows } from './tracked.repository';

/** The columns of a job that has just been requested, as clients see it. */
const NEW_JOB = sql`job_id, job_kind, job_status AS status, job_done AS done, job_failed AS failed, job_total AS total, job_error AS error, job_result AS result,
  NULL AS waits_for, false AS stalled, NULL AS subject, ${hrefOfJob(sql`job_id`)} AS href, job_created, job_started, job_finished, job_updated`;
const UNFINISHED = sql`job_status IN ('queued', 'running')`;

/** A background job that is requested. */
export interface NewBackgroundJob {
  readonly job_id: string;
  readonly job_kind: string;
  readonly total: number | null;
  readonly created_by: string | null;
}

/** The rows of background jobs, whose columns have names of their own. */
@Injectable()
export class BackgroundJobRows implements WorkRows<BackgroundJob> {
  constructor(private readonly db: Database) {}

  async insert({ job_id, job_kind, total, created_by }: NewBackgroundJob): Promise<Job> {
    const row = await this.db.current().first<Job & Record<string, unknown>>(sql`
      INSERT INTO background_job (tenant_id, job_id, job_kind, job_total, job_created_by)
      VALUES (${requireScope().tenant_id}, ${job_id}, ${job_kind}, ${total}, ${created_by}) RETURNING ${NEW_JOB}`);
    if (!row) throw new Error('A row that was inserted is returned.');
    return row;
  }

  async lock(job_id: string): Promise<BackgroundJob> {
    const row = await this.db.current().first<Record<string, unknown>>(sql`
      SELECT job_id, job_kind, job_status AS status, job_done AS done, job_failed AS failed, job_error AS error, job_result AS result, job_started, job_finished
      FROM background_job WHERE ${one(job_id)} FOR NO KEY UPDATE`);
    if (!row) throw notFound('job');
    return Object.assign(new BackgroundJob(), row);
  }

  save({ job_id, status, error, result, job_started, job_finished }: BackgroundJob): Promise<unknown> {
    return this.db.current().execute(sql`
      UPDATE background_job SET job_status = ${status}, job_error = ${error}, job_result = ${result && JSON.stringify(result)}::jsonb, job_started = ${job_started},
        job_finished = ${job_finished}, job_updated = now() WHERE ${one(job_id)}`);
  }

  async isRunning({ job_id }: WorkAttempt): Promise<boolean> {
    return (await this.statusOf(job_id)) === 'running';
  }

  async isCancelled(job_id: string): Promise<boolean> {
    return (await this.statusOf(job_id)) === 'cancelled';
  }

  async recordProgress(job_id: string, at: { readonly done: number; readonly total: number; readonly failed?: number }): Promise<void> {
    await this.db
      .current()
      .execute(
        sql`UPDATE background_job SET job_done = ${at.done}, job_total = ${at.total}, job_failed = ${at.failed ?? 0}, job_updated = now() WHERE ${one(job_id)} AND ${UNFINISHED}`,
      );
  }

  /** The sum; undefined where the job has ended. */
  async addDone(job_id: string, by: number): Promise<number | undefined> {
    const row = await this.db.current().first<{ done: number }>(sql`
      UPDATE background_job SET job_done = job_done + ${by}::integer, job_total = greatest(job_total, job_done + ${by}::integer), job_updated = now()
      WHERE ${one(job_id)} AND ${UNFINISHED} RETURNING job_done AS done`);
    return row?.done;
  }

  /** Alone: two units of work that shared the lock, and then wrote the row, would wait for each other. */
  async lockUnfinished(job_id: string): Promise<boolean> {
    const row = await this.db.current().first(sql`SELECT 1 FROM background_job WHERE ${one(job_id)} AND ${UNFINISHED} FOR NO KEY UPDATE`);
    return row !== undefined;
  }

  async storeResult(job_id: string, result: JsonObject): Promise<boolean> {
    const changed = await this.db
      .current()
      .execute(
        sql`UPDATE background_job SET job_result = ${JSON.stringify(result)}::jsonb, job_updated = now() WHERE ${one(job_id)} AND ${UNFINISHED}`,
      );
    return changed === 1;
  }

  private async statusOf(job_id: string): Promise<string | undefined> {
    const row = await this.db
      .current()
      .first<{ status: string }>(sql`SELECT job_status AS status FROM background_job WHERE ${one(job_id)}`);
    return row?.status;
  }
}

const one = (job_id: string): Sql => sql`tenant_id = ${requireScope().tenant_id} AND job_id = ${job_id}`;

import { Injectable } from '@nestjs/common';
import type { DueRows } from '@atrium/governance';
import { columnsOf, Database, requireScope, sql, type Sql } from '@atrium/platform/database';
import { TrackedRepository, WorkEnded, type WorkAttempt } from '@atrium/platform/messaging';
import { DownloadJob, type SkippedFile } from '../domain/download-job';

/** A job as its owner sees it, and where its archive is stored. */
export type ShownDownloadJob = Pick<
  DownloadJob,
  | 'job_id'
  | 'status'
  | 'file_count'
  | 'size'
  | 'done'
  | 'total'
  | 'archive_size'
  | 'error'
  | 'waits_for'
  | 'expires_at'
  | 'job_created'
  | 'job_created_by'
  | 'job_key'
> & { readonly skipped: readonly SkippedFile[]; readonly archive_key: string | null };

/** Download jobs as aggregates, and the statements that need none. */
@Injectable()
export class DownloadJobsRepository extends TrackedRepository<DownloadJob> {
  constructor(db: Database) {
    super(db, DownloadJob, { noun: 'download job', columns: { attempt: 'archive_key' } });
  }

  /** How many unfinished jobs a user has; until the unit of work ends nobody else adds one for them. */
  async countUnfinished(user_id: string): Promise<number> {
    const { tenant_id } = requireScope();
    const tx = this.db.current();
    await tx.query(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`download-jobs:${tenant_id}:${user_id}`}, 0))`);
    const row = await tx.first<{ count: number }>(
      sql`SELECT count(*) FROM download_job WHERE tenant_id = ${tenant_id} AND job_created_by = ${user_id} AND status IN ('queued', 'running')`,
    );
    return row?.count ?? 0;
  }

  /** Of these jobs those that are not finished. */
  async countUnfinishedAmong(ids: readonly string[]): Promise<number> {
    const row = await this.db
      .current()
      .first<{ count: number }>(
        sql`SELECT count(*) FROM download_job WHERE tenant_id = ${requireScope().tenant_id} AND job_id = ANY(${[...ids]}::uuid[]) AND status IN ('queued', 'running')`,
      );
    return row?.count ?? 0;
  }

  /** The files of a job that were not skipped. */
  async findPackedFiles(id: string): Promise<string[]> {
    const row = await this.db.current().first<{ file_ids: string[] }>(sql`
      SELECT coalesce(array_agg(f.id), '{}') AS file_ids FROM download_job j CROSS JOIN unnest(j.file_ids) AS f (id)
      WHERE j.tenant_id = ${requireScope().tenant_id} AND j.job_id = ${id} AND NOT EXISTS (SELECT FROM jsonb_array_elements(j.skipped) s WHERE s ->> 'file_id' = f.id::text)`);
    return row?.file_ids ?? [];
  }

  /** The job of an owner, who is null for guests; `besides` are columns over `r`, its row. */
  findShownJob(id: string, owner: string | null, besides: Sql): Promise<ShownDownloadJob | undefined> {
    return this.db.current().first<ShownDownloadJob>(sql`
      SELECT ${columnsOf(DownloadJob)}, ${besides} FROM download_job r
      WHERE r.tenant_id = ${requireScope().tenant_id} AND r.job_id = ${id} AND r.job_created_by IS NOT DISTINCT FROM ${owner}::uuid`);
  }

  /** Archives whose day has come. */
  async countDue(now: Date): Promise<DueRows> {
    const counted = await this.db.current().first<DueRows & Record<string, unknown>>(sql`
      SELECT count(*) AS rows, coalesce(sum(archive_size), 0)::bigint AS bytes, 0 AS held, min(expires_at) AS oldest
      FROM download_job WHERE tenant_id = ${requireScope().tenant_id} AND status = 'completed' AND expires_at <= ${now}`);
    return counted ?? { rows: 0, bytes: 0, held: 0, oldest: null };
  }

  /** Takes some of them out of reach; the sweeper removes their bytes. */
  expireDue(now: Date, most: number): Promise<Pick<DownloadJob, 'archive_size' | 'job_created_by'>[]> {
    const { tenant_id } = requireScope();
    return this.db.current().query(sql`
      UPDATE download_job d SET status = 'expired', row_version = d.row_version + 1 WHERE d.tenant_id = ${tenant_id} AND d.job_id = ANY (ARRAY(
        SELECT j.job_id FROM download_job j WHERE j.tenant_id = ${tenant_id} AND j.status = 'completed' AND j.expires_at <= ${now} ORDER BY j.expires_at LIMIT ${most} FOR UPDATE SKIP LOCKED))
      RETURNING d.archive_size, d.job_created_by`);
  }

  /** Writes how far a run is, unless the job has ended or has gone to another run. */
  async recordProgress(attempt: WorkAttempt, done: number): Promise<void> {
    const changed = await this.db.current().execute(sql`UPDATE ${this.from} SET done = ${done} WHERE ${this.heldCondition(attempt)}`);
    if (changed === 0) throw new WorkEnded();
  }

  /** Those that ended before then, and of which nothing is stored. */
  async countEnded(before: Date): Promise<DueRows> {
    const row = await this.db
      .current()
      .first<{ rows: number; oldest: string | null }>(
        sql`SELECT count(*) AS rows, min(coalesce(r.job_finished, r.job_created)) AS oldest FROM download_job r WHERE ${endedBefore(before)}`,
      );
    return { rows: row?.rows ?? 0, bytes: 0, held: 0, oldest: row?.oldest ?? null };
  }

  async deleteEnded(before: Date, most: number): Promise<number> {
    return this.db.current().execute(sql`
      DELETE FROM download_job d USING (SELECT r.job_id FROM download_job r WHERE ${endedBefore(before)} ORDER BY coalesce(r.job_finished, r.job_created), r.job_id LIMIT ${most} FOR UPDATE) x
      WHERE d.tenant_id = ${requireScope().tenant_id} AND d.job_id = x.job_id`);
  }
}

const endedBefore = (before: Date): Sql =>
  sql`r.tenant_id = ${requireScope().tenant_id} AND r.status IN ('failed', 'cancelled', 'expired') AND r.archive_key IS NULL AND coalesce(r.job_finished, r.job_created) < ${before}`;

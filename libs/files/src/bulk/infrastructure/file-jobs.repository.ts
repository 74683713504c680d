import { Injectable } from '@nestjs/common';
import type { DueRows } from '@atrium/governance';
import { columnsOf, Database, requireScope, sql, type Sql } from '@atrium/platform/database';
import { TrackedRepository } from '@atrium/platform/messaging';
import { FileJob, type FileJobError } from '../domain/file-job';

/** A file job as its owner sees it, and who that is. */
export type ShownFileJob = Pick<
  FileJob,
  | 'job_id'
  | 'job_kind'
  | 'status'
  | 'done'
  | 'failed'
  | 'total'
  | 'error'
  | 'waits_for'
  | 'result'
  | 'job_created'
  | 'job_updated'
  | 'job_created_by'
> & { readonly errors: readonly FileJobError[] };

export type UnfinishedJob = Pick<FileJob, 'job_id' | 'job_kind' | 'job_created_by'>;

/** File jobs as aggregates, and the statements that need none. */
@Injectable()
export class FileJobsRepository extends TrackedRepository<FileJob> {
  constructor(db: Database) {
    super(db, FileJob, { noun: 'file job' });
  }

  /** What it waits for is an expression over `r`, the row of the job. */
  findShownJob(id: string, waits_for: Sql): Promise<ShownFileJob | undefined> {
    return this.db.current().first<ShownFileJob>(sql`
      SELECT ${columnsOf(FileJob)}, ${waits_for} AS waits_for, r.errors, r.job_created_by FROM file_job r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.job_id = ${id}`);
  }

  /** The unfinished job on a subject; until the unit of work ends nobody else starts one on it. */
  async findUnfinishedOn(subject: string): Promise<UnfinishedJob | undefined> {
    const { tenant_id } = requireScope();
    const tx = this.db.current();
    await tx.query(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`file-job:${tenant_id}:${subject}`}, 0))`);
    return tx.first<UnfinishedJob & Record<string, unknown>>(
      sql`SELECT job_id, job_kind, job_created_by FROM file_job WHERE tenant_id = ${tenant_id} AND job_subject = ${subject} AND status IN ('queued', 'running') LIMIT 1`,
    );
  }

  /** Those that ended before then. */
  async countEnded(before: Date): Promise<DueRows> {
    const row = await this.db
      .current()
      .first<{ rows: number; oldest: string | null }>(
        sql`SELECT count(*) AS rows, min(r.job_updated) AS oldest FROM file_job r WHERE ${endedBefore(before)}`,
      );
    return { rows: row?.rows ?? 0, bytes: 0, held: 0, oldest: row?.oldest ?? null };
  }

  async deleteEnded(before: Date, most: number): Promise<number> {
    return this.db.current().execute(sql`
      DELETE FROM file_job d USING (SELECT r.job_id FROM file_job r WHERE ${endedBefore(before)} ORDER BY r.job_updated, r.job_id LIMIT ${most} FOR UPDATE) x
      WHERE d.tenant_id = ${requireScope().tenant_id} AND d.job_id = x.job_id`);
  }
}

const endedBefore = (before: Date): Sql =>
  sql`r.tenant_id = ${requireScope().tenant_id} AND r.status IN ('completed', 'partial', 'failed', 'cancelled') AND r.job_updated < ${before}`;

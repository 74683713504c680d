import { Injectable } from '@nestjs/common';
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
  async unfinishedOn(subject: string): Promise<string | null> {
    const { tenant_id } = requireScope();
    const tx = this.db.current();
    await tx.query(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`file-job:${tenant_id}:${subject}`}, 0))`);
    const row = await tx.first<{ job_id: string }>(
      sql`SELECT job_id FROM file_job WHERE tenant_id = ${tenant_id} AND job_subject = ${subject} AND status IN ('queued', 'running') LIMIT 1`,
    );
    return row?.job_id ?? null;
  }
}

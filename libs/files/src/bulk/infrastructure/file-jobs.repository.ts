import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql } from '@atrium/platform/database';
import { TrackedRepository } from '@atrium/platform/messaging';
import { FileJob } from '../domain/file-job';

/** File jobs as aggregates, and the statements that need none. */
@Injectable()
export class FileJobsRepository extends TrackedRepository<FileJob> {
  constructor(db: Database) {
    super(db, FileJob, { noun: 'file job' });
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

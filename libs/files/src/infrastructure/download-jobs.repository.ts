import { Injectable } from '@nestjs/common';
import { Database, requireScope, ResourceRepository, sql } from '@atrium/platform/database';
import { DownloadJob } from '../domain/download-job';

/** Download jobs as aggregates, and the statements that need none. */
@Injectable()
export class DownloadJobsRepository extends ResourceRepository<DownloadJob> {
  constructor(db: Database) {
    super(db, DownloadJob, 'download job');
  }

  /** How many unfinished jobs a user has; until the unit of work ends nobody else adds one for them. */
  async countUnfinished(user_id: string): Promise<number> {
    const { tenant_id } = requireScope();
    const tx = this.db.current();
    await tx.query(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`download-jobs:${tenant_id}:${user_id}`}, 0))`);
    const row = await tx.first<{ count: number }>(sql`SELECT count(*) FROM download_job WHERE tenant_id = ${tenant_id} AND job_created_by = ${user_id} AND status IN ('queued', 'running')`);
    return row?.count ?? 0;
  }

  /** Writes how far a run is; false when the job does not run any more. */
  async recordProgress(job_id: string, done: number): Promise<boolean> {
    const changed = await this.db.current().execute(sql`
      UPDATE download_job SET done = ${done} WHERE tenant_id = ${requireScope().tenant_id} AND job_id = ${job_id} AND status = 'running'`);
    return changed === 1;
  }
}

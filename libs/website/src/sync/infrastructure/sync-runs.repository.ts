import { Injectable } from '@nestjs/common';
import { columnsOf, Database, requireScope, sql, type MethodsOf, type Sql } from '@atrium/platform/database';
import { SteppedRepository } from '@atrium/platform/messaging';
import { RUN_COUNTS, SyncRun, type RunCount, type RunDirection } from '../domain/sync-run';

type Internal = 'tenant_id' | 'row_version' | 'fence' | 'job_started' | 'job_finished' | 'job_attempt' | 'isFinished' | 'place' | 'job_key';
/** A run as it is stored, for reading. */
export type StoredRun = Omit<SyncRun, Internal | MethodsOf<SyncRun>>;

/** Runs of sites. */
@Injectable()
export class SyncRunsRepository extends SteppedRepository<SyncRun, RunCount> {
  constructor(db: Database) {
    super(db, SyncRun, {
      noun: 'sync run',
      counts: RUN_COUNTS,
      columns: { attempt: 'attempt', place: 'place', finished: 'finished_at', beat: 'heartbeat_at' },
    });
  }

  listNewest(
    site_id: string,
    { directions, most }: { readonly directions: readonly RunDirection[]; readonly most: number },
  ): Promise<StoredRun[]> {
    return this.db.current().query<StoredRun & Record<string, unknown>>(sql`
      SELECT ${columnsOf(SyncRun)}, r.attempt, r.result, r.retry_job, r.job_created_by FROM cms_run r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.site_id = ${site_id} AND r.direction = ANY(${[...directions]}::text[])
      ORDER BY r.queued_at DESC, r.job_id DESC LIMIT ${most}`);
  }

  findStored(site_id: string, job_id: string): Promise<StoredRun | undefined> {
    return this.db
      .current()
      .first<StoredRun & Record<string, unknown>>(
        sql`SELECT ${columnsOf(SyncRun)}, r.attempt, r.result, r.retry_job, r.job_created_by FROM cms_run r WHERE ${one(job_id)} AND r.site_id = ${site_id}`,
      );
  }

  /** The run of a site that has not finished. */
  findOpenRun(site_id: string): Promise<{ readonly job_id: string } | undefined> {
    return this.db
      .current()
      .first(
        sql`SELECT r.job_id FROM cms_run r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.site_id = ${site_id} AND r.status IN ('queued', 'running')`,
      );
  }

  /** How many runs the condition on `r` selects, and when the oldest finished. */
  async countDue(due: Sql): Promise<{ readonly rows: number; readonly oldest: string | null }> {
    const row = await this.db
      .current()
      .first<{ rows: number; oldest: string | null }>(
        sql`SELECT count(*) AS rows, min(r.finished_at) AS oldest FROM cms_run r WHERE ${due}`,
      );
    return row ?? { rows: 0, oldest: null };
  }

  /** Removes runs that the condition on `r` selects, those that finished first, at most so many; how many it removed. */
  deleteDue(due: Sql, most: number): Promise<number> {
    return this.db.current().execute(sql`
      DELETE FROM cms_run d USING (SELECT r.job_id FROM cms_run r WHERE ${due} ORDER BY r.finished_at, r.job_id LIMIT ${most} FOR UPDATE) x
      WHERE d.tenant_id = ${requireScope().tenant_id} AND d.job_id = x.job_id`);
  }
}

const one = (job_id: string): Sql => sql`r.tenant_id = ${requireScope().tenant_id} AND r.job_id = ${job_id}`;

import { Injectable } from '@nestjs/common';
import { columnsOf, Database, listPage, requireScope, sql, type ListParameters, type Page, type Sql } from '@atrium/platform/database';
import { SteppedRepository } from '@atrium/platform/messaging';
import { JOB_COUNTS, KnowledgeJob, type JobCount } from '../domain/knowledge-job';

/** A job as it is read. */
export type JobRow = Omit<
  KnowledgeJob,
  | 'tenant_id'
  | 'row_version'
  | 'job_order'
  | 'job_place'
  | 'job_crawl'
  | 'job_attempt'
  | 'job_report'
  | 'job_object'
  | 'isFinished'
  | 'begin'
  | 'cancel'
  | 'finish'
> & { readonly job_report: string | null; readonly job_object: string | null };

/** The keys of what a job had stored. */
export interface StoredByJob extends Record<string, unknown> {
  readonly job_report: string | null;
  readonly job_object: string | null;
}

/** The jobs of bases. */
@Injectable()
export class JobsRepository extends SteppedRepository<KnowledgeJob, JobCount> {
  constructor(db: Database) {
    super(db, KnowledgeJob, { counts: JOB_COUNTS, columns: { order: 'job_order' } });
  }

  listJobs(ds_id: string, query: ListParameters): Promise<Page<JobRow>> {
    return listPage<JobRow>(this.db.current(), KnowledgeJob, query, {
      where: sql`r.job_base = ${ds_id}`,
      select: sql`r.job_key, r.job_report, r.job_object`,
    });
  }

  findJobRow(ds_id: string, job_id: string): Promise<JobRow | undefined> {
    return this.db
      .current()
      .first<JobRow & Record<string, unknown>>(
        sql`SELECT ${columnsOf(KnowledgeJob)}, r.job_key, r.job_report, r.job_object FROM knowledge_job r WHERE ${one(job_id)} AND r.job_base = ${ds_id}`,
      );
  }

  /** How many jobs the condition on `r` selects, and when the oldest finished. */
  async countDue(due: Sql): Promise<{ readonly rows: number; readonly oldest: string | null }> {
    const row = await this.db
      .current()
      .first<{ rows: number; oldest: string | null }>(
        sql`SELECT count(*) AS rows, min(r.job_finished) AS oldest FROM knowledge_job r WHERE ${due}`,
      );
    return row ?? { rows: 0, oldest: null };
  }

  /** Some of the jobs that the condition on `r` names, the first that have finished first. */
  async lockDueJobs(due: Sql, most: number): Promise<string[]> {
    const rows = await this.db
      .current()
      .query<{ job_id: string }>(
        sql`SELECT r.job_id FROM knowledge_job r WHERE ${due} ORDER BY r.job_finished, r.job_id LIMIT ${most} FOR UPDATE`,
      );
    return rows.map(({ job_id }) => job_id);
  }

  /** Removes jobs; what they had stored. */
  deleteJobs(ids: readonly string[]): Promise<StoredByJob[]> {
    return this.db
      .current()
      .query<StoredByJob>(
        sql`DELETE FROM knowledge_job d WHERE d.tenant_id = ${requireScope().tenant_id} AND d.job_id = ANY(${[...ids]}::uuid[]) RETURNING d.job_report, d.job_object`,
      );
  }

  /** Takes their objects off such jobs, which stay; those objects. */
  clearObjects(due: Sql, most: number): Promise<StoredByJob[]> {
    return this.db.current().query<StoredByJob>(sql`
      UPDATE knowledge_job d SET job_object = NULL, row_version = row_version + 1
      FROM (SELECT r.job_id, r.job_object FROM knowledge_job r WHERE ${due} ORDER BY r.job_finished, r.job_id LIMIT ${most} FOR UPDATE) x
      WHERE d.tenant_id = ${requireScope().tenant_id} AND d.job_id = x.job_id RETURNING NULL AS job_report, x.job_object`);
  }

  /** Who requested a job, and of which base it is. */
  findRequest(job_id: string): Promise<Pick<KnowledgeJob, 'job_created_by' | 'job_base'> | undefined> {
    return this.db.current().first(sql`SELECT r.job_created_by, r.job_base FROM knowledge_job r WHERE ${one(job_id)}`);
  }

  /** The job of a crawl that has not finished. */
  async findCrawlJob(crw_id: string): Promise<{ readonly job_id: string } | undefined> {
    return this.db
      .current()
      .first(
        sql`SELECT r.job_id FROM knowledge_job r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.job_crawl = ${crw_id} AND r.status IN ('queued', 'running')`,
      );
  }
}

const one = (job_id: string): Sql => sql`r.tenant_id = ${requireScope().tenant_id} AND r.job_id = ${job_id}`;

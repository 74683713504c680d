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

  /** Who requested a job, and of which base it is. */
  findRequest(job_id: string): Promise<Pick<KnowledgeJob, 'job_created_by' | 'job_base'> | undefined> {
    return this.db.current().first(sql`SELECT r.job_created_by, r.job_base FROM knowledge_job r WHERE ${one(job_id)}`);
  }

  /** The job of a crawl that has not finished. */
  async ofCrawl(crw_id: string): Promise<{ readonly job_id: string } | undefined> {
    return this.db
      .current()
      .first(
        sql`SELECT r.job_id FROM knowledge_job r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.job_crawl = ${crw_id} AND r.status IN ('queued', 'running')`,
      );
  }
}

const one = (job_id: string): Sql => sql`r.tenant_id = ${requireScope().tenant_id} AND r.job_id = ${job_id}`;

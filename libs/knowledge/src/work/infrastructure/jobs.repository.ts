import { Injectable } from '@nestjs/common';
import {
  columnsOf,
  Database,
  listPage,
  requireScope,
  ResourceRepository,
  sql,
  type ListParameters,
  type Page,
  type Sql,
} from '@atrium/platform/database';
import type { JsonObject } from '@atrium/platform/kernel';
import { KnowledgeJob, type JobCounts } from '../domain/knowledge-job';

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

/** A job as one of its workers began it. */
export type JobAttempt = Pick<KnowledgeJob, 'job_id' | 'job_attempt'>;

/** What a step has done. */
export type JobStep = Partial<JobCounts> & { readonly more?: number; readonly place?: JsonObject };

/** The job was cancelled, or another worker has it: what the step did does not count. */
export class JobEnded extends Error {
  constructor() {
    super('The job has ended.');
    this.name = 'JobEnded';
  }
}

/** The jobs of bases. */
@Injectable()
export class JobsRepository extends ResourceRepository<KnowledgeJob> {
  constructor(db: Database) {
    super(db, KnowledgeJob, 'job');
  }

  page(ds_id: string, query: ListParameters): Promise<Page<JobRow>> {
    return listPage<JobRow>(this.db.current(), KnowledgeJob, query, {
      where: sql`r.job_base = ${ds_id}`,
      select: sql`r.job_key, r.job_report, r.job_object`,
    });
  }

  row(ds_id: string, job_id: string): Promise<JobRow | undefined> {
    return this.db
      .current()
      .first<JobRow & Record<string, unknown>>(
        sql`SELECT ${columnsOf(KnowledgeJob)}, r.job_key, r.job_report, r.job_object FROM knowledge_job r WHERE ${one(job_id)} AND r.job_base = ${ds_id}`,
      );
  }

  /** Counts a step in, within its unit of work. Once the job has ended or has gone to another worker the step is undone. */
  async advance(
    { job_id, job_attempt }: JobAttempt,
    { done = 0, failed = 0, created = 0, updated = 0, unchanged = 0, removed = 0, more = 0, place }: JobStep,
  ): Promise<void> {
    const counted = await this.db.current().execute(sql`
      UPDATE knowledge_job r SET done = done + ${done}::integer, failed = failed + ${failed}::integer, created = created + ${created}::integer, updated = updated + ${updated}::integer,
        unchanged = unchanged + ${unchanged}::integer, removed = removed + ${removed}::integer, total = CASE WHEN ${more}::integer = 0 THEN total ELSE coalesce(total, 0) + ${more}::integer END,
        job_place = job_place || ${JSON.stringify(place ?? {})}::jsonb
      WHERE ${one(job_id)} AND r.status = 'running' AND r.job_attempt = ${job_attempt}`);
    if (counted === 0) throw new JobEnded();
  }

  async isRunning({ job_id, job_attempt }: JobAttempt): Promise<boolean> {
    const row = await this.db
      .current()
      .first<Pick<KnowledgeJob, 'status' | 'job_attempt'>>(sql`SELECT r.status, r.job_attempt FROM knowledge_job r WHERE ${one(job_id)}`);
    return row?.status === 'running' && row.job_attempt === job_attempt;
  }

  /** The job of a crawl that has not finished. */
  async ofCrawl(crw_id: string): Promise<{ readonly job_id: string } | undefined> {
    return this.db
      .current()
      .first(
        sql`SELECT r.job_id FROM knowledge_job r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.job_crawl = ${crw_id} AND r.status IN ('queued', 'running')`,
      );
  }

  /** Ends the jobs that the condition on `r` names; whose worker finds out at its next step. */
  async endAll(condition: Sql, reason: string): Promise<void> {
    await this.db.current().execute(sql`
      UPDATE knowledge_job r SET status = 'cancelled', error = ${reason}, job_finished = now(), job_order = '{}', row_version = row_version + 1
      WHERE r.tenant_id = ${requireScope().tenant_id} AND r.status IN ('queued', 'running') AND ${condition}`);
  }
}

const one = (job_id: string): Sql => sql`r.tenant_id = ${requireScope().tenant_id} AND r.job_id = ${job_id}`;

import { Injectable, type OnModuleInit } from '@nestjs/common';
import { aclAllows, permissionDenied, type Principal } from '@atrium/platform/access';
import { assertCurrent, sql, versionOf, type Precondition, type Sql } from '@atrium/platform/database';
import { notFound } from '@atrium/platform/kernel';
import { JobDirectory, LostWork, type JobRows } from '@atrium/platform/messaging';
import { BaseAccess } from '../../bases/application/base-access';
import { JOB_KINDS } from '../domain/knowledge-job';
import { JobsRepository } from '../infrastructure/jobs.repository';
import { JobRuns } from './job-runs';

/** The jobs of bases among all jobs: for who requested them, and for who may read the base. */
@Injectable()
export class KnowledgeJobSource implements OnModuleInit {
  constructor(
    private readonly directory: JobDirectory,
    private readonly lost: LostWork,
    private readonly access: BaseAccess,
    private readonly jobs: JobsRepository,
    private readonly runs: JobRuns,
  ) {}

  onModuleInit(): void {
    this.directory.register({
      mayShow: (kind) => JOB_KINDS.some((name) => kind === `knowledge.${name}`),
      rowsFor: (caller) => [rowsOf(caller)],
      cancelJob: (caller, job_id, precondition) => this.cancel(caller, job_id, precondition),
    });
    this.lost.register('knowledge_job', (job_id, reason) => this.runs.giveUp(job_id, reason));
  }

  /** The member who requested it needs no permission; a key needs one. */
  private async cancel(caller: Principal, job_id: string, precondition?: Precondition): Promise<void> {
    const request = await this.jobs.findRequest(job_id);
    if (!request) throw notFound('job');
    if (caller.key_id !== null || request.job_created_by !== caller.user_id) {
      if (!caller.permissions.has('knowledge-base:write')) throw permissionDenied(['knowledge-base:write']);
      await this.access.requireReadable(caller, request.job_base, 'edit');
    }
    const { status, isFinished } = await this.jobs.lock(job_id);
    assertCurrent(precondition, versionOf(status), 'job');
    if (!isFinished) await this.runs.cancelWork(job_id);
  }
}

const ofReadable = (caller: Principal): Sql =>
  sql`EXISTS (
    SELECT FROM knowledge_base b WHERE b.tenant_id = r.tenant_id AND b.ds_id = r.job_base AND b.ds_active AND ${aclAllows('b.ds_acl', caller, 'view')})`;

/** A crawl counts pages that are gone for good as failed and ends as completed; a job of which anything failed is partial. */
const IS_PARTIAL = sql`r.status = 'completed' AND r.failed > 0`;

const rowsOf = (caller: Principal): JobRows => ({
  from: sql`knowledge_job r`,
  where: sql`r.tenant_id = ${caller.tenant_id}`,
  requester: sql`r.job_created_by`,
  permitted: caller.permissions.has('knowledge-base:view'),
  subjects: ofReadable(caller),
  job_kind: sql`'knowledge.' || r.job_kind`,
  queue: { name: sql`'knowledge.' || r.job_kind` },
  subject: { type: sql`'knowledge_base'`, id: sql`r.job_base` },
  href: sql`'/api/v1/knowledge-bases/' || r.job_base || '/jobs/' || r.job_id`,
  states: { failing: sql`(r.status IN ('failed', 'partial') OR ${IS_PARTIAL})` },
  columns: { status: sql`CASE WHEN ${IS_PARTIAL} THEN 'partial' ELSE r.status END`, result: sql`r.result` },
});

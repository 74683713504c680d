import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { sql, type Sql } from '@atrium/platform/database';
import { Problem } from '@atrium/platform/kernel';
import { JobDirectory, LostWork, type JobRows } from '@atrium/platform/messaging';
import { bulk } from '../jobs/bulk.jobs';
import { FileJobRuns } from './file-job-runs';
import { FileJobs } from './file-jobs.service';
import { kindsPermitted } from './file-job-definition';

/** Work on many files among all jobs, for who requested it. */
@Injectable()
export class FileJobSource implements OnModuleInit {
  constructor(
    private readonly directory: JobDirectory,
    private readonly jobs: FileJobs,
    private readonly runs: FileJobRuns,
    private readonly lost: LostWork,
  ) {}

  onModuleInit(): void {
    this.directory.register({
      // Contexts above this one have kinds of their own.
      mayShow: () => true,
      rowsFor: (caller) => [rowsOf(caller)],
      cancelJob: async (caller, job_id, precondition) => {
        await this.jobs.cancel(caller, job_id, precondition);
      },
    });
    this.lost.register('file_job', (job_id, reason) => this.runs.giveUp(job_id, reason, new Problem('service_unavailable', reason)));
  }
}

/** Rows of hosts of the release before do not say when they ended. */
const FINISHED = sql`coalesce(r.job_finished, CASE WHEN r.status NOT IN ('queued', 'running') THEN r.job_updated END)`;

const OWN = 'files.';

/** Kinds of this context are stored without its name. */
const isOfKind = (kind: string): Sql =>
  kind.includes('.') ? sql`r.job_kind = ${kind.startsWith(OWN) ? kind.slice(OWN.length) : kind}` : sql`false`;

const rowsOf = (caller: Principal): JobRows => ({
  from: sql`file_job r`,
  where: sql`r.tenant_id = ${caller.tenant_id}`,
  requester: sql`r.job_created_by`,
  permitted: sql`r.job_kind = ANY(${kindsPermitted(caller)}::text[])`,
  subjects: null,
  job_kind: sql`CASE WHEN strpos(r.job_kind, '.') > 0 THEN r.job_kind ELSE 'files.' || r.job_kind END`,
  isOfKind,
  queue: { name: sql`${bulk.name}` },
  subject: null,
  href: sql`'/api/v1/file-jobs/' || r.job_id`,
  columns: { result: sql`r.result`, job_finished: FINISHED, job_updated: sql`r.job_updated` },
});

import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { sql } from '@atrium/platform/database';
import { invalidState } from '@atrium/platform/kernel';
import { JobDirectory, type JobRows } from '@atrium/platform/messaging';

const KIND = 'governance.retention';

/** The runs of retention policies among all jobs: for administrators, as at their own routes. */
@Injectable()
export class RetentionJobSource implements OnModuleInit {
  constructor(private readonly directory: JobDirectory) {}

  onModuleInit(): void {
    this.directory.register({
      mayShow: (kind) => kind === KIND,
      rowsFor: (caller) => [rowsOf(caller)],
      cancelJob: () =>
        Promise.reject(invalidState('A retention run cannot be cancelled. Change the retention policy to keep data longer.')),
    });
  }
}

const rowsOf = ({ tenant_id, permissions }: Principal): JobRows => ({
  from: sql`retention_run r`,
  where: sql`r.tenant_id = ${tenant_id}`,
  requester: null,
  permitted: permissions.has('admin:settings') || permissions.has('admin:storage'),
  subjects: 'all',
  job_kind: sql`${KIND}::text`,
  queue: null,
  subject: null,
  href: sql`'/api/v1/jobs/' || r.run_id`,
  states: { unfinished: sql`r.run_status IN ('queued', 'running')`, failing: sql`r.run_status IN ('failed', 'partial')` },
  columns: {
    job_id: sql`r.run_id`,
    status: sql`r.run_status`,
    done: sql`r.run_removed`,
    failed: sql`0`,
    total: sql`NULL`,
    error: sql`r.run_error`,
    result: sql`jsonb_build_object('ret_key', r.ret_key, 'run_bytes', r.run_bytes, 'run_held', r.run_held)`,
    job_created: sql`r.run_started`,
    job_started: sql`r.run_started`,
    job_finished: sql`r.run_finished`,
    job_updated: sql`coalesce(r.run_finished, r.run_started)`,
  },
});

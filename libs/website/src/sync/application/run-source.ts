import { Injectable, type OnModuleInit } from '@nestjs/common';
import { aclAllows, permissionDenied, type Principal } from '@atrium/platform/access';
import { assertCurrent, sql, versionOf, type Precondition, type Sql } from '@atrium/platform/database';
import { JobDirectory, LostWork, type JobRows } from '@atrium/platform/messaging';
import { SyncRunsRepository } from '../infrastructure/sync-runs.repository';
import { syncSite } from '../jobs/sync.jobs';
import { SyncRuns } from './sync-runs';

const KIND = syncSite.name;

/** Runs among all jobs: for who requested them, and for who may view their site. */
@Injectable()
export class SyncRunSource implements OnModuleInit {
  constructor(
    private readonly directory: JobDirectory,
    private readonly lost: LostWork,
    private readonly repository: SyncRunsRepository,
    private readonly runs: SyncRuns,
  ) {}

  onModuleInit(): void {
    this.directory.register({
      mayShow: (kind) => kind === KIND,
      rowsFor: (caller) => [rowsOf(caller)],
      cancelJob: (caller, job_id, precondition) => this.cancel(caller, job_id, precondition),
    });
    this.lost.register('cms_run', (job_id, reason) => this.runs.giveUp(job_id, reason));
  }

  /** The member who requested it needs no permission; a key needs one. */
  private async cancel(caller: Principal, job_id: string, precondition?: Precondition): Promise<void> {
    const run = await this.repository.lock(job_id);
    assertCurrent(precondition, versionOf(run.status), 'job');
    if (run.isFinished) return;
    const isOwn = caller.key_id === null && run.job_created_by === caller.user_id;
    if (!isOwn && !caller.permissions.has('site:cms:sync')) throw permissionDenied(['site:cms:sync']);
    await this.runs.cancelWork(job_id);
  }
}

const rowsOf = (caller: Principal): JobRows => ({
  from: sql`cms_run r`,
  where: sql`r.tenant_id = ${caller.tenant_id}`,
  requester: sql`r.job_created_by`,
  permitted: caller.permissions.has('site:view'),
  subjects: sql`EXISTS (SELECT FROM site s WHERE s.tenant_id = r.tenant_id AND s.site_id = r.site_id AND s.site_active AND ${aclAllows('s.site_acl', caller, 'view')})`,
  job_kind: text(KIND),
  queue: { name: text(KIND) },
  subject: { type: sql`'site'`, id: sql`r.site_id` },
  href: sql`'/api/v1/sites/' || r.site_id || '/cms/sync-jobs/' || r.job_id`,
  columns: {
    result: sql`r.result`,
    job_created: sql`r.queued_at`,
    job_started: sql`r.started_at`,
    job_finished: sql`r.finished_at`,
    job_updated: sql`coalesce(r.finished_at, r.heartbeat_at, r.queued_at)`,
    beat: sql`r.heartbeat_at`,
  },
});

const text = (value: string): Sql => sql`${value}::text`;

import { Injectable, type OnModuleInit } from '@nestjs/common';
import { permissionDenied, type Principal } from '@atrium/platform/access';
import { assertCurrent, sql, versionOf, type Precondition, type Sql } from '@atrium/platform/database';
import { JobDirectory, LostWork, type JobRows } from '@atrium/platform/messaging';
import { RunsRepository } from '../infrastructure/runs.repository';
import { syncObjects } from '../jobs/sync.jobs';
import { SyncRuns } from './sync-runs';

const KIND = syncObjects.name;

/** The runs of sources among all jobs: for who requested them, and for who may view objects. */
@Injectable()
export class SyncRunSource implements OnModuleInit {
  constructor(
    private readonly directory: JobDirectory,
    private readonly lost: LostWork,
    private readonly repository: RunsRepository,
    private readonly runs: SyncRuns,
  ) {}

  onModuleInit(): void {
    this.directory.register({
      mayShow: (kind) => kind === KIND,
      rowsFor: (caller) => [rowsOf(caller)],
      cancelJob: (caller, job_id, precondition) => this.cancel(caller, job_id, precondition),
    });
    this.lost.register('object_sync_run', (job_id, reason) => this.runs.giveUp(job_id, reason));
  }

  /** The member who requested it needs no permission; a key needs one. */
  private async cancel(caller: Principal, job_id: string, precondition?: Precondition): Promise<void> {
    const run = await this.repository.lock(job_id);
    assertCurrent(precondition, versionOf(run.status), 'job');
    if (run.isFinished) return;
    const isOwn = caller.key_id === null && run.job_created_by === caller.user_id;
    if (!isOwn && !caller.permissions.has('object:source:edit')) throw permissionDenied(['object:source:edit']);
    await this.runs.cancelWork(job_id);
  }
}

const rowsOf = ({ tenant_id, permissions, modules }: Principal): JobRows => ({
  from: sql`object_sync_run r`,
  where: sql`r.tenant_id = ${tenant_id} AND EXISTS (SELECT FROM object_source s WHERE s.tenant_id = r.tenant_id AND s.osr_id = r.job_source AND s.osr_removed IS NULL)`,
  requester: sql`r.job_created_by`,
  permitted: permissions.has('object:view') && modules.has('module-objects'),
  subjects: 'all',
  job_kind: text(KIND),
  queue: { name: text(KIND) },
  subject: { type: sql`'object_source'`, id: sql`r.job_source` },
  href: sql`'/api/v1/object-sources/' || r.job_source || '/runs/' || r.job_id`,
  columns: {
    job_created: sql`r.queued`,
    job_started: sql`r.started`,
    job_finished: sql`r.finished`,
    job_updated: sql`coalesce(r.finished, r.beat, r.queued)`,
    beat: sql`r.beat`,
  },
});

const text = (value: string): Sql => sql`${value}::text`;

import { Injectable } from '@nestjs/common';
import { requireScope } from '@atrium/platform/database';
import { afterSeconds, Clock, Ids, Problem } from '@atrium/platform/kernel';
import { Outbox, planJob } from '@atrium/platform/messaging';
import { SyncRun, type RunDirection, type RunRequest, type RunTrigger } from '../domain/sync-run';
import { CmsConnectionsRepository } from '../infrastructure/cms-connections.repository';
import { SyncRunsRepository } from '../infrastructure/sync-runs.repository';
import { syncSite } from '../jobs/sync.jobs';
import { requireConnection } from './cms-sessions';

/** When to ask again while a run is at work. */
const AGAIN_SECONDS = 10;

/** Who asks for a run; automation is nobody. */
export interface RunOrder {
  readonly site_id: string;
  readonly direction: RunDirection;
  readonly trigger: RunTrigger;
  readonly asker: { readonly user_id: string | null; readonly key_id: string | null } | null;
  readonly request?: RunRequest;
  readonly dry_run?: boolean;
  readonly retry_of?: string;
}

/** Begins runs, one at a time for a site. */
@Injectable()
export class RunStarts {
  constructor(
    private readonly connections: CmsConnectionsRepository,
    private readonly runs: SyncRunsRepository,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  /** Within the unit of work of the caller; 409 where the site is not connected, or a run has not finished. */
  async startRun({ site_id, direction, trigger, asker, request = {}, dry_run = false, retry_of }: RunOrder): Promise<string> {
    // Locked, so that two requests at once see each other's run, and none begins while the site is being disconnected.
    requireConnection(await this.connections.lockOne(site_id));
    await this.assertIdle(site_id);
    const job_id = this.ids.next();
    const facts = { site_id, direction, trigger, request, dry_run, retry_of: retry_of ?? null };
    const asked = { job_created_by: asker?.user_id ?? null, job_key: asker?.key_id ?? null };
    await this.runs.insert(SyncRun.blank({ tenant_id: requireScope().tenant_id, job_id, ...facts, ...asked }, this.clock.now()));
    this.outbox.addJob(planJob(syncSite, { job_id, fence: 0 }));
    return job_id;
  }

  async assertIdle(site_id: string): Promise<void> {
    const open = await this.runs.findOpenRun(site_id);
    if (open)
      throw new Problem('invalid_state', `The sync run ${open.job_id} of the site has not finished. Wait for it, or cancel it.`, {
        errors: [{ path: 'job_id', code: 'active', message: open.job_id }],
        ...afterSeconds(AGAIN_SECONDS),
      });
  }
}

import { Injectable, Logger } from '@nestjs/common';
import { Database, inWorkspace } from '@atrium/platform/database';
import { Clock } from '@atrium/platform/kernel';
import { planJob, Outbox, type ScheduledRun } from '@atrium/platform/messaging';
import { WorkspaceLifeRows } from '../infrastructure/workspace-life.rows';
import { workspacePurge } from '../jobs/workspace-purge.jobs';
import { WorkspacePurge } from './workspace-purge';

/**
 * Ends what has expired and reports what is about to, for all workspaces in one call; sees to it that every purge is done, and
 * stays done.
 */
@Injectable()
export class IdentitySweep {
  private readonly log = new Logger(IdentitySweep.name);

  constructor(
    private readonly db: Database,
    private readonly rows: WorkspaceLifeRows,
    private readonly outbox: Outbox,
    private readonly purge: WorkspacePurge,
    private readonly clock: Clock,
  ) {}

  async sweepIdentity({ signal }: ScheduledRun): Promise<void> {
    const due = await this.rows.sweepExpired(this.clock.now());
    for (const tenant_id of due?.overdue ?? [])
      await inWorkspace(tenant_id, () => this.db.write(async () => void this.outbox.addJob(planJob(workspacePurge, { tenant_id }))));
    for (const ws_id of due?.buried ?? []) {
      signal.throwIfAborted();
      await this.purge
        .runLate(ws_id, { signal })
        .catch((error: unknown) => this.log.warn({ msg: 'what came late to a purged workspace could not be removed', ws_id, err: error }));
    }
  }
}

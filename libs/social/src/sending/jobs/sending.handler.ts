import { Injectable, Logger } from '@nestjs/common';
import { inWorkspace } from '@atrium/platform/database';
import { HOUR, SECOND } from '@atrium/platform/kernel';
import { Every, Handles, WhenGivenUp, type GivenUpJob, type JobRun, type ScheduledRun } from '@atrium/platform/messaging';
import { publishVariant, reconcileVariant, type PublishPayload, type ReconcilePayload } from '../../posts/jobs/publishing.jobs';
import { DuePosts } from '../application/due-posts';
import { Reconciliation } from '../application/reconciliation';
import { VariantSending } from '../application/variant-sending';

const AT_ONCE = 500;

/** Sends posts while nobody waits for it. */
@Injectable()
export class SendingHandler {
  private readonly log = new Logger(SendingHandler.name);

  constructor(
    private readonly due: DuePosts,
    private readonly sending: VariantSending,
    private readonly reconciliation: Reconciliation,
  ) {}

  @Every(2 * SECOND, 'social.due')
  async startDue({ signal }: ScheduledRun): Promise<void> {
    for (const { tenant_id, sp_id } of await this.due.listDue(AT_ONCE)) {
      if (signal.aborted) return;
      await inWorkspace(tenant_id, () => this.due.startPost(sp_id)).catch((error: unknown) =>
        this.log.warn({ msg: 'a social post cannot be started', tenant_id, sp_id, err: error }),
      );
    }
  }

  @Every(HOUR, 'social.removed')
  async purgeRemoved({ signal }: ScheduledRun): Promise<void> {
    for (const { tenant_id, sp_id } of await this.due.listRemoved(AT_ONCE)) {
      if (signal.aborted) return;
      await inWorkspace(tenant_id, () => this.due.purgePost(sp_id)).catch((error: unknown) =>
        this.log.warn({ msg: 'a deleted social post cannot be removed', tenant_id, sp_id, err: error }),
      );
    }
  }

  @Handles(publishVariant)
  publishVariant({ spv_id, number }: PublishPayload, { signal }: JobRun): Promise<void> {
    return this.sending.sendVariant(spv_id, number, signal);
  }

  @WhenGivenUp(publishVariant)
  giveUpVariant({ spv_id, number }: PublishPayload, { reason }: GivenUpJob): Promise<void> {
    return this.sending.giveUp(spv_id, number, reason);
  }

  @Handles(reconcileVariant)
  reconcileVariant({ spv_id, round }: ReconcilePayload, { signal }: JobRun): Promise<void> {
    return this.reconciliation.runRound(spv_id, round, signal);
  }

  @WhenGivenUp(reconcileVariant)
  giveUpReconciliation({ spv_id }: ReconcilePayload): Promise<void> {
    return this.reconciliation.giveUp(spv_id);
  }
}

import { Injectable } from '@nestjs/common';
import { Clock, HOUR } from '@atrium/platform/kernel';
import { planJob, Outbox } from '@atrium/platform/messaging';
import type { Publication } from '../domain/publication';
import { copy, policy, window } from '../jobs/publications.jobs';
import { DistributionSignals } from '../../control/application/distribution-signals';

/** Windows that open or close within this time are met by a job of their own; all are met by the clock, half a minute late at most. */
const SOON_MS = HOUR;

/** Reports a change of a publication in its transaction: to the processes that serve it, external edges, the schedule and the copying. */
@Injectable()
export class PublicationReaching {
  constructor(
    private readonly signals: DistributionSignals,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  queueCopy({ pub_id }: Publication): void {
    this.outbox.addJob(planJob(copy, { pub_id }));
  }

  /** Serving processes learn of it at the commit, external edges by a job, and the schedule when its window begins or ends. */
  notifyPolicyChange({ pub_id, pub_key, pub_start, pub_end, isLive }: Publication): void {
    if (pub_key !== null) this.signals.notifyKeyChange(pub_key);
    this.outbox.addJob(planJob(policy, { pub_id }));
    if (!isLive) return;
    const now = this.clock.now().getTime();
    for (const at of [pub_start, pub_end]) {
      const delayMs = (at?.getTime() ?? 0) - now;
      if (at && delayMs > 0 && delayMs <= SOON_MS) this.outbox.addJob(planJob(window, { pub_id, at: at.toISOString() }, { delayMs }));
    }
  }

  /** The row is gone: nothing is served, and no copy stays. */
  queueRemoval({ pub_id, pub_key }: Publication): void {
    if (pub_key === null) return;
    this.signals.notifyKeyChange(pub_key);
    this.outbox.addJob(planJob(copy, { pub_id, pub_key }));
  }
}

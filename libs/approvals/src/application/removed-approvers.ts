import { Injectable } from '@nestjs/common';
import { Database } from '@atrium/platform/database';
import type { JobRun } from '@atrium/platform/messaging';
import { DecisionRows } from '../infrastructure/decisions.rows';
import { ApprovalRequestsRepository, type WaitedFor } from '../infrastructure/approval-requests.repository';
import { ApprovalMails } from './approval-mails';

const BATCH = 20;

export type { WaitedFor };

/** Reports requests that nobody can approve any more because a person or a role was removed, or lost rights. They stay open. */
@Injectable()
export class RemovedApprovers {
  constructor(
    private readonly db: Database,
    private readonly requests: ApprovalRequestsRepository,
    private readonly decisions: DecisionRows,
    private readonly mails: ApprovalMails,
  ) {}

  async reportStalls(changed: readonly WaitedFor[], run: JobRun): Promise<void> {
    for (let after: string | null = null; ; await run.heartbeat()) {
      run.signal.throwIfAborted();
      const behind: string | null = after;
      const ids: string[] = await this.db.write(() => this.reportBatch(changed, behind));
      after = ids.at(-1) ?? null;
      if (after === null) return;
    }
  }

  private async reportBatch(changed: readonly WaitedFor[], after: string | null): Promise<string[]> {
    const ids = await this.requests.listOpenFor(changed, after, BATCH);
    const decisions = await this.decisions.listDecisions(ids);
    for (const request of await this.requests.lockMany(ids)) {
      const decided = decisions.filter((one) => one.request === request.car_id).map(({ user }) => user);
      if (request.isOpen) await this.mails.sendStallIfStuck(request, new Set(decided));
    }
    return ids;
  }
}

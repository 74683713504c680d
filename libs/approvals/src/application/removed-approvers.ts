import { Injectable } from '@nestjs/common';
import { Database } from '@atrium/platform/database';
import type { JobRun } from '@atrium/platform/messaging';
import { ApprovalRequestsRepository, type Waiting } from '../infrastructure/approval-requests.repository';
import { ApprovalMails } from './approval-mails';

const BATCH = 20;

/** Reports requests that nobody can approve any more because a person or a role was removed. They stay open. */
@Injectable()
export class RemovedApprovers {
  constructor(
    private readonly db: Database,
    private readonly requests: ApprovalRequestsRepository,
    private readonly mails: ApprovalMails,
  ) {}

  async reportStalls(removed: Waiting, run: JobRun): Promise<void> {
    for (let after: string | null = null; ; await run.heartbeat()) {
      run.signal.throwIfAborted();
      const behind: string | null = after;
      const ids: string[] = await this.db.write(() => this.reportBatch(removed, behind));
      after = ids.at(-1) ?? null;
      if (after === null) return;
    }
  }

  private async reportBatch(removed: Waiting, after: string | null): Promise<string[]> {
    const ids = await this.requests.listOpenFor(removed, after, BATCH);
    for (const id of ids) {
      const request = await this.requests.findRow(id);
      if (request?.isOpen) await this.mails.sendStallIfStuck(request);
    }
    return ids;
  }
}

import { Injectable } from '@nestjs/common';
import { Outbox } from '@atrium/platform/messaging';
import type { ApprovalRequest } from '../domain/approval-request';
import { ApprovalRequestsRepository } from '../infrastructure/approval-requests.repository';
import { DecisionRows } from '../infrastructure/decisions.rows';
import { ApprovalMails } from './approval-mails';

/** Who closed a request, and what they say of it; null: an edit or a deletion did. */
export interface ClosingReason {
  readonly by: string | null;
  readonly comment: string | null;
}

/** Writes requests that have been closed: they wait for nobody any more, and the person who asked is notified. */
@Injectable()
export class RequestClosings {
  constructor(
    private readonly requests: ApprovalRequestsRepository,
    private readonly decisions: DecisionRows,
    private readonly mails: ApprovalMails,
    private readonly outbox: Outbox,
  ) {}

  async saveClosed(request: ApprovalRequest, reason: ClosingReason): Promise<void> {
    await this.requests.save(request);
    await this.decisions.removeWaiting([request.car_id]);
    this.outbox.emitEvent({
      name: 'approval.closed',
      subject_id: request.car_id,
      payload: {
        subject_type: request.car_subject_type,
        subject: request.car_subject_id,
        locale: request.car_locale,
        status: request.car_status,
      },
    });
    await this.mails.sendClosing(request, reason);
  }
}

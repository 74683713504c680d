import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Clock, Ids } from '@atrium/platform/kernel';
import { Outbox } from '@atrium/platform/messaging';
import { ApprovalRequest, type AskedApproval } from '../domain/approval-request';
import type { SubjectRef } from '../domain/subject-ref';
import { ApprovalRequestsRepository } from '../infrastructure/approval-requests.repository';
import { DecisionRows } from '../infrastructure/decisions.rows';
import { ApprovalMails } from './approval-mails';
import { Approvers } from './approvers';
import { ShownRequests, type ApprovalRequestRow } from './shown-requests';

/** What approval is asked for. */
export type NewRequest = Omit<AskedApproval, 'car_id' | 'by' | 'subject'> & { readonly ref: SubjectRef };

/** Asks the approvers of a transition, within the unit of work in which the place of the subject is locked. */
@Injectable()
export class RequestOpenings {
  constructor(
    private readonly requests: ApprovalRequestsRepository,
    private readonly decisions: DecisionRows,
    private readonly approvers: Approvers,
    private readonly shown: ShownRequests,
    private readonly mails: ApprovalMails,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  async openRequest(
    { ref, flow, transition, version, hash, comment, publish }: NewRequest,
    caller: Principal,
  ): Promise<ApprovalRequestRow> {
    const request = ApprovalRequest.open(
      { car_id: this.ids.next(), flow, transition, subject: ref, version, hash, comment, publish, by: caller.user_id },
      this.clock.now(),
    );
    await this.requests.insert(request);
    const creator = transition.approvals.movers.creator ? await this.approvers.findCreator(ref) : null;
    await this.decisions.insertWaiting(request.car_id, this.approvers.queueOf(transition, ref, creator));
    this.outbox.emitEvent({
      name: 'approval.requested',
      subject_id: request.car_id,
      payload: { subject_type: ref.type, subject: ref.id, locale: ref.locale, flow: flow.caf_id, transition: transition.key },
    });
    await this.mails.sendRequest(request);
    const { row_version: _, ...shown } = await this.shown.getShown(caller, request.car_id);
    return shown;
  }
}

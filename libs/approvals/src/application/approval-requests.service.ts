import { Injectable } from '@nestjs/common';
import { permissionDenied, type Permission, type Principal } from '@atrium/platform/access';
import { Database, type ListParameters, type Page } from '@atrium/platform/database';
import { Clock, invalidState, notFound } from '@atrium/platform/kernel';
import { Outbox } from '@atrium/platform/messaging';
import type { ApprovalRequest, Decision } from '../domain/approval-request';
import { APPROVAL_FLOWS, ApprovalFlowsRepository } from '../infrastructure/approval-flows.repository';
import { ApprovalRequestsRepository } from '../infrastructure/approval-requests.repository';
import { ApprovalSubjects } from '../infrastructure/approval-subjects';
import { DecisionRows } from '../infrastructure/decisions.rows';
import { FlowLock } from '../infrastructure/flow-lock';
import { StandingRows } from '../infrastructure/standings.rows';
import { ApprovalMails } from './approval-mails';
import { Approvers } from './approvers';
import { RequestClosings } from './request-closings';
import { ShownRequests, type ApprovalRequestRow, type VersionedApprovalRequestRow } from './shown-requests';
import { SubjectMoves } from './subject-moves';

const EDIT_FLOWS: Permission = 'content:flow:edit';

/** The query of a list: `mine` are requests that wait for the caller. */
export type RequestQuery = ListParameters & { readonly mine?: boolean };

/** What a client says of a decision. */
export interface DecisionWish {
  readonly decision: Decision;
  /** The hash of the content that was looked at. */
  readonly hash: string;
  readonly comment?: string | null;
}

/** Requests for approval: found by those who may read what is to be approved, decided by approvers, once. */
@Injectable()
export class ApprovalRequests {
  constructor(
    private readonly db: Database,
    private readonly lock: FlowLock,
    private readonly requests: ApprovalRequestsRepository,
    private readonly flows: ApprovalFlowsRepository,
    private readonly standings: StandingRows,
    private readonly decisions: DecisionRows,
    private readonly subjects: ApprovalSubjects,
    private readonly approvers: Approvers,
    private readonly closings: RequestClosings,
    private readonly moves: SubjectMoves,
    private readonly shown: ShownRequests,
    private readonly mails: ApprovalMails,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  list(caller: Principal, query: RequestQuery): Promise<Page<ApprovalRequestRow>> {
    return this.db.read(async () => {
      const page = await this.requests.listRequests(caller, query, query.mine ? this.approvers.queuesFor(caller) : null);
      return { ...page, data: await this.shown.showRequests(page.data) };
    });
  }

  get(caller: Principal, car_id: string): Promise<VersionedApprovalRequestRow> {
    return this.db.read(() => this.shown.getShown(caller, car_id));
  }

  /** Of two people who decide at once, the second finds what the first one decided; so does one who decides during an edit. */
  decideRequest(caller: Principal, car_id: string, { decision, hash, comment = null }: DecisionWish): Promise<VersionedApprovalRequestRow> {
    return this.db.write(async () => {
      const { request, current } = await this.lockRequest(caller, car_id);
      const relation = await this.subjects.requireRelation(caller, request.subject);
      const isApprover = this.approvers.isApprover(caller, request.car_transition, relation);
      request.assertMayDecide({ user_id: caller.user_id, isApprover });
      request.assertDecidable(hash);
      if (request.car_on_edit === 'reset' && current !== request.car_hash)
        throw invalidState('The content has been edited since approval was requested.');
      await this.decisions.recordDecision({ request: car_id, user: caller.user_id, decision, comment: comment?.trim() || null });
      this.outbox.emitEvent({
        name: 'approval.decided',
        subject_id: car_id,
        payload: { subject_type: request.car_subject_type, subject: request.car_subject_id, locale: request.car_locale, decision },
      });
      await this.settleRequest(request, caller, comment);
      return this.shown.getShown(caller, car_id);
    });
  }

  /** By the person who asked, or by those who manage flows; the subject keeps its state. */
  withdrawRequest(caller: Principal, car_id: string): Promise<VersionedApprovalRequestRow> {
    return this.db.write(async () => {
      const { request } = await this.lockRequest(caller, car_id);
      if (request.car_requested_by !== caller.user_id && !caller.permissions.has(EDIT_FLOWS)) throw permissionDenied([EDIT_FLOWS]);
      request.assertOpen();
      request.withdraw(this.clock);
      await this.closings.saveClosed(request, { by: caller.user_id, comment: null });
      return this.shown.getShown(caller, car_id);
    });
  }

  /** Locks in the order in which moves and edits do: the subject, its place, the request. `current` is the hash that the content has now. */
  private async lockRequest(
    caller: Principal,
    car_id: string,
  ): Promise<{ readonly request: ApprovalRequest; readonly current: string | null }> {
    await this.lock.lockFlow(APPROVAL_FLOWS, 'move');
    const known = await this.shown.getShown(caller, car_id);
    const ref = { type: known.car_subject_type, id: known.car_subject_id, locale: known.car_locale };
    const current = known.car_status === 'open' ? (await this.subjects.getSubject(ref.type).freeze(ref.id, ref.locale)).hash : null;
    await this.standings.lockExistingStanding(ref);
    const [request] = await this.requests.lockMany([car_id]);
    if (!request) throw notFound('approval request');
    return { request, current };
  }

  /** Counts the decisions of those who may still approve. Where that is enough, the subject moves, and its approved version is published. */
  private async settleRequest(request: ApprovalRequest, caller: Principal, comment: string | null): Promise<void> {
    const votes = (await this.decisions.listDecisions([request.car_id])).map(({ user, decision }) => ({ user_id: user, decision }));
    const others = votes.map(({ user_id }) => user_id).filter((user_id) => user_id !== caller.user_id);
    const counted = new Set([caller.user_id, ...(await this.approvers.filterApprovers(request, others))]);
    request.settleVotes(
      votes.filter(({ user_id }) => counted.has(user_id)),
      this.clock,
    );
    if (request.isOpen) return this.mails.sendStallIfStuck(request, counted);
    await this.closings.saveClosed(request, { by: caller.user_id, comment });
    const { on_reject, to } = request.car_transition;
    const target = request.car_status === 'approved' ? to : on_reject;
    const flow = await this.flows.findFollowedFlow(request.car_flow);
    if (target === null || !flow) return;
    const state = await this.moves.applyMove({
      ...{ ref: request.subject, flow, transition: request.car_transition, to: target, comment, by: caller },
      hash: request.car_status === 'approved' ? request.car_hash : null,
    });
    if (request.car_status === 'approved') await this.moves.publishRequest(request, state, caller);
  }
}

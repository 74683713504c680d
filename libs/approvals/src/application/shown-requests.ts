import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { notFound } from '@atrium/platform/kernel';
import { approvalsIn, type Decision } from '../domain/approval-request';
import type { NamedActors } from '../domain/flow-parts';
import { ApprovalRequestsRepository, type StoredRequest } from '../infrastructure/approval-requests.repository';
import { DecisionRows } from '../infrastructure/decisions.rows';

/** How far a request is. */
export interface ApprovalStep {
  readonly approved: number;
  readonly needed: number;
  /** Who can still approve; null: nobody is waited for any more. */
  readonly waiting_for: NamedActors | null;
}

/** What a person decided. */
export interface ShownDecision {
  readonly user: string;
  readonly decision: Decision;
  readonly comment: string | null;
  readonly at: string;
}

/** A request as it is shown. */
export type ApprovalRequestRow = StoredRequest & {
  readonly car_step: ApprovalStep;
  readonly car_decisions: readonly ShownDecision[];
};

export type VersionedApprovalRequestRow = ApprovalRequestRow & { readonly row_version: number };

/** Adds to requests what was decided on them; one statement for however many. */
@Injectable()
export class ShownRequests {
  constructor(
    private readonly requests: ApprovalRequestsRepository,
    private readonly decisions: DecisionRows,
  ) {}

  /** A request whose subject the reader may see. */
  async getShown(reader: Principal, car_id: string): Promise<VersionedApprovalRequestRow> {
    const row = await this.requests.findRequestRow(reader, car_id);
    const [shown] = row ? await this.showRequests([row]) : [];
    if (!shown) throw notFound('approval request');
    return shown;
  }

  async showRequests<R extends StoredRequest>(requests: readonly R[]): Promise<(R & ApprovalRequestRow)[]> {
    const decisions = await this.decisions.listDecisions(requests.map(({ car_id }) => car_id));
    return requests.map((request) => {
      const car_decisions = decisions.filter((one) => one.request === request.car_id).map(({ request: _, ...decision }) => decision);
      return { ...request, car_decisions, car_step: stepOf(request, car_decisions) };
    });
  }
}

function stepOf({ car_status, car_transition: { approvals } }: StoredRequest, decisions: readonly ShownDecision[]): ApprovalStep {
  const decided = decisions.map(({ user }) => user);
  const { movers } = approvals;
  return {
    approved: approvalsIn(decisions.map(({ user, decision }) => ({ user_id: user, decision }))),
    needed: approvals.count,
    waiting_for: car_status === 'open' ? { ...movers, users: movers.users.filter((id) => !decided.includes(id)) } : null,
  };
}

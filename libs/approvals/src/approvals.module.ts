import { Module, type Provider } from '@nestjs/common';
import { GovernanceModule } from '@atrium/governance';
import { IdentityModule } from '@atrium/identity';
import { JobsModule } from '@atrium/platform/messaging';
import { ApprovalFlowCheck } from './application/approval-flow-check';
import { ApprovalFlows } from './application/approval-flows.service';
import { ApprovalGate } from './application/approval-gate';
import { ApprovalMails } from './application/approval-mails';
import { ApprovalMoves } from './application/approval-moves.service';
import { ApprovalRequests } from './application/approval-requests.service';
import { Approvals } from './application/approvals';
import { Approvers } from './application/approvers';
import { FlowActors } from './application/flow-actors';
import { RemovedApprovers } from './application/removed-approvers';
import { RemovedStates } from './application/removed-states';
import { RequestClosings } from './application/request-closings';
import { RequestOpenings } from './application/request-openings';
import { ShownRequests } from './application/shown-requests';
import { SubjectMoves } from './application/subject-moves';
import { SubjectStates } from './application/subject-states';
import { WorkspaceApprovals } from './application/workspace-approvals';
import { ApprovalFlowsRepository } from './infrastructure/approval-flows.repository';
import { ApprovalReaders } from './infrastructure/approval-readers';
import { ApprovalRequestsRepository } from './infrastructure/approval-requests.repository';
import { ApprovalSubjects } from './infrastructure/approval-subjects';
import { DecisionRows } from './infrastructure/decisions.rows';
import { FlowLock } from './infrastructure/flow-lock';
import { StandingRows } from './infrastructure/standings.rows';
import { ApprovalsHandler } from './jobs/approvals.handler';
import { approversGone, followStates } from './jobs/approvals.jobs';

const SERVICES: Provider[] = [
  ApprovalFlows,
  ApprovalGate,
  ApprovalMoves,
  ApprovalRequests,
  Approvals,
  ApprovalSubjects,
  FlowActors,
  FlowLock,
];

const PARTS: Provider[] = [
  ApprovalFlowCheck,
  ApprovalFlowsRepository,
  ApprovalMails,
  ApprovalReaders,
  ApprovalRequestsRepository,
  Approvers,
  DecisionRows,
  RemovedApprovers,
  RemovedStates,
  RequestClosings,
  RequestOpenings,
  ShownRequests,
  StandingRows,
  SubjectMoves,
  SubjectStates,
  WorkspaceApprovals,
];

/** The engine of states, transitions, allowed actors and approvals, for contexts whose subjects follow flows. */
@Module({
  imports: [IdentityModule, GovernanceModule],
  providers: [...SERVICES, ...PARTS],
  exports: [...SERVICES, RemovedApprovers, RemovedStates],
})
export class ApprovalsModule {}

/** Its background work. */
@Module({ imports: [ApprovalsModule, JobsModule.define([followStates, approversGone])], providers: [ApprovalsHandler] })
export class ApprovalsWorkerModule {}

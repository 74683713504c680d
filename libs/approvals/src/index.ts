export { ApprovalsModule, ApprovalsWorkerModule } from './approvals.module';
export {
  ApprovalFlows,
  type ApprovalFlowRow,
  type ApprovalFlowWish,
  type FlowRevision,
  type NewApprovalFlow,
  type VersionedApprovalFlowRow,
} from './application/approval-flows.service';
export { ApprovalGate, type SubjectStanding } from './application/approval-gate';
export { ApprovalMoves, type MovedSubject, type MoveWish, type OpenTransition } from './application/approval-moves.service';
export { ApprovalRequests, type DecisionWish, type RequestQuery } from './application/approval-requests.service';
export { Approvals } from './application/approvals';
export { FlowActors } from './application/flow-actors';
export { type ApprovalRequestRow, type VersionedApprovalRequestRow } from './application/shown-requests';
export { ApprovalFlow, type ApprovalState, type ApprovalTransition } from './domain/approval-flow';
export { ApprovalRequest, type PublishWish } from './domain/approval-request';
export { ANY_STATE, initialState, leadsFrom, transitionsFrom, type FlowGraph, type FlowState, type FlowTransition } from './domain/flow';
export { FlowChange, FOLLOWING_BATCH, type Followers } from './domain/flow-change';
export { assertGraph, type GraphFields } from './domain/flow-graph';
export {
  commentFor,
  COMMENTS,
  KEY_FORM,
  LONGEST_KEY,
  namedByActions,
  type CommentRule,
  type NamedActors,
  type NotifyAction,
} from './domain/flow-parts';
export { mayTransition, type Actor, type AllowedActors, type ActorRelation } from './domain/allowed-actors';
export { absentFrom, unknownActors, type KnownActors } from './domain/named-actors';
export { assertMap, keptMap, stateOf, successorOf, type FollowedStates, type StateMap } from './domain/state-map';
export { type SubjectRef } from './domain/subject-ref';
export {
  actorsOf,
  FlowActionBody,
  FlowActionView,
  FlowMoversBody,
  FlowMoversView,
  FlowTransitionParts,
  FlowTransitionPartsView,
  KEY_RULE,
  MOST_STATES,
  MOST_TRANSITIONS,
  NAME_RULE,
  transitionPartsOf,
} from './http/flow-parts.dto';
export { stateMapOf } from './http/state-map-body';
export {
  ApprovalSubjects,
  type ApprovalSubject,
  type ApprovedVersion,
  type FrozenSubject,
  type LostSubjects,
} from './infrastructure/approval-subjects';
export { FlowLock } from './infrastructure/flow-lock';

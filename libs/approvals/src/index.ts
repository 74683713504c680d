export { ApprovalsModule } from './approvals.module';
export { FlowActors } from './application/flow-actors';
export { ANY_STATE, initialState, leadsFrom, transitionsFrom, type FlowGraph, type FlowState, type FlowTransition } from './domain/flow';
export { FlowChange, FOLLOWING_BATCH, type Followers } from './domain/flow-change';
export { assertGraph, type GraphFields } from './domain/flow-graph';
export { mayTransition, type Actor, type AllowedActors, type ActorRelation } from './domain/allowed-actors';
export { absentFrom, unknownActors, type KnownActors } from './domain/named-actors';
export { assertMap, keptMap, stateOf, successorOf, type FollowedStates, type StateMap } from './domain/state-map';
export { FlowLock } from './infrastructure/flow-lock';

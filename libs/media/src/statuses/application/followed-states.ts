import { assertGraph, initialState, mayTransition, stateOf as stateIn, type Actor } from '@atrium/approvals';
import { UNGOVERNED, type FollowedFlow, type StatusGraph, type StatusState, type StatusTransition } from '../domain/media-status-flow';

/** Where files begin. */
export const initialOf = ({ msf_states }: Pick<StatusGraph, 'msf_states'>): string => initialState(msf_states)?.key ?? UNGOVERNED;

/** The state that a file is in: what its status says, what that means now, else the initial one. */
export const stateOf = ({ msf_states, msf_remap }: Pick<FollowedFlow, 'msf_states' | 'msf_remap'>, key: string): StatusState | undefined =>
  stateIn({ states: msf_states, map: msf_remap }, key);

/** The allowed actors may use it; without any, everyone who may edit the file. */
export const mayTake = (caller: Actor, { movers }: Pick<StatusTransition, 'movers'>, editable: boolean): boolean =>
  mayTransition(caller, movers, { editor: editable });

/** Refuses a graph that no file could follow. */
export const assertStatusGraph = ({ msf_states, msf_transitions }: StatusGraph): void =>
  assertGraph({ states: msf_states, transitions: msf_transitions }, { states: 'msf_states', transitions: 'msf_transitions' });

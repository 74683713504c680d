import { transitionPartsOf } from '@atrium/approvals';
import type { FlowWish } from '../application/flows.service';
import type { LifecycleState, LifecycleTransition } from '../domain/lifecycle-flow';
import type { ChangeLifecycleFlow, FlowTransitionBody, StateBody } from './flows.dto';

/** A flow as a client wrote it, with everything that was left out of its states and transitions. */
export function flowOf({ olf_name, olf_description, olf_forms, olf_metadata, olf_states, olf_transitions }: ChangeLifecycleFlow): FlowWish {
  return {
    ...(olf_name === undefined ? {} : { olf_name }),
    ...(olf_description === undefined ? {} : { olf_description }),
    ...(olf_forms === undefined ? {} : { olf_forms }),
    ...(olf_metadata === undefined ? {} : { olf_metadata }),
    ...(olf_states === undefined ? {} : { olf_states: olf_states.map(stateOf) }),
    ...(olf_transitions === undefined ? {} : { olf_transitions: olf_transitions.map(transitionOf) }),
  };
}

const stateOf = ({ key, name, color, initial, final, locked, retrievable, description }: StateBody): LifecycleState => ({
  key,
  name,
  color: color ?? null,
  initial: initial ?? false,
  final: final ?? false,
  locked: locked ?? false,
  retrievable: retrievable ?? true,
  description: description ?? null,
});

const transitionOf = ({ condition, require_fields, ...parts }: FlowTransitionBody): LifecycleTransition => ({
  ...transitionPartsOf(parts),
  condition: condition ?? null,
  require_fields: [...new Set(require_fields ?? [])],
});

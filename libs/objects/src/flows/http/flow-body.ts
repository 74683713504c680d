import { invalidFields, type JsonObject } from '@atrium/platform/kernel';
import type { FlowWish } from '../application/flows.service';
import type { LifecycleMap, LifecycleState, LifecycleTransition } from '../domain/lifecycle-flow';
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

export function mapOf(map: JsonObject = {}): LifecycleMap {
  const strange = Object.entries(map).filter(([, key]) => typeof key !== 'string');
  if (strange.length > 0)
    throw invalidFields(
      strange
        .slice(0, 50)
        .map(([old]) => ({ path: `state_map.${old}`.slice(0, 120), code: 'string', message: 'must be the key of a state' })),
    );
  return map as LifecycleMap;
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

const transitionOf = ({
  key,
  name,
  from,
  to,
  movers,
  condition,
  require_fields,
  comment,
  actions,
}: FlowTransitionBody): LifecycleTransition => ({
  key,
  name,
  from,
  to,
  movers: {
    roles: movers?.roles ?? [],
    users: movers?.users ?? [],
    creator: movers?.creator ?? false,
    permissions: movers?.permissions ?? [],
  },
  condition: condition ?? null,
  require_fields: [...new Set(require_fields ?? [])],
  comment: comment ?? 'optional',
  actions: (actions ?? []).map(({ type, users, roles, creator }) => ({
    type,
    users: users ?? [],
    roles: roles ?? [],
    creator: creator ?? false,
  })),
});

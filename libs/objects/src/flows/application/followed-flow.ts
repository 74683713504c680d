import { stateOf } from '@atrium/approvals';
import type { EnteredState } from '../../objects/domain/object-change';
import type { FollowedLifecycle, LifecycleState } from '../domain/lifecycle-flow';

/** The state that an object is in: what its status says, what that means now, else the initial one. */
export const stateIn = (
  { olf_states, olf_map }: Pick<FollowedLifecycle, 'olf_states' | 'olf_map'>,
  status: string,
): LifecycleState | undefined => stateOf({ states: olf_states, map: olf_map }, status);

/** Where an object enters the flow that was in another one, or in none: the state of the same key, else the initial one. */
export function entryInto(
  { olf_id, olf_states }: Pick<FollowedLifecycle, 'olf_id' | 'olf_states'>,
  status: string | null,
): EnteredState | null {
  const state = stateIn({ olf_states, olf_map: {} }, status ?? '');
  return state ? { flow_id: olf_id, state: state.key } : null;
}

import { invalidField, invalidFields, type FieldFault } from '@atrium/platform/kernel';
import { initialState, type FlowState } from './flow';

const LONGEST_PATH = 120;
const MOST_FAULTS = 50;

/** States that a flow no longer has, and the state that each of them means now. */
export type StateMap = Readonly<Record<string, string>>;

/** A flow as subjects follow it: subjects may still be in states that it no longer has. */
export interface FollowedStates<S extends FlowState> {
  readonly states: readonly S[];
  readonly map: StateMap;
}

/** The state that a subject is in: what its key says, what that means now, else the initial one. */
export function stateOf<S extends FlowState>({ states, map }: FollowedStates<S>, key: string): S | undefined {
  const named = (wanted: string | undefined): S | undefined => states.find((state) => state.key === wanted);
  return named(key) ?? named(successorOf(key, map)) ?? initialState(states);
}

/** Refuses a map that leads to a state which the flow does not have. */
export function assertMap(map: StateMap, states: readonly FlowState[], field: string): void {
  const faults = Object.entries(map).flatMap(([old, key]): FieldFault[] =>
    states.some((state) => state.key === key)
      ? []
      : [{ path: `${field}.${old}`.slice(0, LONGEST_PATH), code: 'reference', message: 'does not lead to a state of the flow' }],
  );
  if (faults.length > 0) throw invalidFields(faults.slice(0, MOST_FAULTS));
}

/** Refuses a map that sends a state somewhere which the flow still has. */
export function assertRemoved(map: StateMap, states: readonly FlowState[], field: string): void {
  const present = Object.keys(map).find((old) => states.some(({ key }) => key === old));
  if (present !== undefined)
    throw invalidField(`${field}.${present}`.slice(0, LONGEST_PATH), 'is still a state of the flow; map only removed states', 'reference');
}

/**
 * What a flow remembers of states that are gone after a change: where earlier changes sent them, and where this one does. What an
 * earlier change sent to a state that is gone now goes on with that state; states that the flow has need no entry.
 */
export function keptMap(known: StateMap, said: StateMap, states: readonly FlowState[]): StateMap {
  const keys = new Set(states.map(({ key }) => key));
  const entries = Object.entries({ ...known, ...said }).map(([old, key]): [string, string] => [
    old,
    keys.has(key) ? key : (successorOf(key, said) ?? key),
  ]);
  return Object.fromEntries(entries.filter(([old, key]) => !keys.has(old) && keys.has(key)));
}

/** Where subjects in a state that is gone go; undefined: no change has said it. */
export const successorOf = (key: string, map: StateMap): string | undefined => (Object.hasOwn(map, key) ? map[key] : undefined);

/** A state of a flow, as far as the engine knows it; what else a state means belongs to the context of the flow. */
export interface FlowState {
  readonly key: string;
  readonly initial: boolean;
}

/** Every state but the target may be the start of such a transition. */
export const ANY_STATE = '*';

/** A transition: from one state, from several or from any, to one. */
export interface FlowTransition {
  /** Its name within the flow; a flow whose transitions have none knows each by its two ends. */
  readonly key?: string;
  readonly from: string | readonly string[];
  readonly to: string;
  /** Where a subject goes if the move is asked for and rejected; null or absent: it stays. */
  readonly on_reject?: string | null;
}

/** States and the transitions between them. */
export interface FlowGraph<S extends FlowState = FlowState, T extends FlowTransition = FlowTransition> {
  readonly states: readonly S[];
  readonly transitions: readonly T[];
}

/** Where subjects begin. */
export const initialState = <S extends FlowState>(states: readonly S[]): S | undefined => states.find(({ initial }) => initial);

/** Whether a transition may be made by a subject in the state. */
export function leadsFrom({ from, to }: FlowTransition, state: string): boolean {
  if (typeof from === 'string') return from === ANY_STATE ? state !== to : from === state;
  return from.some((start) => leadsFrom({ from: start, to }, state));
}

/** The transitions that subjects in the state may make, in the order of the flow. */
export const transitionsFrom = <T extends FlowTransition>(transitions: readonly T[], state: string): T[] =>
  transitions.filter((transition) => leadsFrom(transition, state));

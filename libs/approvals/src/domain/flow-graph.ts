import { invalidFields, type FieldFault } from '@atrium/platform/kernel';
import { ANY_STATE, leadsFrom, type FlowGraph, type FlowTransition } from './flow';

const MOST_FAULTS = 50;

/** The fields of a request that hold the states and the transitions, for the paths of faults. */
export interface GraphFields {
  readonly states: string;
  readonly transitions: string;
}

/** Refuses a graph that no subject could follow: one initial state, keys and transitions unique, ends known, every state reachable. */
export function assertGraph(graph: FlowGraph, fields: GraphFields): void {
  const faults = [...stateFaults(graph, fields), ...transitionFaults(graph, fields)];
  const all = faults.length > 0 ? faults : unreachable(graph, fields);
  if (all.length > 0) throw invalidFields(all.slice(0, MOST_FAULTS));
}

function stateFaults({ states }: FlowGraph, { states: field }: GraphFields): FieldFault[] {
  const keys = states.map(({ key }) => key);
  const repeated = keys.flatMap((key, at): FieldFault[] =>
    keys.indexOf(key) < at ? [{ path: `${field}[${at}].key`, code: 'duplicate', message: `repeats the state ${key}` }] : [],
  );
  const initial = states.flatMap(({ initial: begins }, at) => (begins ? [at] : []));
  if (initial.length === 0)
    return [...repeated, { path: field, code: 'initial', message: 'must have exactly one initial state, and has none' }];
  return [
    ...repeated,
    ...initial.slice(1).map((at): FieldFault => ({
      path: `${field}[${at}].initial`,
      code: 'initial',
      message: 'is a second initial state; exactly one is allowed',
    })),
  ];
}

function transitionFaults({ states, transitions }: FlowGraph, { transitions: field }: GraphFields): FieldFault[] {
  const keys = new Set(states.map(({ key }) => key));
  const seen = new Set<string>();
  return transitions.flatMap((transition, at) => {
    const where = `${field}[${at}]`;
    const faults = [...startFaults(transition, keys, where)];
    if (!keys.has(transition.to)) faults.push(unknownState(`${where}.to`, transition.to));
    if (startsOf(transition).includes(transition.to))
      faults.push({ path: `${where}.to`, code: 'circular', message: 'leads to the state in which it starts' });
    faults.push(...rejectionFaults(transition, keys, where));
    if (seen.has(nameOf(transition))) faults.push(repeats(transition, where));
    seen.add(nameOf(transition));
    return faults;
  });
}

function startFaults({ from }: FlowTransition, keys: ReadonlySet<string>, where: string): FieldFault[] {
  if (typeof from === 'string') return keys.has(from) || from === ANY_STATE ? [] : [unknownState(`${where}.from`, from)];
  return from.flatMap((start, at): FieldFault[] => {
    if (from.indexOf(start) < at) return [{ path: `${where}.from[${at}]`, code: 'duplicate', message: `repeats the state ${start}` }];
    return keys.has(start) || start === ANY_STATE ? [] : [unknownState(`${where}.from[${at}]`, start)];
  });
}

function rejectionFaults({ to, on_reject = null }: FlowTransition, keys: ReadonlySet<string>, where: string): FieldFault[] {
  if (on_reject === null) return [];
  if (!keys.has(on_reject)) return [unknownState(`${where}.on_reject`, on_reject)];
  return on_reject === to ? [{ path: `${where}.on_reject`, code: 'circular', message: 'leads to the same state as an approval' }] : [];
}

/** States that cannot be reached from the initial one; a rejection leads to a state as well. */
function unreachable({ states, transitions }: FlowGraph, { states: field }: GraphFields): FieldFault[] {
  const reached = new Set(states.filter(({ initial }) => initial).map(({ key }) => key));
  for (let before = 0; before < reached.size;) {
    before = reached.size;
    for (const transition of transitions)
      if ([...reached].some((state) => leadsFrom(transition, state)))
        for (const state of [transition.to, transition.on_reject ?? transition.to]) reached.add(state);
  }
  return states.flatMap(({ key }, at): FieldFault[] =>
    reached.has(key) ? [] : [{ path: `${field}[${at}]`, code: 'unreachable', message: `cannot be reached from the initial state: ${key}` }],
  );
}

const unknownState = (path: string, key: string): FieldFault => ({
  path,
  code: 'reference',
  message: `is not a state of the flow: ${key}`,
});

const repeats = ({ key }: FlowTransition, where: string): FieldFault =>
  key === undefined
    ? { path: where, code: 'duplicate', message: 'repeats a transition' }
    : { path: `${where}.key`, code: 'duplicate', message: `repeats the transition ${key}` };

const startsOf = ({ from }: FlowTransition): readonly string[] => (typeof from === 'string' ? [from] : from);

const nameOf = ({ key, from, to }: FlowTransition): string => key ?? `${startsOf({ from, to }).join()}>${to}`;

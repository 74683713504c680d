import { invalidFields, type FieldFault } from '@atrium/platform/kernel';
import type { StatusGraph, StatusTransition } from './media-status-flow';

const MOST_FAULTS = 50;

/** Refuses a graph that no file could follow: one initial state, keys and transitions unique, ends known, everything reachable. */
export function assertGraph(graph: StatusGraph): void {
  const faults = [...stateFaults(graph), ...wayFaults(graph)];
  const all = faults.length > 0 ? faults : unreachable(graph);
  if (all.length > 0) throw invalidFields(all.slice(0, MOST_FAULTS));
}

function stateFaults({ msf_states }: StatusGraph): FieldFault[] {
  const keys = msf_states.map(({ key }) => key);
  const repeated = keys.flatMap((key, at): FieldFault[] =>
    keys.indexOf(key) < at ? [{ path: `msf_states[${at}].key`, code: 'duplicate', message: `repeats the state ${key}` }] : [],
  );
  const initial = msf_states.flatMap(({ initial: begins }, at) => (begins ? [at] : []));
  if (initial.length === 0)
    return [...repeated, { path: 'msf_states', code: 'initial', message: 'needs exactly one initial state; none is' }];
  return [
    ...repeated,
    ...initial.slice(1).map((at): FieldFault => ({
      path: `msf_states[${at}].initial`,
      code: 'initial',
      message: 'is a second initial state; there is exactly one',
    })),
  ];
}

function wayFaults({ msf_states, msf_transitions }: StatusGraph): FieldFault[] {
  const keys = new Set(msf_states.map(({ key }) => key));
  const seen = new Set<string>();
  return msf_transitions.flatMap((way, at) => {
    const where = `msf_transitions[${at}]`;
    const faults: FieldFault[] = [];
    for (const end of ['from', 'to'] as const)
      if (!keys.has(way[end])) faults.push({ path: `${where}.${end}`, code: 'reference', message: `is no state of the flow: ${way[end]}` });
    if (way.from === way.to) faults.push({ path: `${where}.to`, code: 'circular', message: 'leads to where it begins' });
    if (seen.has(nameOf(way))) faults.push({ path: where, code: 'duplicate', message: 'repeats a way' });
    seen.add(nameOf(way));
    return faults;
  });
}

/** Statuses that cannot be reached from the initial one. */
function unreachable({ msf_states, msf_transitions }: StatusGraph): FieldFault[] {
  const reached = new Set(msf_states.filter(({ initial }) => initial).map(({ key }) => key));
  for (let before = 0; before < reached.size;) {
    before = reached.size;
    for (const { from, to } of msf_transitions) if (reached.has(from)) reached.add(to);
  }
  return msf_states.flatMap(({ key }, at): FieldFault[] =>
    reached.has(key)
      ? []
      : [{ path: `msf_states[${at}]`, code: 'unreachable', message: `cannot be reached from the initial state: ${key}` }],
  );
}

const nameOf = ({ from, to }: Pick<StatusTransition, 'from' | 'to'>): string => `${from}>${to}`;

import { Problem } from '@atrium/platform/kernel';
import { leadsFrom, transitionsFrom, type FlowState, type FlowTransition } from './flow';
import { assertGraph } from './flow-graph';

const FIELDS = { states: 'states', transitions: 'transitions' };
const state = (key: string, initial = false): FlowState => ({ key, initial });
const between = (from: string, to: string): FlowTransition => ({ from, to });
const named = (key: string, from: readonly string[], to: string): FlowTransition => ({ key, from, to });
const draft = state('draft', true);

function faultsOf(states: readonly FlowState[], transitions: readonly FlowTransition[]): string[] {
  try {
    assertGraph({ states, transitions }, FIELDS);
    return [];
  } catch (error) {
    return error instanceof Problem ? (error.errors ?? []).map(({ path, code }) => `${path} ${code}`) : ['another error'];
  }
}

describe('a flow', () => {
  it('has exactly one initial state', () => {
    expect(faultsOf([state('a'), state('b')], [between('a', 'b')])).toEqual(['states initial']);
    expect(faultsOf([draft, state('b', true)], [between('draft', 'b')])).toEqual(['states[1].initial initial']);
  });

  it('names every state and every transition once, between states that exist', () => {
    expect(faultsOf([draft, draft], [])).toEqual(['states[1].key duplicate', 'states[1].initial initial']);
    expect(faultsOf([draft, state('b')], [between('draft', 'b'), between('draft', 'b'), between('b', 'moon'), between('b', 'b')])).toEqual([
      'transitions[1] duplicate',
      'transitions[2].to reference',
      'transitions[3].to circular',
    ]);
  });

  it('distinguishes transitions with keys by their keys, not by their ends', () => {
    const states = [draft, state('b')];
    expect(faultsOf(states, [named('send', ['draft'], 'b'), named('push', ['draft'], 'b')])).toEqual([]);
    expect(faultsOf(states, [named('send', ['draft'], 'b'), named('send', ['b'], 'draft')])).toEqual(['transitions[1].key duplicate']);
  });

  it('names every start of a transition once, and only states that exist', () => {
    expect(faultsOf([draft, state('b')], [named('send', ['draft', 'moon', 'draft', 'b'], 'b')])).toEqual([
      'transitions[0].from[1] reference',
      'transitions[0].from[2] duplicate',
      'transitions[0].to circular',
    ]);
  });

  it('leaves no state out of reach, however long the path', () => {
    expect(faultsOf([draft, state('b'), state('c'), state('d')], [between('c', 'd'), between('b', 'c'), between('draft', 'b')])).toEqual(
      [],
    );
    expect(faultsOf([draft, state('b'), state('c')], [between('b', 'c'), between('c', 'b')])).toEqual([
      'states[1] unreachable',
      'states[2] unreachable',
    ]);
  });

  it('reaches states by a rejection as well, which leads to a state of the flow other than the target', () => {
    const states = [draft, state('live'), state('refused'), state('rework')];
    const send = { ...named('send', ['draft'], 'live'), on_reject: 'refused' };
    expect(faultsOf(states, [send, named('rework', ['refused'], 'rework')])).toEqual([]);
    expect(faultsOf(states, [{ ...send, on_reject: null }, named('rework', ['refused'], 'rework')])).toEqual([
      'states[2] unreachable',
      'states[3] unreachable',
    ]);
    expect(
      faultsOf(
        [draft, state('live')],
        [
          { ...send, on_reject: 'live' },
          { ...send, key: 'post', on_reject: 'moon' },
        ],
      ),
    ).toEqual(['transitions[0].on_reject circular', 'transitions[1].on_reject reference']);
    expect(faultsOf([draft, state('live')], [{ ...send, on_reject: 'draft' }])).toEqual([]);
  });

  it('lets a transition start in any state but its target', () => {
    const archive = named('archive', ['*'], 'archived');
    expect(faultsOf([draft, state('archived')], [archive])).toEqual([]);
    expect([leadsFrom(archive, 'draft'), leadsFrom(archive, 'archived')]).toEqual([true, false]);
  });

  it('opens from a state the transitions that start there, in the order of the flow', () => {
    const ways = [named('archive', ['*'], 'c'), named('send', ['draft'], 'b'), named('back', ['b', 'c'], 'draft')];
    expect(transitionsFrom(ways, 'draft').map(({ key }) => key)).toEqual(['archive', 'send']);
    expect(transitionsFrom(ways, 'c').map(({ key }) => key)).toEqual(['back']);
  });
});

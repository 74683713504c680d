import { Problem } from '@atrium/platform/kernel';
import { stateOf, type StatusState, type StatusTransition } from './media-status-flow';
import { STANDARD_FLOW } from './standard-flow';
import { assertGraph } from './status-graph';

const state = (key: string, marks: Partial<StatusState> = {}): StatusState => ({
  key,
  label: key,
  color: null,
  initial: false,
  final: false,
  locks_edit: false,
  allows_download: true,
  allows_publish: true,
  allows_share: true,
  ...marks,
});
const way = (from: string, to: string): StatusTransition => ({
  from,
  to,
  label: to,
  movers: { permissions: [], roles: [], users: [] },
  requires_comment: false,
  required_tags: [],
  side: { notify: [] },
});

function faultsOf(msf_states: readonly StatusState[], msf_transitions: readonly StatusTransition[]): string[] {
  try {
    assertGraph({ msf_states, msf_transitions });
    return [];
  } catch (error) {
    return error instanceof Problem ? (error.errors ?? []).map(({ path, code }) => `${path} ${code}`) : ['another error'];
  }
}

describe('a status flow', () => {
  const draft = state('draft', { initial: true });

  it('that workspaces begin with is in order', () => {
    expect(() => assertGraph(STANDARD_FLOW)).not.toThrow();
  });

  it('has exactly one initial state', () => {
    expect(faultsOf([state('a'), state('b')], [way('a', 'b')])).toEqual(['msf_states initial']);
    expect(faultsOf([draft, state('b', { initial: true })], [way('draft', 'b')])).toEqual(['msf_states[1].initial initial']);
  });

  it('names every state and every way once, between states that there are', () => {
    expect(faultsOf([draft, state('draft')], [])).toEqual(['msf_states[1].key duplicate']);
    expect(faultsOf([draft, state('b')], [way('draft', 'b'), way('draft', 'b'), way('b', 'moon'), way('b', 'b')])).toEqual([
      'msf_transitions[1] duplicate',
      'msf_transitions[2].to reference',
      'msf_transitions[3].to circular',
    ]);
  });

  it('leaves no state out of reach, however long the way', () => {
    expect(faultsOf([draft, state('b'), state('c'), state('d')], [way('c', 'd'), way('b', 'c'), way('draft', 'b')])).toEqual([]);
    expect(faultsOf([draft, state('b'), state('c')], [way('b', 'c'), way('c', 'b')])).toEqual([
      'msf_states[1] unreachable',
      'msf_states[2] unreachable',
    ]);
  });

  it('knows what a status of before means, and takes a strange one for the beginning', () => {
    const flow = { msf_states: [draft, state('done')], msf_remap: { old: 'done', older: 'gone' } };
    expect([stateOf(flow, 'done')?.key, stateOf(flow, 'old')?.key, stateOf(flow, 'older')?.key, stateOf(flow, 'strange')?.key]).toEqual([
      'done',
      'done',
      'draft',
      'draft',
    ]);
  });
});

import { Problem } from '@atrium/platform/kernel';
import { STANDARD_FLOW } from '../domain/standard-flow';
import { assertStatusGraph, initialOf, stateOf } from './followed-states';

describe('a status flow', () => {
  it('that workspaces begin with is in order', () => {
    expect(() => assertStatusGraph(STANDARD_FLOW)).not.toThrow();
    expect(initialOf(STANDARD_FLOW)).toBe('active');
  });

  it('reports faults under the names of its own fields', () => {
    const [first] = STANDARD_FLOW.msf_transitions;
    const paths = (): string[] => {
      try {
        assertStatusGraph({ ...STANDARD_FLOW, msf_transitions: first ? [first, first] : [] });
        return [];
      } catch (error) {
        return error instanceof Problem ? (error.errors ?? []).map(({ path }) => path) : ['another error'];
      }
    };
    expect(paths()).toEqual(['msf_transitions[1]']);
  });

  it('knows what a status of before means', () => {
    expect(stateOf({ ...STANDARD_FLOW, msf_remap: { old: 'archived' } }, 'old')?.key).toBe('archived');
  });
});

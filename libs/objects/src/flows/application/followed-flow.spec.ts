import type { FollowedLifecycle, LifecycleState } from '../domain/lifecycle-flow';
import { entryInto, stateIn } from './followed-flow';

const state = (key: string, initial = false): LifecycleState => ({
  ...{ key, name: key, color: null, initial, final: false, locked: false, retrievable: true, description: null },
});

const flow: Pick<FollowedLifecycle, 'olf_id' | 'olf_states' | 'olf_map'> = {
  olf_id: 'flow',
  olf_states: [state('draft', true), state('done')],
  olf_map: { review: 'done' },
};

describe('an object in a flow', () => {
  it('is in the state that its status says or that replaces it, else in the initial one', () => {
    expect(['draft', 'done', 'review', 'strange'].map((status) => stateIn(flow, status)?.key)).toEqual(['draft', 'done', 'done', 'draft']);
  });

  it('comes from another flow into the state of the same key, whatever a removed state of this one has meant', () => {
    expect([entryInto(flow, 'done'), entryInto(flow, 'review'), entryInto(flow, null)]).toEqual([
      { flow_id: 'flow', state: 'done' },
      { flow_id: 'flow', state: 'draft' },
      { flow_id: 'flow', state: 'draft' },
    ]);
  });
});

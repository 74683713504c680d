import { Problem } from '@atrium/platform/kernel';
import { assertMap, keptMap, stateOf, successorOf } from './state-map';

const states = [
  { key: 'draft', initial: true },
  { key: 'done', initial: false },
];

describe('states that a flow no longer has', () => {
  it('mean the state that the map names, and the initial one where it names none that exists', () => {
    const flow = { states, map: { old: 'done', older: 'gone' } };
    expect(['done', 'old', 'older', 'strange', 'constructor'].map((key) => stateOf(flow, key)?.key)).toEqual([
      'done',
      'done',
      'draft',
      'draft',
      'draft',
    ]);
  });

  it('go where the last change that named them says, and nowhere without one', () => {
    const map = keptMap({ old: 'done' }, { old: 'draft', older: 'done' }, states);
    expect(['old', 'older', 'strange', 'constructor'].map((key) => successorOf(key, map))).toEqual(['draft', 'done', undefined, undefined]);
  });

  it('stay in the map only while they are gone and their successor exists', () => {
    expect(keptMap({ old: 'done', done: 'draft', older: 'gone' }, { oldest: 'draft' }, states)).toEqual({ old: 'done', oldest: 'draft' });
  });

  it('follow the state that they were sent to, where that one is gone too', () => {
    expect(keptMap({ old: 'review' }, { review: 'done' }, states)).toEqual({ old: 'done', review: 'done' });
  });

  it('can go only to states of the flow', () => {
    const refused = (): void => assertMap({ old: 'moon', older: 'done' }, states, 'state_map');
    expect(refused).toThrow(Problem);
    expect(refused).toThrow('state_map.old');
  });
});

import type { Clock } from '@atrium/platform/kernel';
import { relationKey, RelationType } from './relation-type';

const clock = { now: () => new Date('2026-05-01T00:00:00Z') } as Clock;
const [A, B] = ['01890000-0000-7000-8000-0000000000a1', '01890000-0000-7000-8000-0000000000b2'];

describe('a relation type', () => {
  it('is defined as a whole: what is left out is not there', () => {
    const type = new RelationType();
    type.define({ rt_name: 'cites', rt_inverse_name: 'is cited by', rt_description: 'By name.' }, clock);
    type.define({ rt_name: 'cites' }, clock);
    expect(type).toMatchObject({ rt_name: 'cites', rt_inverse_name: null, rt_symmetric: false, rt_description: null });
  });

  it('has no inverse name where it reads the same from both ends', () => {
    expect(() => new RelationType().define({ rt_name: 'is like', rt_symmetric: true, rt_inverse_name: 'is like too' }, clock)).toThrow(
      expect.objectContaining({ code: 'validation_failed' }),
    );
  });

  it('knows a pair in either order where it is symmetric, and in one order where it is not', () => {
    expect(relationKey(true, A, B)).toBe(relationKey(true, B, A));
    expect(relationKey(false, A, B)).not.toBe(relationKey(false, B, A));
  });
});

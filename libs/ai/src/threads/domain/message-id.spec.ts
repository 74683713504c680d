import { newId } from '@atrium/platform/kernel';
import { grownId } from './message-id';

describe('ids of messages', () => {
  it('stay as they are made while they grow', () => {
    const [first, second] = [newId(), newId()];
    expect(grownId(second, first)).toBe(second);
    expect(grownId(first, null)).toBe(first);
  });

  it('are moved behind the message before where a clock is late', () => {
    const made = '0197f5a2-6b1e-7c3d-8e4f-5a6b7c8d9e0f';
    expect(grownId(made, '0197f5a2-ffff-7fff-bfff-ffffffffffff')).toBe('0197f5a3-0000-7c3d-8e4f-5a6b7c8d9e0f');
    expect(grownId(made, made) > made).toBe(true);
  });
});

import { pauseOf } from './model-steps';

describe('the pause before a provider is asked again', () => {
  it('grows with each time, and is never the same for all who wait', () => {
    expect([1, 2, 3].map((time) => pauseOf(time, 0.5))).toEqual([500, 1_000, 2_000]);
    expect([0, 1].map((chance) => pauseOf(1, chance))).toEqual([250, 750]);
  });
});

import { brakeHolds } from './deletion-brake';

describe('the deletion brake', () => {
  it.each([
    [0, 0, 15, false],
    [0, 2_500, 1, false],
    [15, 100, 15, false],
    [16, 100, 15, true],
    [375, 2_500, 15, false],
    [376, 2_500, 15, true],
    [10_000, 10_000, 99, true],
    [10_000, 10_000, 100, false],
    [1, 0, 100, true],
  ])('with %i missing of %i at %i percent holds: %s', (missing, before, percent, holds) => {
    expect(brakeHolds({ missing, before, percent })).toBe(holds);
  });
});

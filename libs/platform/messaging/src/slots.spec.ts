import { shareOf, slotsOf } from './slots';

describe('Slots of a kind of job', () => {
  it('are left to other workspaces by half, whatever a worker runs at once', () => {
    for (const concurrency of [1, 2, 3, 4, 8, 20, 64]) {
      expect(slotsOf(concurrency) - shareOf(concurrency)).toBeGreaterThanOrEqual(shareOf(concurrency));
      expect(shareOf(concurrency)).toBeGreaterThanOrEqual(concurrency);
    }
    // Where one at a time is meant, it is.
    expect([1, 2].map(shareOf)).toEqual([1, 2]);
  });
});

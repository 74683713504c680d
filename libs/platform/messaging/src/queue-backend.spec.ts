import { QUEUE_TIMING, timingOf } from './queue-backend';

describe('the clocks of recovery', () => {
  it('follow from the lease, in whole milliseconds', () => {
    expect(QUEUE_TIMING).toEqual({ lockMs: 15_000, stalledCheckMs: 5_000 });
    expect(timingOf(4_000)).toEqual({ lockMs: 4_000, stalledCheckMs: 1_334 });
    expect(timingOf(2_500.5)).toEqual({ lockMs: 2_501, stalledCheckMs: 834 });
  });
});

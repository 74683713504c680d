import { FIRST_BATCH, nextBatch } from './batch-size';

describe('the next batch of rows that follow a change', () => {
  it('has as many rows as were written within a quarter of a second', () => {
    expect(nextBatch(200, 500)).toBe(100);
    expect(nextBatch(200, 250)).toBe(200);
    expect(nextBatch(200, 200)).toBe(250);
  });

  it('at most doubles, and has neither more than 500 rows nor fewer than 20', () => {
    expect(nextBatch(FIRST_BATCH, 1)).toBe(2 * FIRST_BATCH);
    expect(nextBatch(400, 0)).toBe(500);
    expect(nextBatch(100, 60_000)).toBe(20);
  });
});

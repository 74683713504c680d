import { allFailed, endOfWork } from './end-of-work';

describe('the end of work', () => {
  it.each([
    [{ done: 0, failed: 0 }, 'completed'],
    [{ done: 3, failed: 0 }, 'completed'],
    [{ done: 1, failed: 3 }, 'partial'],
    [{ done: 0, failed: 1 }, 'failed'],
  ])('of %j is %s', (counts, end) => {
    expect(endOfWork(counts)).toBe(end);
  });

  it('names how many items failed where none was done', () => {
    expect([allFailed(1), allFailed(12, 'row')]).toEqual(['The only item failed.', 'All 12 rows failed.']);
  });
});

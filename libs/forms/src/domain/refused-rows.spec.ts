import { MOST_LISTED_FAULTS, RefusedRows, type RefusedRow } from './refused-rows';

const row = (faults: number, code = 'format'): RefusedRow => ({
  faults: Array.from({ length: faults }, () => ({ path: 'Price', code, message: 'is not a number' })),
});

describe('the rows of an import that are refused', () => {
  it('are all counted, and listed with their faults up to a number', () => {
    const refused = new RefusedRows();
    const [half, more] = [MOST_LISTED_FAULTS / 2, 50];
    refused.addRows([row(half), row(half)]);
    expect([refused.listed.length, refused.unlisted]).toEqual([2, 0]);
    for (let batch = 0; batch < 1_000; batch++) refused.addRows([row(more), row(more)]);
    expect(refused).toMatchObject({ count: 2_002, unlisted: 2_000 * more });
    expect(refused.listed).toHaveLength(2);
  });

  it('are refused anyway unless all of their values are only taken, also where they are not listed', () => {
    const refused = new RefusedRows();
    refused.addRows([row(MOST_LISTED_FAULTS, 'unique'), row(1, 'unique')]);
    expect(refused.isFinal).toBe(false);
    refused.addRows([row(1)]);
    expect([refused.isFinal, refused.listed.length]).toEqual([true, 1]);
  });
});

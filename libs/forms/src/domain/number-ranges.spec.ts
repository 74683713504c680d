import { numbersIn, sizeOf, splitRanges, textOf } from './number-ranges';

const RANGES = [
  { first: 3, end: 5 },
  { first: 8, end: 12 },
];

describe('ranges of numbers', () => {
  it.each([
    [0, [], [3, 4, 8, 9, 10, 11]],
    [1, [3], [4, 8, 9, 10, 11]],
    [2, [3, 4], [8, 9, 10, 11]],
    [4, [3, 4, 8, 9], [10, 11]],
    [9, [3, 4, 8, 9, 10, 11], []],
  ])('give the first %i of them, and keep the others', (count, taken, left) => {
    const parts = splitRanges(RANGES, count);
    expect(parts.map(numbersIn)).toEqual([taken, left]);
    expect(parts.map(sizeOf)).toEqual([taken.length, left.length]);
  });

  it('are written as the database writes them', () => {
    expect([textOf([]), textOf(RANGES)]).toEqual(['{}', '{[3,5),[8,12)}']);
  });
});

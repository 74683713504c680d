import { listCell, listedIn } from './listed-cell';

describe('a cell that lists things', () => {
  it.each([
    ['a; b ;c', ['a', 'b', 'c']],
    [' ; ;a b;; ', ['a b']],
    ['["a; b"," c ",""]', ['a; b', 'c']],
    ['[a; b', ['[a', 'b']],
    [' \n', []],
  ])('%j has the parts %j', (cell, parts) => {
    expect(listedIn(cell)).toEqual(parts);
    expect(listedIn(listCell(parts))).toEqual(parts);
  });

  it.each([['a;'.repeat(500_000)], [JSON.stringify(Array.from({ length: 5_000 }, () => 'a'))]])(
    'is read no further than any field takes',
    (cell) => expect(listedIn(cell)).toHaveLength(1_001),
  );

  it('is read also where nothing is between its signs', () => {
    expect(listedIn(`${' ;'.repeat(500_000)}a`)).toEqual(['a']);
  });
});

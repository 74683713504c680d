import { readSearch } from './people-search';

describe('a search among people', () => {
  it('asks for every word, the longest first', () => {
    expect(readSearch('ada lindgren')).toEqual([{ needles: ['%lindgren%', '%ada%'], without: [] }]);
  });

  it('keeps phrases together, leaves out what has a minus and separates alternatives', () => {
    expect(readSearch('"ada l" -press or bob')).toEqual([
      { needles: ['%ada l%'], without: ['%press%'] },
      { needles: ['%bob%'], without: [] },
    ]);
  });

  it('takes the signs of patterns for themselves', () => {
    expect(readSearch('50%_\\')).toEqual([{ needles: ['%50\\%\\_\\\\%'], without: [] }]);
  });

  it.each(['', '   ', '""', 'or'])('asks for nothing where there is nothing: "%s"', (text) => {
    expect(readSearch(text)).toEqual([]);
  });
});

import { listCell, textCell } from './own-cells';

describe('a cell of a property', () => {
  it.each([
    [{ a: 1 }, {}, 'type', 'must be a text'],
    ['x'.repeat(1_001), { longest: 1_000 }, 'length', 'must have at most 1,000 characters'],
    ['a\u0000b', {}, 'format', expect.stringMatching(/^must not have /)],
    ['a\nb', {}, 'format', 'must not have a line break'],
    ['a\u0000b', { breaks: true }, 'format', expect.stringMatching(/^must not have /)],
    ['no address', { isAddress: true }, 'format', 'must be a URL with http or https'],
    ['javascript:alert(1)', { isAddress: true }, 'format', 'must be a URL with http or https'],
  ])('%j is no text of this kind, and says why', (cell, wanted, code, message) => {
    expect(textCell('Name', cell, wanted)).toEqual({ fault: { path: 'Name', code, message } });
  });

  it('is a text without blanks around it, and an id without marks between digits and with letters in one piece', () => {
    expect(textCell('Name', ' Lamp ')).toEqual({ says: 'Lamp' });
    expect(textCell('Name', { number: 1234, shown: '1,234' })).toEqual({ says: '1,234' });
    expect(textCell('ID', { number: 1234, shown: '1,234' }, { isId: true })).toEqual({ says: '1234' });
    expect(textCell('ID', 'e\u0301', { isId: true })).toEqual({ says: '\u00e9' });
    expect(textCell('Page', ' https://a.example ', { isAddress: true })).toEqual({ says: 'https://a.example' });
  });

  it('has line breaks and tabs where they are allowed', () => {
    expect(textCell('Name', ' Lamp\r\n\tred ', { breaks: true })).toEqual({ says: 'Lamp\r\n\tred' });
  });

  it('lists what is between semicolons or in a list of JSON, up to a number', () => {
    expect(listCell('Tags', 'a; b;;', 2)).toEqual({ says: ['a', 'b'] });
    expect(listCell('Tags', ['a', ' b ', ''], 2)).toEqual({ says: ['a', 'b'] });
    expect(listCell('Tags', 7, 2)).toEqual({ says: ['7'] });
    for (const cell of ['a;b;c', ['a', 'b', 'c']])
      expect(listCell('Tags', cell, 2)).toEqual({ fault: { path: 'Tags', code: 'length', message: 'must have at most 2 entries' } });
  });
});

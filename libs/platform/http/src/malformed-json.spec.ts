import { malformedJson } from './malformed-json';

describe('malformed JSON', () => {
  it.each([
    ['{"album_name": }', 'The body is not valid JSON; line 1, column 16.'],
    ['{\n  "album_name": "x",\n  oops\n}', 'The body is not valid JSON; line 3, column 3.'],
    ['{"album_name": "x"', 'The body is not valid JSON: it ends too early; line 1, column 19.'],
    ['{"a": "b', 'The body is not valid JSON: it ends too early; line 1, column 9.'],
    ['{"a": 1,}', 'The body is not valid JSON; line 1, column 9.'],
    ["{'a': 1}", 'The body is not valid JSON; line 1, column 2.'],
    ['{"a": undefined}', 'The body is not valid JSON; line 1, column 7.'],
    ['{"a": 1} trailing', 'The body is not valid JSON; line 1, column 10.'],
  ])('%j is answered with the place where it stops being JSON', (text, sentence) => {
    expect(malformedJson(text)).toBe(sentence);
  });

  it('is not searched through where it is very long', () => {
    expect(malformedJson(`{"a": [${'1,'.repeat(100_000)}]}`)).toMatch(/^The body is not valid JSON(; line 1, column 200008)?\.$/);
  });
});

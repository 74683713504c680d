import { hasMoreValues } from './json-values';

const bytes = (text: string): Buffer => Buffer.from(text);

describe('values of JSON', () => {
  it.each([
    ['{}', 2],
    ['["a, b [c {d"]', 2],
    ['{"a, [": "\\",[{\\\\", "b": 1}', 3],
    ['[0,0,0]', 4],
    ['[[],{}]', 5],
  ])('of %s are counted outside of texts', (text, most) => {
    expect(hasMoreValues(bytes(text), most)).toBe(false);
    expect(hasMoreValues(bytes(text), most - 1)).toBe(true);
  });

  it('are counted in what is cut off in the middle of a text', () => {
    expect(hasMoreValues(bytes('[1,2,"a\\'), 4)).toBe(false);
    expect(hasMoreValues(bytes('[1,2,"a\\'), 3)).toBe(true);
  });
});

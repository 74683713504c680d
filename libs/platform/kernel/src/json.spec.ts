import { isObject, nestsDeeper } from './json';

describe('JSON values', () => {
  it('are objects only where they have keys: neither lists nor null', () => {
    expect([{}, { a: [] }].every(isObject)).toBe(true);
    expect([[], null, undefined, 'a', 1, true].some(isObject)).toBe(false);
  });

  it('nest deeper than a number of levels where one of their values does', () => {
    expect(nestsDeeper({ a: [1] }, 1)).toBe(true);
    expect(nestsDeeper({ a: [1] }, 2)).toBe(false);
    expect(nestsDeeper('text', 0)).toBe(false);
  });
});

import { asJson, isObject, nestsDeeper } from './json';
import { pick } from './pick';

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

describe('an object that an interface describes', () => {
  interface Part {
    readonly kind: string;
    readonly at?: number;
    readonly parts: readonly Part[];
  }
  const part: Part = { kind: 'text', parts: [{ kind: 'file', at: 1, parts: [] }] };

  it('is JSON as it is, without a copy', () => {
    expect(asJson(part)).toBe(part);
  });

  it('is refused by the compiler where it has what JSON has not', () => {
    // @ts-expect-error a date is written as a text
    asJson({ when: new Date(0) });
    // @ts-expect-error a set is written as an empty object
    asJson({ parts: [{ kinds: new Set(['text']) }] });
    // @ts-expect-error a function is left out
    asJson({ of: () => 1 });
    expect(pick(part, ['kind'])).toEqual({ kind: 'text' });
  });
});

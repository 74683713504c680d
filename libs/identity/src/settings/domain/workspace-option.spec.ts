import { optionFault, type OptionSchema } from './workspace-option';

const fits = (schema: OptionSchema, ...values: Parameters<typeof optionFault>[1][]) =>
  values.map((value) => optionFault(schema, value) === null);

describe('the value of an option', () => {
  it('is of the type its schema says, within its bounds', () => {
    expect(fits({ type: 'boolean' }, true, 'true', null)).toEqual([true, false, false]);
    expect(fits({ type: 'integer', minimum: 1, maximum: 3 }, 1, 3, 0, 4, 1.5, '2', null)).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
      false,
    ]);
    expect(fits({ type: ['integer', 'null'], minimum: 1, maximum: 3 }, null, 2)).toEqual([true, true]);
    expect(fits({ type: 'string', maxLength: 3, minLength: 1 }, 'abc', 'abcd', '', 'a\n', 7)).toEqual([true, false, false, false, false]);
    expect(fits({ type: 'string', maxLength: 9, enum: ['day', 'week'] }, 'day', 'month')).toEqual([true, false]);
    expect(fits({ type: 'string', maxLength: 9, pattern: '^[a-z]+$', description: 'a word' }, 'abc', 'ABC')).toEqual([true, false]);
    expect(
      fits({ type: 'array', items: { type: 'string', maxLength: 2 }, maxItems: 2 }, ['a'], ['a', 'b', 'c'], ['abc'], [1], 'a'),
    ).toEqual([true, false, false, false, false]);
  });
});

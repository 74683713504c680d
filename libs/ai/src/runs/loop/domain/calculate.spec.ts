import { calculateExpression } from './calculate';

const value = (expression: string): string => calculateExpression(expression).value;

describe('exact arithmetic', () => {
  it.each([
    ['0.1 + 0.2', '0.3'],
    ['1 - 0.9', '0.1'],
    ['2 + 3 * 4', '14'],
    ['(2 + 3) * 4', '20'],
    ['2 ^ 3 ^ 2', '512'],
    ['-2 ^ 2', '-4'],
    ['2 ^ -2', '0.25'],
    ['7 % 3', '1'],
    ['-7 % 3', '2'],
    ['10 / 4', '2.5'],
    ['100', '100'],
    ['1e3 + 1', '1001'],
    ['.5 * 2', '1'],
    ['2 × 3 − 1', '5'],
    ['round(2.5)', '3'],
    ['round(-2.5)', '-3'],
    ['round(3.14159, 2)', '3.14'],
    ['floor(-1.5)', '-2'],
    ['ceil(-1.5)', '-1'],
    ['min(3, 1, 2) + max(1, 5)', '6'],
    ['abs(-3.5)', '3.5'],
    ['99999999999999999999 + 1', '100000000000000000000'],
    ['0 * -1', '0'],
  ])('%s is %s', (expression, expected) => expect(calculateExpression(expression)).toEqual({ value: expected, exact: true }));

  it('says so where a value has no end', () => {
    expect(calculateExpression('2 / 3')).toEqual({ value: `0.${'6'.repeat(29)}7`, exact: false });
    expect(calculateExpression('2 / 3 * 3')).toEqual({ value: '2', exact: true });
  });

  it.each([
    ['1 / 0', 'divides by zero'],
    ['1 % 0', 'divides by zero'],
    ['1 +', 'ends too early'],
    ['', 'is empty'],
    ['2 3', 'from a number on'],
    ['(1', '")" is missing'],
    ['system(1)', 'no function system'],
    ['constructor(1)', 'no function constructor'],
    ['round(1, 2, 3)', 'another number of values'],
    ['2 ^ 0.5', 'whole number'],
    ['9 ^ 9 ^ 9', 'exponent is at most'],
    ['999 ^ 999 ^ 2', 'exponent is at most'],
    ['999999999999 ^ 1000', 'too many digits'],
    ['1;2', 'from ";" on'],
    ['('.repeat(400), 'nested too deeply'],
    ['1'.repeat(1_001), 'longer than'],
  ])('refuses %j', (expression, detail) => {
    expect(() => value(expression)).toThrow(
      expect.objectContaining({ code: 'unprocessable_content', detail: expect.stringContaining(detail) }),
    );
  });
});

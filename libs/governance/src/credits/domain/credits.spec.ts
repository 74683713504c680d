import { amountText, LEAST_CREDITS, MAX_CREDITS } from './credits';
import { isUsageParam, USAGE_DETAILS, USAGE_PARAM_NAMES, USAGE_PARAMS } from './usage-params';

describe('an amount of credits', () => {
  it('goes on as decimal text, to the millionth', () => {
    expect(amountText('a', LEAST_CREDITS)).toBe('0.000001');
    expect(amountText('a', 0.3)).toBe('0.300000');
    expect(amountText('a', MAX_CREDITS)).toBe('9000000000.000000');
    expect(amountText('a', 1e-8, 8)).toBe('0.00000001');
    expect(amountText('a', -5.5)).toBe('-5.500000');
  });

  it('that is finer, or no number, is refused', () => {
    for (const value of [0.0000001, 1.1234567, Number.NaN, Number.POSITIVE_INFINITY])
      expect(() => amountText('grant_credits', value)).toThrow('grant_credits');
  });
});

describe('the catalog of usage parameters', () => {
  it('is closed', () => {
    expect(USAGE_PARAM_NAMES).toHaveLength(32);
    for (const name of ['gold', 'toString', '__proto__', 'constructor', '']) expect(isUsageParam(name)).toBe(false);
    for (const name of USAGE_PARAM_NAMES) {
      expect(isUsageParam(name)).toBe(true);
      expect(USAGE_PARAMS[name].price).toMatch(/^\d+(\.\d{1,8})?$/);
      expect(USAGE_PARAMS[name].writers.length).toBeGreaterThan(0);
    }
  });

  it('takes variants of few characters', () => {
    for (const details of ['', 'local/small-1', 'png@2x', 'a'.repeat(200)]) expect(USAGE_DETAILS.test(details)).toBe(true);
    for (const details of ['a b', '%', 'a\nb', 'é', 'a'.repeat(201), "x'y"]) expect(USAGE_DETAILS.test(details)).toBe(false);
  });
});

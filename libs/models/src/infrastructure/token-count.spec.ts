import { growth, LINEAR } from '../../../platform/testing/src/growth';
import { loadTokenCount, type TokenCount } from './token-count';

let count: TokenCount;
beforeAll(async () => {
  count = await loadTokenCount();
});

describe('counting tokens', () => {
  it.each([
    ['', 0],
    ['hello world', 2],
    ['The contract ends on 31 December.', 8],
    ['Der Vertrag endet am 31. Dezember.', 9],
    ['東京都', 1],
  ])('knows %j', (text, tokens) => {
    expect(count(text)).toBe(tokens);
  });

  it('counts what looks like a special token as text', () => {
    expect(count('<|endoftext|>')).toBeGreaterThan(1);
  });

  it('stays quick for runs without a break', () => {
    expect(count('ab'.repeat(100_000))).toBeGreaterThan(10_000);
  });
});

describe('the time that counting takes', () => {
  it.each([
    ['blanks', ' '],
    ['lines', '\n'],
    ['tabs', '\t'],
    ['wide blanks', '\u3000'],
    ['blanks of several kinds', ' \u3000\t\u00a0\n'],
    ['letters', 'ab'],
  ])('grows with their number alone: %s', (_, run) => {
    const text = (length: number): string => `a${run.repeat(length / run.length)}b`;
    expect(growth(text, 25_000, (long) => count(long))).toBeLessThan(LINEAR);
  });
});

import { growth, LINEAR } from '../../../platform/testing/src/growth';
import { countInTurns, loadTokenCount, reservedTokens, type TokenCount } from './token-count';

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

describe('counting a long text in turns', () => {
  it.each([
    ['words', 'The contract ends on 31 December, and either party may give notice. '.repeat(200)],
    ['letters without blanks', 'ab'.repeat(10_000)],
    ['signs', '本合同于十二月三十一日终止，任何一方均可提前三个月通知对方。'.repeat(300)],
    ['faces', '😀'.repeat(3_000)],
  ])('says what counting it at once says: %s', async (_, text) => {
    const [turns, whole] = [await countInTurns(text, count), count(text)];
    expect(Math.abs(turns - whole)).toBeLessThanOrEqual(0.01 * whole);
  });

  it('lets other work have its turn', async () => {
    const longest = { at: 0 };
    const counted = countInTurns('語'.repeat(50_000), (piece) => {
      longest.at = Math.max(longest.at, piece.length);
      return piece.length;
    });
    let turns = 0;
    const other = (): void => {
      turns++;
      next = setImmediate(other);
    };
    let next = setImmediate(other);
    expect(await counted).toBe(50_000);
    clearImmediate(next);
    expect(turns).toBeGreaterThan(0);
    expect(longest.at).toBeLessThanOrEqual(2_000);
  });
});

describe('what credits are set aside by', () => {
  const noise = (length: number, from: number, size: number): string =>
    Array.from({ length }, (_, at) => String.fromCharCode(from + ((at * 7_919 + ((at * at) % 101) * 13) % size))).join('');

  it('is the count where a text is short', async () => {
    expect(await reservedTokens('The contract ends on 31 December.')).toBe(8);
  });

  it.each([
    ['English', 'The contract ends on 31 December, and either party may give notice of three months. '.repeat(60), 1, 2],
    ['German', 'Der Vertrag endet am 31. Dezember, und die Kündigungsfrist beträgt drei Monate. '.repeat(60), 1, 2],
    ['Chinese', '本合同于十二月三十一日终止，任何一方均可提前三个月通知对方。'.repeat(100), 1, 2],
    ['code', 'if (a[i] !== b[j]) { return f(x, { y: 1 }); }\n'.repeat(100), 1, 2],
    ['letters without blanks', noise(5_000, 97, 26), 0.5, 2],
    ['signs of all kinds', noise(5_000, 0x4e00, 20_000), 0.5, 2],
  ])('is close to it where a text is long, and of what people write no less: %s', async (_, text, least, most) => {
    expect(text.length).toBeGreaterThan(2_000);
    const found = count(text);
    const reserved = await reservedTokens(text);
    expect(reserved).toBeGreaterThanOrEqual(least * found);
    expect(reserved).toBeLessThanOrEqual(most * found);
  });

  it('costs nothing to speak of, whatever the text', async () => {
    const text = noise(200_000, 0x4e00, 20_000);
    const began = performance.now();
    await reservedTokens(text);
    expect(performance.now() - began).toBeLessThan(200);
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

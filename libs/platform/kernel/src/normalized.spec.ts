import { normalized, type NormalForm } from './normalized';

const FORMS: readonly NormalForm[] = ['NFC', 'NFD', 'NFKC', 'NFKD'];
/** Every mark there is, and letters that marks join. */
const ALL = Array.from({ length: 0x1_0000 + 0x2_0000 }, (_, code) => code)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code));
const MARKS = ALL.filter((character) => /\p{M}/u.test(character));
const LETTERS = ['a', 'ṩ', 'ü', 'é', 'ᾂ', 'Ω', '가', 'ﬁ', '½', '\uff9e', '\uff9f', '👩', '\ud800', ' '];

/** The same numbers in each run. */
function chance(): (below: number) => number {
  let state = 7;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state % below;
  };
}

const milliseconds = (work: () => void): number => {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
};

describe('a text in a normal form', () => {
  it.each(FORMS)('is what the engine makes of it, whatever marks are in it and in whatever order: %s', (form) => {
    const next = chance();
    const pick = (from: readonly string[]): string => from[next(from.length)] ?? '';
    for (let n = 0; n < 300; n++) {
      const some = Array.from({ length: 1 + next(12) }, () => pick(MARKS));
      const run = (): string =>
        Array.from({ length: next(4) === 0 ? next(5) : 65 + next(200) }, () => pick(n % 2 === 0 ? some : MARKS)).join('');
      const text = Array.from({ length: 4 }, () => pick(LETTERS) + run()).join('');
      expect(normalized(text, form) === text.normalize(form)).toBe(true);
    }
    for (const text of ['', 'a', 'Ü'.repeat(100), '\u0301'.repeat(65), `${'\u0345'.repeat(70)}\u034f${'\u0334'.repeat(70)}`])
      expect(normalized(text, form)).toBe(text.normalize(form));
  });

  it('knows every letter that becomes a mark', () => {
    const becoming = ALL.filter((character) => !/\p{M}/u.test(character) && /^\p{M}+$/u.test(character.normalize('NFKD')));
    expect(becoming).toEqual(['\uff9e', '\uff9f']);
  });

  it.each<[string, (length: number) => string]>([
    ['the low ones behind the high ones', (length) => '\u0345'.repeat(length / 2) + '\u0334'.repeat(length / 2)],
    ['half-width ones behind the high ones', (length) => '\u0301'.repeat(length / 2) + '\uff9e'.repeat(length / 2)],
    ['half-width ones in turns', (length) => '\u0301\uff9e'.repeat(length / 2)],
    ['in turns', (length) => '\u0301\u0327\u0315\u0334\u0345'.repeat(length / 5)],
    ['each behind a letter', (length) => 'e\u0301\u0327'.repeat(length / 3)],
    ['65 unlike ones behind each letter', (length) => `a${MARKS.slice(0, 65).join('')}`.repeat(length / 66)],
    ['every one there is', (length) => MARKS.join('').repeat(length / MARKS.length)],
  ])('takes a time that grows with its length: 200,000 marks, %s', (_, textOf) => {
    const text = textOf(200_000);
    // The engine takes some 40 seconds for the first.
    for (const form of FORMS) expect(milliseconds(() => normalized(text, form))).toBeLessThan(2_000);
  });
});

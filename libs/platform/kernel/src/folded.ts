import { normalized } from './normalized';

/** Small letters that full case folding writes as several, or as another form of one; canonical decomposition knows the others. */
const FOLDS = new Map([
  ...Object.entries({
    ß: 'ss',
    ŉ: 'ʼn',
    և: 'եւ',
    ẚ: 'aʾ',
    ﬀ: 'ff',
    ﬁ: 'fi',
    ﬂ: 'fl',
    ﬃ: 'ffi',
    ﬄ: 'ffl',
    ﬅ: 'st',
    ﬆ: 'st',
    ﬓ: 'մն',
    ﬔ: 'մե',
    ﬕ: 'մի',
    ﬖ: 'վն',
    ﬗ: 'մխ',
  }),
  ...Object.entries({ µ: 'μ', ſ: 's', '\u0345': 'ι', ς: 'σ', ϐ: 'β', ϑ: 'θ', ϕ: 'φ', ϖ: 'π', ϰ: 'κ', ϱ: 'ρ', ϵ: 'ε' }),
  ...Object.entries({ ᲀ: 'в', ᲁ: 'д', ᲂ: 'о', ᲃ: 'с', ᲄ: 'т', ᲅ: 'т', ᲆ: 'ъ', ᲇ: 'ѣ', ᲈ: 'ꙋ', '\u1FBE': 'ι' }),
]);
const ANY_FOLD = new RegExp(`[${[...FOLDS.keys()].join('')}]`, 'gu');
/** Characters of the longest text that is brought into canonical form. */
const LONGEST = 4_000;
const ASCII = /^[\0-\x7f]*$/;

/**
 * A text as it is compared with others wherever it must be unique, equal or found: by canonical equivalence and full case folding
 * (Unicode, D145), in NFC. `STRASSE` is `straße`, a final sigma is a sigma, and letters with their marks apart are those in one piece.
 * Texts of more than 4,000 characters stay in the form they are written in: to put very many marks in order takes the square of their
 * number. The function `folded` of the database does the same.
 */
export function folded(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  if (text.length > LONGEST && charactersOf(text) > LONGEST) return small(text);
  return normalized(small(normalized(text, 'NFD')), 'NFC');
}

const small = (text: string): string => text.toLowerCase().replace(ANY_FOLD, (letter) => FOLDS.get(letter) ?? letter);

/** As the database counts them: one that takes two places of a string is one. */
function charactersOf(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

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
const ASCII = /^[\0-\x7f]*$/;

/**
 * A text as it is compared with others wherever it must be unique, equal or found: by canonical equivalence and full case folding
 * (Unicode, D145), in NFC. `STRASSE` is `straße`, a final sigma is a sigma, and letters with their marks apart are those in one piece.
 * The function `folded` of the database does the same.
 */
export const folded = (text: string): string =>
  ASCII.test(text)
    ? text.toLowerCase()
    : text
        .normalize('NFD')
        .toLowerCase()
        .replace(ANY_FOLD, (letter) => FOLDS.get(letter) ?? letter)
        .normalize('NFC');

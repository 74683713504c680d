/** Also the marks of several notes, and one that has its bracket: `1, 2` and `1)`. */
const NUMBER = /^[-+−–]?\d+(?:[.,;] ?\d+)*\)?$/;
const VARIABLE = /^[nxyzkijmtpq]$/;
/** `n+1`, `2n`, `-x`: not the letters of ordinals. */
const TERM = /^(?=.*[\d+−–-])[\dA-Za-z+−–*/ -]{2,12}$/;
/** The mark of a note behind a word; letters that end shortened words (`Mme`, `nº`) are others. */
const NOTE_LETTER = /^[a-d]$/;
const WORD = /\p{L}{4}$/u;

/**
 * A raised text as it is in a line: an exponent or the mark of a note as `^6`; raised letters as in `1st` stay letters. Digits that
 * follow are of another number: a blank parts them.
 */
export function raisedText(text: string, before: string, after = ''): string {
  const sign = text.trim();
  const marked = before.trim() === '' || sign === '' ? sign : markedSign(sign, before);
  const written = text.replace(sign, () => marked);
  return /\d$/.test(written) && /^\d/.test(after) ? `${written} ` : written;
}

function markedSign(sign: string, before: string): string {
  if (NUMBER.test(sign) || VARIABLE.test(sign)) return `^${sign.replace(/^[−–]/, '-')}`;
  if (NOTE_LETTER.test(sign)) return WORD.test(before) ? `^${sign}` : sign;
  const isTerm = TERM.test(sign) && !/^\d+[a-z]{2}$/i.test(sign);
  return isTerm || (/\d$/.test(before) && /^\d/.test(sign)) ? `^(${sign})` : sign;
}

/** A lowered text as it is in a line: digits beside other digits as `_2` or `_(10)`, as these would be one number; all else as it is. */
export function loweredText(text: string, before: string, after: string): string {
  const sign = text.trim();
  if (!/^\d{1,9}$/.test(sign)) return text;
  if (/^\d/.test(after)) return text.replace(sign, `_(${sign})`);
  return /\d$/.test(before) ? text.replace(sign, `_${sign}`) : text;
}

/**
 * What a tag leaves in a text that is without its HTML: `10<sup>6</sup>` is `10^6` and `1010<sub>2</sub>` is `1010_2`, as the digits
 * would be one number; other tags leave nothing. A few characters on both sides of the tag are enough.
 */
export function shiftMark(tag: string, before: string, behind: string): '^' | '_' | ' ' | '' {
  if (/^<\/su[bp]\s*>/i.test(tag)) return /\d$/.test(before) && /^\d/.test(behind) ? ' ' : '';
  const sign = /^[^<]{0,12}/.exec(behind)?.[0] ?? '';
  if (/^<sup[\s>]/i.test(tag)) return raisedText(sign, before) === sign ? '' : '^';
  return /^<sub[\s>]/i.test(tag) && loweredText(sign, before, '') !== sign ? '_' : '';
}

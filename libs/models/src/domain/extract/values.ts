import { type JsonValue, withoutEnd } from '@atrium/platform/kernel';

export type ValueKind = 'number' | 'integer' | 'boolean' | 'date' | 'email' | 'url' | 'phone';

/** A value that a text holds, and where. */
export interface FoundValue {
  readonly value: JsonValue;
  readonly start: number;
  readonly end: number;
}

const MONTHS: readonly (readonly string[])[] = [
  ['january', 'jan', 'januar', 'jänner', 'janvier', 'enero'],
  ['february', 'feb', 'februar', 'février', 'febrero'],
  ['march', 'mar', 'märz', 'mars', 'marzo'],
  ['april', 'apr', 'avril', 'abril'],
  ['may', 'mai', 'mayo'],
  ['june', 'jun', 'juni', 'juin', 'junio'],
  ['july', 'jul', 'juli', 'juillet', 'julio'],
  ['august', 'aug', 'août', 'agosto'],
  ['september', 'sep', 'sept', 'septembre', 'septiembre'],
  ['october', 'oct', 'oktober', 'okt', 'octobre', 'octubre'],
  ['november', 'nov', 'novembre', 'noviembre'],
  ['december', 'dec', 'dezember', 'dez', 'décembre', 'diciembre'],
];
const MONTH = MONTHS.flat()
  .sort((one, other) => other.length - one.length)
  .join('|');

const DATES: readonly { readonly pattern: RegExp; readonly order: 'ymd' | 'dmy' | 'mdy' }[] = [
  { pattern: /(?<![\d-])(\d{4})-(\d{1,2})-(\d{1,2})(?![\d-])/g, order: 'ymd' },
  { pattern: /(?<![\d.])(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})(?!\d|\.\d)/g, order: 'dmy' },
  { pattern: /(?<![\d/])(\d{1,2})\/(\d{1,2})\/(\d{4})(?![\d/])/g, order: 'dmy' },
  {
    pattern: new RegExp(
      `(?<!\\d)(\\d{1,2})(?:\\.|st|nd|rd|th)?\\s+(?:of\\s+|de\\s+)?(${MONTH})\\.?,?\\s+(?:de\\s+)?(\\d{4})(?!\\d)`,
      'giu',
    ),
    order: 'dmy',
  },
  { pattern: new RegExp(`(?<!\\p{L})(${MONTH})\\.?\\s+(\\d{1,2})(?:st|nd|rd|th)?,?\\s+(\\d{4})(?!\\d)`, 'giu'), order: 'mdy' },
];
const NUMBER = /(?<![\p{L}\p{N}.,])[-−]?\d{1,15}(?:[.,\u00a0' ]\d{3})*(?:[.,]\d{1,10})?(?![\p{L}\p{N}]|[.,]\d)/gu;
const BOOLEAN = /(?<![\p{L}])(yes|true|ja|oui|sí|no|not|false|nein|nicht|non)(?![\p{L}])/giu;
const TRUE: ReadonlySet<string> = new Set(['yes', 'true', 'ja', 'oui', 'sí']);
const EMAIL = /(?<![\p{L}\p{N}._%+-])[A-Za-z0-9][A-Za-z0-9._%+-]{0,63}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,4}(?![\p{L}\p{N}-])/gu;
const URL_LIKE = /\bhttps?:\/\/[^\s<>"')\]}]{1,2000}/gi;

const PHONE = /(?<![\p{L}\p{N}.-])(?:\+\d{1,3}|\(?0\d{0,4}\)?)[\d\s()/.-]{5,20}\d(?![\p{L}\p{N}])/gu;
const FEWEST_DIGITS = 7;

/** The values of a kind in a text, in their order. */
export function valuesIn(text: string, kind: ValueKind): FoundValue[] {
  switch (kind) {
    case 'date':
      return datesIn(text);
    case 'number':
    case 'integer':
      return numbersIn(text).filter(({ value }) => kind === 'number' || Number.isInteger(value));
    case 'boolean':
      return matches(text, BOOLEAN, ([word]) => TRUE.has(word.toLowerCase()));
    case 'email':
      return matches(text, EMAIL, ([address]) => address);
    case 'phone':
      return besideDates(
        text,
        matches(text, PHONE, ([written]) => (written.replace(/\D/g, '').length < FEWEST_DIGITS ? null : written.trim())),
      );
    case 'url':
      return matches(text, URL_LIKE, ([address]) => withoutEnd(address, /[.,;:!?]/));
  }
}

/** Numbers that are no part of a date. */
const numbersIn = (text: string): FoundValue[] =>
  besideDates(
    text,
    matches(text, NUMBER, ([written]) => numberOf(written)),
  );

/** Those that are no part of a date. Both are in their order, so that each date is passed once. */
function besideDates(text: string, found: readonly FoundValue[]): FoundValue[] {
  const dates = datesIn(text);
  let [at, end] = [0, 0];
  return found.filter((value) => {
    for (let date = dates[at]; date && date.start < value.end; date = dates[++at]) end = Math.max(end, date.end);
    return end <= value.start;
  });
}

/** With both signs the last begins the fraction; alone, a point does, and a comma unless three digits follow, as they part thousands. */
export function numberOf(written: string): number | null {
  const plain = written.replace(/[\u00a0' ]/g, '').replace('−', '-');
  const [point, comma] = [plain.lastIndexOf('.'), plain.lastIndexOf(',')];
  const last = Math.max(point, comma);
  const isOnce = last >= 0 && plain.indexOf(plain.charAt(last)) === last;
  const isFraction = isOnce && (Math.min(point, comma) >= 0 || last === point || plain.length - last - 1 !== 3);
  const digits = isFraction ? `${plain.slice(0, last).replace(/[.,]/g, '')}.${plain.slice(last + 1)}` : plain.replace(/[.,]/g, '');
  const value = Number(digits);
  return Number.isFinite(value) ? value : null;
}

function datesIn(text: string): FoundValue[] {
  return DATES.flatMap(({ pattern, order }) => matches(text, pattern, (found) => dateOf(found, order))).sort(
    (one, other) => one.start - other.start || other.end - one.end,
  );
}

function dateOf([, one = '', two = '', three = '']: RegExpMatchArray, order: 'ymd' | 'dmy' | 'mdy'): string | null {
  const [year, month, day] = order === 'ymd' ? [one, two, three] : order === 'dmy' ? [three, two, one] : [three, one, two];
  const at = /^\d+$/.test(month) ? Number(month) : MONTHS.findIndex((names) => names.includes(month.toLowerCase())) + 1;
  const date = new Date(Date.UTC(Number(year), at - 1, Number(day)));
  const isReal = date.getUTCMonth() === at - 1 && date.getUTCDate() === Number(day) && date.getUTCFullYear() === Number(year);
  return isReal ? date.toISOString().slice(0, 10) : null;
}

function matches(text: string, pattern: RegExp, read: (found: RegExpMatchArray & { readonly 0: string }) => JsonValue): FoundValue[] {
  return [...text.matchAll(pattern)].flatMap((found) => {
    const value = read(found);
    return value === null ? [] : [{ value, start: found.index, end: found.index + found[0].length }];
  });
}

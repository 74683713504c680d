/** How numbers are written. */
export interface NumberConventions {
  /** The sign before the fraction. */
  readonly decimal: '.' | ',';
  /** Digits of the groups in front of the last one, and whether signs between groups are read at all. */
  readonly groups: 'none' | 'thousands' | 'lakhs';
  /** The point or the comma between groups, where people have one. */
  readonly mark: '.' | ',' | undefined;
  /** Beside the cell there are others with the sign of another locale before a fraction: either sign in front of three digits can be either. */
  readonly isMixed?: boolean;
}

/** Longer than any number that a field keeps; what is longer is not looked at. */
const LONGEST_NUMBER = 400;
const SPACES = /[ \u00a0\u2007\u2009\u202f]/;
const APOSTROPHES = /['\u2019]/;
const PLAIN = /^(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d{1,3})?$/;
const DIGITS = /^\d+$/;
/** The zeros of digits that people write besides those of ASCII: Arabic, Persian, Devanagari, Bengali, Thai, and as wide as Chinese signs. */
const ZEROS = [0x660, 0x6f0, 0x966, 0x9e6, 0xe50, 0xff10];
const OTHER_DIGITS = /[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\u09e6-\u09ef\u0e50-\u0e59\uff10-\uff19]/;
const OTHER_SIGNS: Readonly<Record<string, string>> = { '\uff0b': '+', '\uff0c': ',', '\uff0d': '-', '\uff0e': '.', '\u066c': '\u2019' };

/**
 * A number as people write it, without signs between groups and with a point before the fraction; undefined for what is none. Signs
 * between groups are read in their places alone: 0,750 or 1 2 is no number rather than another one.
 */
export function plainNumber(cell: string, habits: NumberConventions): string | undefined {
  const { decimal, groups, isMixed = false } = habits;
  const text = cell.length > LONGEST_NUMBER ? cell.trim() : inAscii(cell.trim(), decimal);
  if (text.length > LONGEST_NUMBER) return undefined;
  const { negative, digits } = signed(text);
  if (isMixed && LONE_GROUP.test(digits)) return undefined;
  const plain = groups === 'none' || isPlain(digits, decimal) ? (PLAIN.test(digits) ? digits : undefined) : ungrouped(digits, habits);
  if (plain === undefined) return undefined;
  return `${negative ? '-' : ''}${plain.startsWith('.') ? '0' : ''}${plain}`;
}

/** The same with the digits and signs of ASCII. */
function inAscii(text: string, decimal: string): string {
  if (!OTHER_DIGITS.test(text)) return text;
  return text.replace(/[^\x20-\x7e]/g, (sign) => {
    const code = sign.charCodeAt(0);
    const zero = ZEROS.find((one) => code >= one && code <= one + 9);
    if (zero !== undefined) return String(code - zero);
    return sign === '\u066b' ? decimal : (OTHER_SIGNS[sign] ?? sign);
  });
}

/** A minus as keyboards and programs write it, or brackets, as accounts do. */
function signed(text: string): { readonly negative: boolean; readonly digits: string } {
  if (text.startsWith('(') && text.endsWith(')')) return { negative: true, digits: text.slice(1, -1).trim() };
  if (/^[-\u2212]/.test(text)) return { negative: true, digits: text.slice(1).trimStart() };
  return { negative: false, digits: text.startsWith('+') ? text.slice(1) : text };
}

/** A point before the fraction, whatever the locale; where it separates groups, three digits behind it may be one of them. */
const isPlain = (digits: string, decimal: '.' | ','): boolean =>
  PLAIN.test(digits) && (decimal === '.' || !/^\d{1,3}\.\d{3}$/.test(digits));

function ungrouped(digits: string, { decimal, groups, mark }: NumberConventions): string | undefined {
  const [whole = '', fraction, ...more] = digits.split(decimal);
  if (more.length > 0 || (fraction !== undefined && !DIGITS.test(fraction))) return undefined;
  const sign = [mark, SPACES, APOSTROPHES].find((one) =>
    typeof one === 'object' ? one.test(whole) : one !== undefined && whole.includes(one),
  );
  const parts = sign === undefined ? [whole] : whole.split(sign);
  if (!parts.every((part) => DIGITS.test(part)) || (parts.length > 1 && !areGroups(parts, groups))) return undefined;
  return fraction === undefined ? parts.join('') : `${parts.join('')}.${fraction}`;
}

/** One sign, three digits behind it, and one to three in front of it: a group, or a fraction. */
const LONE_GROUP = /^[1-9]\d{0,2}[.,]\d{3}$/;

/** The numbers that a cell can be beside such with the sign of another locale before a fraction: 1.250 is 1250 or 1.250. */
export function twoNumbers(cell: string, habits: NumberConventions): readonly [string, string] | undefined {
  const { negative, digits } = signed(cell.trim());
  if (!habits.isMixed || !LONE_GROUP.test(digits)) return undefined;
  const sign = negative ? '-' : '';
  return [`${sign}${digits.replace(/[.,]/, '')}`, `${sign}${digits.replace(',', '.')}`];
}

/**
 * Whether a cell has the sign of another locale before what can only be a fraction, such as 12.75 or 1,234.50 where people write 12,75
 * and 1.234,50.
 */
export function hasForeignFraction(cell: string, { groups, decimal }: NumberConventions): boolean {
  const foreign = decimal === '.' ? ',' : '.';
  if (groups === 'none' || cell.length > LONGEST_NUMBER || !cell.includes(foreign)) return false;
  const digits = cell.replace(/[^\d.,]/g, '');
  const at = digits.lastIndexOf(foreign);
  const [whole, fraction] = [digits.slice(0, Math.max(0, at)), digits.slice(at + 1)];
  if (at < 0 || whole.includes(foreign) || !DIGITS.test(fraction)) return false;
  return whole.includes(decimal) || fraction.length !== 3 || !/^[1-9]\d{0,2}$/.test(whole);
}

/** One to three digits that do not begin with 0, then groups of three; where people count in lakhs, of two before the last one. */
function areGroups(parts: readonly string[], groups: NumberConventions['groups']): boolean {
  const [first = '', ...others] = parts;
  if (first.startsWith('0')) return false;
  if (first.length <= 3 && others.every(({ length }) => length === 3)) return true;
  return groups === 'lakhs' && first.length <= 2 && others.at(-1)?.length === 3 && others.slice(0, -1).every(({ length }) => length === 2);
}

/** A number as `plainNumber` reads it again. */
export const localNumber = (plain: string, { decimal }: Pick<NumberConventions, 'decimal'>): string =>
  decimal === ',' ? plain.replace('.', ',') : plain;

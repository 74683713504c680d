import { withoutEnds } from '@atrium/platform/kernel';
import type { DateFormat } from './date-format';

/** How those who wrote a table write, as far as it is known. */
export interface CellHabits {
  /** Of the workspace, such as `de-DE`. */
  readonly locale?: string | undefined;
  /** Where times without a zone are; UTC unless it is said. */
  readonly zone?: string | undefined;
  /** A machine wrote the numbers: a point before the fraction, and no signs between groups. */
  readonly plain?: boolean;
  /** How columns write dates that name it. */
  readonly formats?: ReadonlyMap<string, DateFormat>;
}

/** How people of a locale write numbers and dates in cells. */
export interface CellLocale {
  /** The sign before the fraction. */
  readonly decimal: '.' | ',';
  /** Digits of the groups in front of the last one, and whether signs between groups are read at all. */
  readonly groups: 'none' | 'thousands' | 'lakhs';
  /** Whose names of months are read beside the English ones. */
  readonly locale: string | undefined;
  readonly zone: string;
}

const NEUTRAL = { decimal: '.', groups: 'thousands', locale: undefined } as const;
const TEN_MILLIONS = 10_000_000;
/** The groups of ten millions where the first ones have two digits. */
const LAKHS = '1 00 00 000';

/** The habits of a locale such as `de-DE`; of none in particular where it is unknown. */
export function cellLocale({ locale, zone = 'UTC', plain = false }: CellHabits = {}): CellLocale {
  const known = localeOf(locale);
  return plain ? { ...known, decimal: '.', groups: 'none', zone } : { ...known, zone };
}

function localeOf(locale: string | undefined): Omit<CellLocale, 'zone'> {
  if (!locale) return NEUTRAL;
  try {
    const numbers = new Intl.NumberFormat(locale);
    const decimal = numbers.formatToParts(1.5).find(({ type }) => type === 'decimal')?.value === ',' ? ',' : '.';
    const digits = new Intl.NumberFormat(locale, { numberingSystem: 'latn' }).formatToParts(TEN_MILLIONS);
    const groups = digits.flatMap(({ type, value }) => (type === 'integer' ? value : [])).join(' ');
    return { decimal, groups: groups === LAKHS ? 'lakhs' : 'thousands', locale };
  } catch {
    return NEUTRAL;
  }
}

/** Longer than any number that a field keeps; what is longer is not looked at. */
const LONGEST_NUMBER = 400;
const SPACES = /[ \u00a0\u2007\u2009\u202f]/;
const APOSTROPHES = /['\u2019]/;
const PLAIN = /^\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?$/;
const DIGITS = /^\d+$/;

/**
 * A number as people write it, without signs between groups and with a point before the fraction; undefined for what is none. Signs
 * between groups are read in their places alone: 0,750 or 1 2 is no number rather than another one.
 */
export function plainNumber(cell: string, { decimal, groups }: Pick<CellLocale, 'decimal' | 'groups'>): string | undefined {
  const text = cell.trim();
  if (text.length > LONGEST_NUMBER) return undefined;
  const { negative, digits } = signed(text);
  const plain = groups === 'none' || isPlain(digits, decimal) ? (PLAIN.test(digits) ? digits : undefined) : ungrouped(digits, { decimal, groups });
  return plain === undefined ? undefined : `${negative ? '-' : ''}${plain}`;
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

function ungrouped(digits: string, { decimal, groups }: Pick<CellLocale, 'decimal' | 'groups'>): string | undefined {
  const [whole = '', fraction, ...more] = digits.split(decimal);
  if (more.length > 0 || (fraction !== undefined && !DIGITS.test(fraction))) return undefined;
  const sign = [decimal === ',' ? '.' : ',', SPACES, APOSTROPHES].find((one) =>
    typeof one === 'string' ? whole.includes(one) : one.test(whole),
  );
  const parts = sign === undefined ? [whole] : whole.split(sign);
  if (!parts.every((part) => DIGITS.test(part)) || (parts.length > 1 && !areGroups(parts, groups))) return undefined;
  return fraction === undefined ? parts.join('') : `${parts.join('')}.${fraction}`;
}

/** One to three digits that do not begin with 0, then groups of three; where people count in lakhs, of two before the last one. */
function areGroups(parts: readonly string[], groups: CellLocale['groups']): boolean {
  const [first = '', ...others] = parts;
  if (first.startsWith('0')) return false;
  if (first.length <= 3 && others.every(({ length }) => length === 3)) return true;
  return groups === 'lakhs' && first.length <= 2 && others.at(-1)?.length === 3 && others.slice(0, -1).every(({ length }) => length === 2);
}

/** A number as `plainNumber` reads it again. */
export const localNumber = (plain: string, { decimal }: Pick<CellLocale, 'decimal'>): string =>
  decimal === ',' ? plain.replace('.', ',') : plain;

const CURRENCY_SIGNS: ReadonlyMap<string, string> = new Map([
  ['€', 'EUR'],
  ['$', 'USD'],
  ['£', 'GBP'],
]);
const AT_ENDS = /[€$£]/;

/** An amount without what names its currency in front of it or behind it, and that currency. */
export function amountIn(cell: string): { readonly amount: string; readonly currency: string | undefined } {
  const text = cell.trim();
  const code = /^[A-Za-z]{3}(?![A-Za-z])|(?<![A-Za-z])[A-Za-z]{3}$/.exec(text)?.[0];
  if (code !== undefined) return { amount: (text.startsWith(code) ? text.slice(3) : text.slice(0, -3)).trim(), currency: code.toUpperCase() };
  const sign = [...CURRENCY_SIGNS.keys()].find((one) => text.includes(one));
  if (sign === undefined) return { amount: text, currency: undefined };
  const currency = CURRENCY_SIGNS.get(sign);
  const minus = /^([-\u2212(])\s*[€$£]/.exec(text)?.[1];
  if (minus !== undefined) return { amount: `${minus}${text.slice(text.indexOf(sign) + 1)}`.trim(), currency };
  return { amount: withoutEnds(text, AT_ENDS).trim(), currency };
}

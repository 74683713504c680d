import { withoutEnds, type DateFormat, type NumberConventions } from '@atrium/platform/kernel';

/** How those who wrote a table write, as far as it is known. */
export interface CellConventions {
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
export interface CellLocale extends NumberConventions {
  /** Whose names of months are read beside the English ones. */
  readonly locale: string | undefined;
  readonly zone: string;
}

const NEUTRAL = { decimal: '.', groups: 'thousands', mark: ',', locale: undefined } as const;
const TEN_MILLIONS = 10_000_000;
/** The groups of ten millions where the first ones have two digits. */
const LAKHS = '1 00 00 000';

/** The habits of a locale such as `de-DE`; of none in particular where it is unknown. */
export function cellLocale({ locale, zone = 'UTC', plain = false }: CellConventions = {}): CellLocale {
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
    return { decimal, groups: groups === LAKHS ? 'lakhs' : 'thousands', mark: markOf(locale, decimal), locale };
  } catch {
    return NEUTRAL;
  }
}

/** The point or comma between the groups of numbers; Austrians have one in amounts alone. */
function markOf(locale: string, decimal: '.' | ','): '.' | ',' | undefined {
  for (const style of [{}, { style: 'currency', currency: 'EUR' }] as const) {
    const parts = new Intl.NumberFormat(locale, { ...style, numberingSystem: 'latn' }).formatToParts(TEN_MILLIONS);
    const mark = parts.find(({ type }) => type === 'group')?.value;
    if ((mark === '.' || mark === ',') && mark !== decimal) return mark;
  }
  return undefined;
}

const SIGN = /[€$£]/;

/** An amount without what names its currency in front of it or behind it, and that currency by its code or its sign. */
export interface NamedAmount {
  readonly amount: string;
  readonly code?: string;
  readonly sign?: string;
}

export function amountIn(cell: string): NamedAmount {
  const text = cell.trim();
  const code = /^[A-Za-z]{3}(?![A-Za-z])|(?<![A-Za-z])[A-Za-z]{3}$/.exec(text)?.[0];
  if (code !== undefined) return { amount: (text.startsWith(code) ? text.slice(3) : text.slice(0, -3)).trim(), code: code.toUpperCase() };
  const sign = SIGN.exec(text)?.[0];
  if (sign === undefined) return { amount: text };
  const minus = /^([-\u2212(])\s*[€$£]/.exec(text)?.[1];
  if (minus !== undefined) return { amount: `${minus}${text.slice(text.indexOf(sign) + 1)}`.trim(), sign };
  return { amount: withoutEnds(text, SIGN).trim(), sign };
}

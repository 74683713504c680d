/** How people of a locale write numbers and dates in cells. */
export interface CellLocale {
  /** The digits before the fraction. */
  readonly decimal: '.' | ',';
  /** The order of day, month and year where a date is not ISO. */
  readonly dayFirst: boolean;
}

const NEUTRAL: CellLocale = { decimal: '.', dayFirst: true };

/** The habits of a locale such as `de-DE`; of none in particular where it is unknown. */
export function cellLocale(locale: string | undefined): CellLocale {
  if (!locale) return NEUTRAL;
  try {
    const decimal = new Intl.NumberFormat(locale).formatToParts(1.5).find(({ type }) => type === 'decimal')?.value === ',' ? ',' : '.';
    const parts = new Intl.DateTimeFormat(locale).formatToParts(new Date(2_000, 0, 2)).map(({ type }) => type);
    return { decimal, dayFirst: parts.indexOf('day') < parts.indexOf('month') };
  } catch {
    return NEUTRAL;
  }
}

/** A number as people write it: spaces and the other mark group thousands, a comma may stand before the fraction. */
export function plainNumber(cell: string, { decimal }: CellLocale): string | undefined {
  const compact = cell
    .trim()
    .replace(/[\s\u00a0\u202f']/g, '')
    .replace(/^\+/, '');
  if (/^-?\d+(\.\d+)?(?:[eE][+-]?\d{1,3})?$/.test(compact) && (decimal === '.' || !/^-?\d{1,3}(\.\d{3})+$/.test(compact))) return compact;
  const group = decimal === ',' ? '\\.' : ',';
  const mark = decimal === ',' ? ',' : '\\.';
  // eslint-disable-next-line no-restricted-syntax -- made of the marks above
  const grouped = new RegExp(`^-?(?:\\d{1,3}(?:${group}\\d{3})+|\\d+)(?:${mark}\\d+)?$`);
  if (!grouped.test(compact)) return undefined;
  // eslint-disable-next-line no-restricted-syntax -- made of the marks above
  const ungrouped = compact.replace(new RegExp(group, 'g'), '');
  return decimal === ',' ? ungrouped.replace(',', '.') : ungrouped;
}

/** A number as `plainNumber` reads it again. */
export const localNumber = (plain: string, { decimal }: CellLocale): string => (decimal === ',' ? plain.replace('.', ',') : plain);

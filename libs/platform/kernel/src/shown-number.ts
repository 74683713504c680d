/**
 * A number of a table whose text, as its program shows it, is not the plain number: 0.075 as `7.5%`, 123 as `00123`. `currency`: what
 * its format says of the sign in the text, which several have; `XXX` where that is none that is known.
 */
export type ShownNumber = Readonly<{ number: number; shown: string; currency?: string }>;

/** Tables pass through JSON between processes, so that a shown number is known by its keys alone. */
export const isShownNumber = (value: unknown): value is ShownNumber =>
  typeof value === 'object' &&
  value !== null &&
  'number' in value &&
  typeof value.number === 'number' &&
  'shown' in value &&
  typeof value.shown === 'string' &&
  Object.keys(value).length === ('currency' in value && typeof value.currency === 'string' ? 3 : 2);

const withoutZeros = (digits: string): string => digits.replace(/^0+(?=\d)/, '');
/** Digits in groups of three are the number for people to read. */
const GROUPED = /^\d{1,3}(?:[\s.]\d{3})+$/;

/**
 * The text of a number by which something is found. Zeros in front of the number and signs between its digits, as in 00123 and 12-345,
 * belong to it; groups of thousands, fractions, units and exponents do not.
 */
export function idOfShown({ number, shown }: ShownNumber): string {
  const plain = String(number);
  const isId = /^\(?\d[\d\s./()-]*$/.test(shown) && !GROUPED.test(shown) && withoutZeros(shown.replace(/\D/g, '')) === plain;
  return isId ? shown : plain;
}

/** What people see of a number; all digits of a whole one, where its format leaves some of them out. */
export function textOfShown({ number, shown }: ShownNumber): string {
  const digits = shown.replace(/\D/g, '');
  const isWord = digits === '' && /\p{L}/u.test(shown);
  return !Number.isInteger(number) || isWord || digits.includes(String(Math.abs(number))) ? shown : String(number);
}

import { withoutEnd } from '@atrium/platform/kernel';
/** A decimal as text: sign, digits, and a point with further digits. */
export const DECIMAL = /^-?\d+(\.\d+)?$/;

const parts = (decimal: string): { readonly negative: boolean; readonly whole: string; readonly fraction: string } => {
  const [whole = '0', fraction = ''] = decimal.replace('-', '').split('.');
  return { negative: decimal.startsWith('-'), whole: whole.replace(/^0+(?=\d)/, ''), fraction };
};

/** The decimal as it is stored: no leading zeros, no negative zero; zeros at the end stay, for they say how exact it is. */
export function canonicalDecimal(decimal: string): string {
  const { negative, whole, fraction } = parts(decimal);
  const digits = fraction === '' ? whole : `${whole}.${fraction}`;
  return negative && /[1-9]/.test(digits) ? `-${digits}` : digits;
}

/** The decimal without what does not change its worth, for comparing. */
export function decimalWorth(decimal: string): string {
  const canonical = canonicalDecimal(decimal);
  return canonical.includes('.') ? withoutEnd(withoutEnd(canonical, /0/), /\./) : canonical;
}

/** Digits in all and behind the point. */
export function decimalSize(decimal: string): { readonly precision: number; readonly scale: number } {
  const { whole, fraction } = parts(decimal);
  return { precision: (whole === '0' ? 0 : whole.length) + fraction.length, scale: fraction.length };
}

/** Compares exactly, whatever the size. */
export function compareDecimals(a: string, b: string): number {
  const scale = Math.max(decimalSize(a).scale, decimalSize(b).scale);
  const [left, right] = [scaled(a, scale), scaled(b, scale)];
  return left < right ? -1 : left > right ? 1 : 0;
}

function scaled(decimal: string, scale: number): bigint {
  const { negative, whole, fraction } = parts(decimal);
  const units = BigInt(whole + fraction.padEnd(scale, '0'));
  return negative ? -units : units;
}

/** How many digits a number has behind its point, exponents included. */
export function fractionDigits(value: number): number {
  const [digits = '', exponent = '0'] = String(value).split('e');
  return Math.max(0, (digits.split('.')[1]?.length ?? 0) - Number(exponent));
}

/** A number with all its digits and without an exponent. */
export const decimalText = (value: number): string => withoutExponent(String(value));

/** The same of one that is written with a point before its fraction. */
export function withoutExponent(plain: string): string {
  const [number = '', exponent] = plain.split(/[eE]/);
  if (exponent === undefined) return plain;
  const [whole = '', fraction = ''] = number.replace('-', '').split('.');
  const digits = whole + fraction;
  const point = whole.length + Number(exponent);
  const padded = point > 0 ? digits.padEnd(point, '0') : digits.padStart(digits.length - point + 1, '0');
  const at = Math.max(point, 1);
  return `${number.startsWith('-') ? '-' : ''}${padded.slice(0, at)}${at < padded.length ? `.${padded.slice(at)}` : ''}`;
}

/** Whether a number keeps the digits in front of the point as they are written. */
export const holdsWhole = (plain: string): boolean =>
  !DECIMAL.test(plain) || (Number.isFinite(Number(plain)) && wholeOf(decimalText(Number(plain))) === wholeOf(plain));

const wholeOf = (decimal: string): string => parts(decimal).whole;

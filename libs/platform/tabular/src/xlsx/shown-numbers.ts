import { readFileSync } from 'node:fs';
import { Script } from 'node:vm';
import type { format } from 'numfmt';
import { currencyOfSign, NO_CURRENCY, type ShownNumber } from '@atrium/platform/kernel';
import { localeOfCountry } from './countries';
import { LONGEST_CODE } from './number-formats';

/** How a format shows numbers. */
export interface NumberShow {
  /** Undefined where the plain text is the one shown. */
  readonly text: (number: number) => string | undefined;
  /** What the country of the format says of a sign that several currencies have. */
  readonly currency: string | undefined;
}

/** Formats that every spreadsheet program knows by their number. Those of money are without a currency, which each country has its own of. */
const BUILT_IN: Readonly<Record<number, string>> = {
  1: '0',
  2: '0.00',
  3: '#,##0',
  4: '#,##0.00',
  5: '#,##0;(#,##0)',
  6: '#,##0;(#,##0)',
  7: '#,##0.00;(#,##0.00)',
  8: '#,##0.00;(#,##0.00)',
  9: '0%',
  10: '0.00%',
  11: '0.00E+00',
  12: '# ?/?',
  13: '# ??/??',
  37: '#,##0;(#,##0)',
  38: '#,##0;(#,##0)',
  39: '#,##0.00;(#,##0.00)',
  40: '#,##0.00;(#,##0.00)',
  41: '#,##0;(#,##0);"-"',
  42: '#,##0;(#,##0);"-"',
  43: '#,##0.00;(#,##0.00);"-"',
  44: '#,##0.00;(#,##0.00);"-"',
  48: '##0.0E+0',
};
/** Formats of a workbook that are shown; numbers of those behind them stay plain. */
const MOST_OF_WORKBOOK = 1_000;
/** Formats that one copy of the library keeps. */
const MOST_OF_COPY = 1_000;
/** Signs in a part of a code: each costs time in each cell, and the codes that programs offer have about 30 in a part. */
const MOST_SIGNS = 60;
/** Digits that spreadsheet programs count with; those behind them are noise of binary fractions. */
const DIGITS = 15;
const PLAIN = /^(?:general|@)?$/i;
/**
 * The country of a currency. It says which one it is of those with the same sign, and would change the marks of this one format alone:
 * a workbook has one way to write numbers.
 */
const COUNTRY = /\[\$([^\]-]*)-([^\]]*)\]/g;
/** Of a part of a code, which is for numbers as they are: a little more than 0.1 is not at most 0.1. */
const CONDITION = /\[[<>=]/;
const SHARED_SIGN = /^[$£]$/;

interface Copy {
  readonly format: typeof format;
  readonly kept: Set<string>;
}

let script: Script | undefined;
let copy: Copy | undefined;

/**
 * A copy of the library that keeps this code or has room for it. The library keeps every code that it has read and has no way to forget
 * one: after enough of them there is another copy, and the old one goes with the workbooks that use it.
 */
function copyFor(code: string): Copy {
  if (!copy || (!copy.kept.has(code) && copy.kept.size >= MOST_OF_COPY)) {
    script ??= new Script(`(function (module, exports) {${readFileSync(require.resolve('numfmt'), 'utf8')}\n})`);
    const module: { exports: { format?: typeof format } } = { exports: {} };
    (script.runInThisContext() as (module: object, exports: object) => void)(module, module.exports);
    if (!module.exports.format) throw new Error('The library of number formats has no function format.');
    copy = { format: module.exports.format, kept: new Set() };
  }
  copy.kept.add(code);
  return copy;
}

/** How the numbers of one workbook are shown. */
export class NumberShows {
  private readonly codes = new Set<string>();

  /** How numbers of a format are shown, from its number or its code. */
  findFormat(id: number, code = BUILT_IN[id]): NumberShow | undefined {
    if (code === undefined || PLAIN.test(code) || code.length > LONGEST_CODE || isCostly(code)) return undefined;
    if (!this.codes.has(code) && this.codes.size >= MOST_OF_WORKBOOK) return undefined;
    this.codes.add(code);
    const pattern = code.replace(COUNTRY, (_, sign: string) => (sign === '' ? '' : `[$${sign}]`));
    const { format } = copyFor(pattern);
    const rounded = CONDITION.test(code) ? (number: number): number => number : halvesUp;
    return {
      text: (number) => {
        try {
          return format(pattern, rounded(number), { locale: 'en-US' }).replace(/\s+/g, ' ').trim();
        } catch {
          return undefined;
        }
      },
      currency: currencyOf(code),
    };
  }
}

/** As programs round, which count with decimals: 1.005 is 1.01, though the binary fraction is a little below the half. */
const halvesUp = (number: number): number => (Number.isInteger(number) ? number : number * (1 + Number.EPSILON));

/** The currency of a format with a sign and a country: that of another country is none of this one. */
function currencyOf(code: string): string | undefined {
  const named = [...code.matchAll(COUNTRY)].flatMap(([, sign = '', country = '']) => {
    if (!SHARED_SIGN.test(sign)) return [];
    const locale = localeOfCountry(country);
    return [(locale === undefined ? undefined : currencyOfSign(sign, locale)) ?? NO_CURRENCY];
  });
  return new Set(named).size > 1 ? NO_CURRENCY : named[0];
}

/** A word in quotation marks is one sign, as an escaped letter is, and a semicolon in them begins no part. */
const isCostly = (code: string): boolean =>
  code

    .replace(/\\.|"[^"]*"/g, 'x')
    .split(';')
    .some((part) => part.length > MOST_SIGNS);

/** A number without the noise behind the digits that programs count with: 3.3 for 3.3000000000000003. */
const quiet = (number: number): number => (Number.isInteger(number) ? number : Number(number.toPrecision(DIGITS)));

/** The cell of a number: with its text where that is another. Whole numbers that no program can count with keep their digits as text. */
export function cellOfNumber(text: string, show: NumberShow | undefined): number | string | ShownNumber {
  const written = Number(text);
  if (!Number.isFinite(written)) return text;
  if (Number.isInteger(written) && !Number.isSafeInteger(written) && /^-?\d+$/.test(text)) return text;
  const number = quiet(written);
  const shown = show?.text(number);
  if (shown === undefined || shown === String(number)) return number;
  return show?.currency === undefined ? { number, shown } : { number, shown, currency: show.currency };
}

import { format } from 'numfmt';
import type { ShownNumber } from '@atrium/platform/kernel';
import { LONGEST_CODE } from './number-formats';

/** Shows a number as text; undefined where its plain text is the one shown. */
export type NumberShow = (number: number) => string | undefined;

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
/** Formats that the library keeps for the process; those behind them leave a number plain. */
const MOST_CODES = 20_000;
const kept = new Set<string>();
/** Digits that spreadsheet programs count with; those behind them are noise of binary fractions. */
const DIGITS = 15;
const PLAIN = /^(?:general|@)?$/i;
/** The country of a currency, which would change the marks of this one format alone: a workbook has one way to write numbers. */
const COUNTRY = /\[\$([^\]-]*)-[^\]]*\]/g;

/** How numbers of a format are shown, from its number or its code. */
export function numberShow(id: number, code = BUILT_IN[id]): NumberShow | undefined {
  if (code === undefined || PLAIN.test(code) || code.length > LONGEST_CODE) return undefined;
  if (!kept.has(code) && kept.size >= MOST_CODES) return undefined;
  kept.add(code);
  const pattern = code.replace(COUNTRY, (_, sign: string) => (sign === '' ? '' : `[$${sign}]`));
  return (number) => {
    try {
      return format(pattern, number, { locale: 'en-US' }).replace(/\s+/g, ' ').trim();
    } catch {
      return undefined;
    }
  };
}

/** A number without the noise behind the digits that programs count with: 3.3 for 3.3000000000000003. */
const quiet = (number: number): number => (Number.isInteger(number) ? number : Number(number.toPrecision(DIGITS)));

/** The cell of a number: with its text where that is another. Whole numbers that no program can count with keep their digits as text. */
export function cellOfNumber(text: string, show: NumberShow | undefined): number | string | ShownNumber {
  const written = Number(text);
  if (!Number.isFinite(written)) return text;
  if (Number.isInteger(written) && !Number.isSafeInteger(written) && /^-?\d+$/.test(text)) return text;
  const number = quiet(written);
  const shown = show?.(number);
  return shown === undefined || shown === String(number) ? number : { number, shown };
}

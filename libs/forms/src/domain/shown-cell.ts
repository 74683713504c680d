import { idOfShown, localNumber, textOfShown, type ShownNumber } from '@atrium/platform/kernel';
import type { CellLocale } from './cell-locale';
import { decimalText } from './decimals';
import type { Field } from './field';

const NUMBERS = new Set(['number', 'integer', 'decimal', 'rating', 'auto_number']);
/** Digits and marks of a number; what is beside them names its currency. */
const OF_NUMBER = /[\d\s.,'()+\u2212-]+/g;
const SIGN = /^[$£]$/;
const DIGITS = 15;

/** The cell that a field reads of a number as its spreadsheet shows it: fields of numbers take the number, all others what people see. */
export function cellOfShown({ number, shown, currency }: ShownNumber, { type, unique }: Field, locale: CellLocale): string {
  const plain = (value: number): string => localNumber(decimalText(value), locale);
  if (NUMBERS.has(type.name)) return plain(number);
  // Spreadsheets store 7.5% as 0.075, fields of percent as 7.5.
  if (type.name === 'percent') return plain(shown.includes('%') ? Number((number * 100).toPrecision(DIGITS)) : number);
  if (type.name === 'currency') {
    const words = shown.replace(OF_NUMBER, ' ').trim();
    return `${plain(number)} ${(SIGN.test(words) ? currency : undefined) ?? words}`.trim();
  }
  return unique ? idOfShown({ number, shown }) : textOfShown({ number, shown });
}

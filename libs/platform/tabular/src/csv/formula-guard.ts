/** A number as people write them, which no spreadsheet takes for a formula. */
const NUMBER = /^[+-]?(?:\d+(?:[.,' ]\d+)*[.,]?|[.,]\d+)(?:e[+-]?\d+)?\s?%?$/i;
const FORMULA = /^'*[=+\-@]/;

/**
 * Whether a spreadsheet would take a text for a formula: it begins with = + - or @ and is no number. One that begins so behind
 * apostrophes counts as well, so that what the guard adds can be distinguished from what was there.
 */
const isFormula = (text: string): boolean => FORMULA.test(text) && !NUMBER.test(text.replace(/^'+/, ''));

/** A text as it goes into a CSV: with an apostrophe in front where a spreadsheet would run it. */
export const guardedCell = (text: string): string => (isFormula(text) ? `'${text}` : text);

/** The text that was guarded; any other text is as it was. */
export const unguardedCell = (text: string): string => (text.startsWith("'") && isFormula(text) ? text.slice(1) : text);

import { listedIn, unstorableIn } from '@atrium/forms';
import { idOfShown, isShownNumber, normalized, textOfShown, type FieldFault, type JsonValue } from '@atrium/platform/kernel';

/** What a cell of a property says, or what is wrong with it. */
export type OwnCell<T> = { readonly says: T } | { readonly fault: FieldFault };

interface OwnText {
  readonly longest?: number;
  /** Letters with their marks apart are those in one piece, and a number of a spreadsheet has no marks between its digits. */
  readonly isId?: boolean;
  readonly isAddress?: boolean;
  /** Whether it may have line breaks and tabs. */
  readonly breaks?: boolean;
}

/** An empty cell says nothing. */
export const isEmptyCell = (value: JsonValue | undefined): value is undefined | null | string =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

/** What a number of a spreadsheet says where a text is wanted: as it is shown, or without the marks between its digits where it is an id. */
export const shownCell = (value: JsonValue, { isId = false }: Pick<OwnText, 'isId'> = {}): JsonValue =>
  !isShownNumber(value) ? value : isId ? idOfShown(value) : textOfShown(value);

/** A property that is a text: a name, an id, an address. */
export function textCell(
  column: string,
  cell: JsonValue,
  { longest = Infinity, isId = false, isAddress = false, breaks = false }: OwnText = {},
): OwnCell<string> {
  const value = shownCell(cell, { isId });
  if (typeof value === 'object') return misfit(column, 'type', 'must be a text');
  const text = isId ? normalized(String(value).trim(), 'NFC') : String(value).trim();
  if (text.length > longest) return misfit(column, 'length', `must have at most ${longest.toLocaleString('en')} characters`);
  const sign = unstorableIn(text, breaks);
  if (sign !== undefined) return misfit(column, 'format', `must not have ${sign}`);
  if (isAddress && !isWebAddress(text)) return misfit(column, 'format', 'must be a URL with http or https');
  return { says: text };
}

/** A property that lists texts: `a; b`, or a list of JSON. */
export function listCell(column: string, cell: JsonValue, most: number): OwnCell<string[]> {
  const value = shownCell(cell);
  const says = Array.isArray(value) ? value.map((one) => String(one).trim()).filter((one) => one !== '') : listedIn(textOfCell(value));
  return says.length > most ? misfit(column, 'length', `must have at most ${most.toLocaleString('en')} entries`) : { says };
}

export const textOfCell = (value: JsonValue): string => (typeof value === 'object' ? JSON.stringify(value) : String(value));

const misfit = (path: string, code: string, message: string): { readonly fault: FieldFault } => ({ fault: { path, code, message } });

const isWebAddress = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);

import { idOfShown, isShownNumber, textOfShown, type JsonValue } from '@atrium/platform/kernel';

/** An empty cell says nothing. */
export const isEmptyCell = (value: JsonValue | undefined): value is undefined | null | string =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

/** What a number of a spreadsheet says where a text is wanted: as it is shown, or without the marks between its digits where it is an id. */
export const shownCell = (value: JsonValue, { isId = false }: { readonly isId?: boolean } = {}): JsonValue =>
  !isShownNumber(value) ? value : isId ? idOfShown(value) : textOfShown(value);

import { type FieldFault, idOfShown, isShownNumber, textOfShown, type JsonValue } from '@atrium/platform/kernel';
import type { ImportMapping } from './import-order';
import type { RowKind } from './row-kind';

/** An empty cell says nothing. */
export const isEmptyCell = (value: JsonValue | undefined): value is undefined | null | string =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

/** What a number of a spreadsheet says where a text is wanted: as it is shown, or without the marks between its digits where it is an id. */
export const shownCell = (value: JsonValue, { isId = false }: { readonly isId?: boolean } = {}): JsonValue =>
  !isShownNumber(value) ? value : isId ? idOfShown(value) : textOfShown(value);

/** Why a row was not taken. */
export interface RowFaults {
  /** As it counts in its file. */
  readonly row: number;
  /** The path of each is a column where one is to blame. */
  readonly faults: readonly FieldFault[];
}

/** The row itself could not be read. */
export const unreadableRow = (message: string): FieldFault => ({ path: '', code: 'unreadable', message });

/** An upsert cannot find what a row without a key would change. */
export const missingKey = (key: string, mapping: ImportMapping): FieldFault => ({
  path: columnOf(key, mapping),
  code: 'required',
  message: `The row has no value for the key ${key}.`,
});

/** Of several rows with one key the last one counts. */
export const repeatedKey = (key: string, mapping: ImportMapping, row: number): FieldFault => ({
  path: columnOf(key, mapping),
  code: 'duplicate_key',
  message: `Row ${row} has the same key and was taken instead.`,
});

/** A fault of a stored row in the words of its table: the column that says the field. */
export function columnOfFault({ content }: RowKind, { path, code, message }: FieldFault, mapping: ImportMapping): FieldFault {
  const field = path.startsWith(`${content}.`) ? path.slice(content.length + 1) : path;
  const column = Object.keys(mapping).find((name) => {
    const target = mapping[name];
    return (
      target !== null && target !== undefined && (field === target || field.startsWith(`${target}.`) || field.startsWith(`${target}[`))
    );
  });
  return { path: column ?? field, code, message };
}

const columnOf = (target: string, mapping: ImportMapping): string =>
  Object.keys(mapping).find((column) => mapping[column] === target) ?? target;

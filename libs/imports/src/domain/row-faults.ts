import type { FieldFault } from '@atrium/platform/kernel';
import type { ImportMapping } from './import-order';
import type { RowKind } from './row-kind';

/** Why a row was not taken. */
export interface RowFaults {
  /** As it counts in its file. */
  readonly row: number;
  /** The path of each is a column where one is to blame. */
  readonly faults: readonly FieldFault[];
}

/** Faults of one row that are listed; the last one says how many others there are, and has their code where all are values that are taken. */
const MOST_OF_A_ROW = 50;

/** A row that is not taken, with as many of its faults as are listed. */
export function refusedRow(row: number, faults: readonly FieldFault[]): RowFaults {
  if (faults.length <= MOST_OF_A_ROW) return { row, faults };
  const listed = faults.slice(0, MOST_OF_A_ROW - 1);
  const others = (faults.length - listed.length).toLocaleString('en');
  // By any other code the row would be refused whatever is written before it.
  const code = faults.every((fault) => fault.code === 'unique') ? 'unique' : 'more';
  return { row, faults: [...listed, { path: '', code, message: `The row has ${others} more faults, which are not listed.` }] };
}

/** The row itself could not be read. */
export const unreadableRow = (message: string): FieldFault => ({ path: '', code: 'unreadable', message });

/** An upsert cannot find what a row without a key would change. */
export const missingKey = (key: string, columns: ColumnsOfTargets): FieldFault => ({
  path: columns.findColumn(key) ?? key,
  code: 'required',
  message: `The row has no value for the key ${key}.`,
});

/** Of several rows with one key the last one counts. */
export const repeatedKey = (key: string, columns: ColumnsOfTargets, row: number): FieldFault => ({
  path: columns.findColumn(key) ?? key,
  code: 'duplicate_key',
  message: `Row ${row} has the same key and was taken instead.`,
});

/** The columns of a table by what they say. */
export class ColumnsOfTargets {
  private readonly columns = new Map<string, string>();

  constructor(mapping: ImportMapping) {
    for (const [column, target] of Object.entries(mapping))
      if (target !== null && !this.columns.has(target)) this.columns.set(target, column);
  }

  /** The column that says a field, or what the field is a part of. */
  findColumn(field: string): string | undefined {
    for (let end = field.length; end > 0; end = Math.max(field.lastIndexOf('.', end - 1), field.lastIndexOf('[', end - 1))) {
      const column = this.columns.get(field.slice(0, end));
      if (column !== undefined) return column;
    }
    return undefined;
  }
}

/** A fault of a stored row in the words of its table: the column that says the field. */
export function columnOfFault({ content }: RowKind, { path, code, message }: FieldFault, columns: ColumnsOfTargets): FieldFault {
  const field = path.startsWith(`${content}.`) ? path.slice(content.length + 1) : path;
  return { path: columns.findColumn(field) ?? field, code, message };
}

import { invalidFields, type FieldFault, type JsonValue } from '@atrium/platform/kernel';
import { unguardedCell } from './csv/formula-guard';
import { shownText, type Row } from './row';

/** A row by the names of its columns. */
export interface TableRecord {
  /** As the row counts in its file. */
  readonly number: number;
  /** Cells that are empty are null, and those behind the last one of their row too. */
  readonly values: Readonly<Record<string, JsonValue>>;
  /** Why the row could not be read, or is no row of this table; the rows behind it were read. */
  readonly fault?: string;
}

/** Columns by the names in the first row that holds something. */
export interface Header {
  readonly row: number;
  readonly columns: readonly string[];
}

/** Reads a header; a name that is missing or occurs twice is a problem that names the columns. */
function headerOf(row: Row | undefined): Header {
  if (!row)
    throw invalidFields([{ path: 'header', code: 'missing', message: 'The table has no rows. Its first one must name the columns.' }]);
  if (row.fault !== undefined) throw invalidFields([{ path: 'header', code: 'unreadable', message: `Row ${row.number}: ${row.fault}` }]);
  const columns = row.cells.map((cell) => shownText(cell).trim());
  const faults = [...missingNames(columns), ...repeatedNames(columns)];
  if (faults.length > 0) throw invalidFields(faults);
  return { row: row.number, columns };
}

const missingNames = (columns: readonly string[]): FieldFault[] =>
  columns.flatMap((name, at) =>
    name === '' ? [{ path: `header.${at + 1}`, code: 'missing', message: `Column ${at + 1} has no name in the first row.` }] : [],
  );

function repeatedNames(columns: readonly string[]): FieldFault[] {
  const places = new Map<string, number[]>();
  for (const [at, name] of columns.entries()) if (name !== '') places.set(name, [...(places.get(name) ?? []), at + 1]);
  return [...places].flatMap(([name, at]) =>
    at.length > 1
      ? [{ path: `header.${at[1]}`, code: 'duplicate', message: `The columns ${at.join(' and ')} are both named "${name}". Rename one.` }]
      : [],
  );
}

/** The rows under a header as records. `guards`: formulas of the file have an apostrophe, which is removed. */
export async function* recordsOf(rows: AsyncIterable<Row>, guards: boolean): AsyncGenerator<TableRecord, void> {
  let header: Header | undefined;
  for await (const row of rows) {
    if (!header) header = headerOf(row);
    else yield recordOf(row, header, guards);
  }
  if (!header) headerOf(undefined);
}

function recordOf({ number, cells, fault }: Row, { columns }: Header, guards: boolean): TableRecord {
  if (fault !== undefined) return { number, values: {}, fault };
  if (cells.length > columns.length) {
    return { number, values: {}, fault: `The row has ${cells.length} cells, but the header names ${columns.length} columns.` };
  }
  const values = Object.fromEntries(
    columns.map((name, at): [string, JsonValue] => {
      const cell = cells[at] ?? null;
      return [name, guards && typeof cell === 'string' ? unguardedCell(cell) : cell];
    }),
  );
  return { number, values };
}

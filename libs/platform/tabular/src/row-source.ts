import { assertExact, invalidFields, type JsonObject } from '@atrium/platform/kernel';
import type { TabularLimits } from './limits';
import { tooMany, tooWide } from './problems';
import type { TableRecord } from './records';
import { shownText } from './row';
import type { Table, TabularFormat } from './tabular';

/** The rows of a table by the names of its columns, as often as they are asked for. */
export interface RowSource {
  readonly format: TabularFormat | 'rows';
  readonly encoding: string | null;
  readonly delimiter: string | null;
  /** Columns as far as they are known: of JSON those of the first rows. */
  columns(): Promise<readonly string[]>;
  rows(): AsyncIterable<TableRecord>;
  close(): Promise<void>;
}

const FIRST_ROWS = 100;

/** The rows of one sheet of an opened table; closing it closes the table. */
export function rowsOfTable(table: Table, sheet?: string): RowSource {
  const rows = (): AsyncIterable<TableRecord> => table.records(sheet);
  return {
    format: table.format,
    encoding: table.encoding,
    delimiter: table.delimiter,
    columns: () => (table.format === 'json' || table.format === 'jsonl' ? keysOf(rows(), table.maxColumns) : headerOf(table, sheet)),
    rows,
    close: () => table.close(),
  };
}

/**
 * Rows that came as JSON, counted from 1; with more columns than `maxColumns` they are refused, and so are whole numbers that may have lost
 * digits when they were parsed.
 */
export function rowsOfJson(values: readonly JsonObject[], { maxColumns }: Pick<TabularLimits, 'maxColumns'>): RowSource {
  assertExact('rows', values);
  async function* rows(): AsyncGenerator<TableRecord> {
    for (const [at, row] of values.entries()) yield { number: at + 1, values: row };
  }
  return {
    format: 'rows',
    encoding: null,
    delimiter: null,
    // All of them are there, so that a column that the first ones leave out is one as well.
    columns: () => keysOf(rows(), maxColumns, Infinity),
    rows,
    close: () => Promise.resolve(),
  };
}

/** What a table says of itself: its columns, first rows and how many there are. */
export interface TableSnapshot {
  readonly columns: readonly string[];
  readonly rows: readonly TableRecord[];
  /** 0 where no rows are shown. */
  readonly total: number;
  readonly encoding: string | null;
  readonly delimiter: string | null;
}

/** Looks at a table and closes it; where no rows are to be shown they are not counted either. */
export async function lookAt(source: RowSource, shown: number): Promise<TableSnapshot> {
  try {
    const columns = await source.columns();
    const rows: TableRecord[] = [];
    let total = 0;
    if (shown > 0) for await (const row of source.rows()) if (++total <= shown) rows.push(row);
    return { columns, rows, total, encoding: source.encoding, delimiter: source.delimiter };
  } finally {
    await source.close();
  }
}

/** The header is read even where no row follows it. */
async function headerOf(table: Table, sheet: string | undefined): Promise<readonly string[]> {
  for await (const { values, fault } of table.records(sheet)) if (fault === undefined) return Object.keys(values);
  for await (const { cells } of table.rows(sheet)) return cells.map((cell) => shownText(cell).trim());
  return [];
}

async function keysOf(rows: AsyncIterable<TableRecord>, most: number, firstRows = FIRST_ROWS): Promise<readonly string[]> {
  const columns = new Set<string>();
  let read = 0;
  let unread: TableRecord | undefined;
  for await (const row of rows) {
    const { values, fault } = row;
    if (fault !== undefined && (unread === undefined || fault === tooWide(most))) unread = row;
    for (const name of Object.keys(values)) columns.add(name);
    if (columns.size > most) throw tooMany('table', most, 'columns');
    if (++read === firstRows) break;
  }
  if (columns.size > 0) return [...columns];
  if (unread?.fault === tooWide(most)) throw tooMany('table', most, 'columns');
  if (unread) throw invalidFields([{ path: 'header', code: 'unreadable', message: `Row ${unread.number}: ${unread.fault}` }]);
  throw invalidFields([{ path: 'header', code: 'missing', message: 'The table has no rows. Every row is an object by column.' }]);
}

const FORMATS: readonly TabularFormat[] = ['csv', 'tsv', 'xlsx', 'jsonl', 'json'];

/** The kind of table by the name of its file. */
export function formatOfName(name: string): TabularFormat | undefined {
  const extension = /\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase();
  if (extension === 'ndjson') return 'jsonl';
  return extension === 'txt' ? 'csv' : FORMATS.find((format) => format === extension);
}

import { invalidField, type JsonValue } from '@atrium/platform/kernel';
import { DECLARED, sniffDelimiter } from './csv/delimiter';
import { delimitedRows } from './csv/delimited-rows';
import { writeDelimited, type WriteOptions } from './csv/write';
import { decodedText, encodingOf, knownEncoding, textOfBytes } from './encoding';
import { jsonArray, jsonLines } from './json/json-records';
import { TABULAR_LIMITS, type TabularLimits } from './limits';
import { tooLarge } from './problems';
import { recordsOf, type TableRecord } from './records';
import type { Cell, Row, SheetName } from './row';
import { StoredSource, type TabularSource } from './stored-source';
import { Workbook } from './xlsx/workbook';

/** Bytes at the beginning that decide about the delimiter. */
const DELIMITER_SAMPLE_BYTES = 256 * 1024;

/** `tsv` is delimited text whose delimiter is not sniffed; `json` is one array of objects, `jsonl` an object on each line. */
export type TabularFormat = 'csv' | 'tsv' | 'xlsx' | 'jsonl' | 'json';

export interface ReadOptions {
  readonly format: TabularFormat;
  /** By its name; the first one that is not hidden unless said otherwise. Of workbooks alone. */
  readonly sheet?: string | undefined;
  /** Detected unless said. */
  readonly delimiter?: string | undefined;
  /** Detected unless said. */
  readonly encoding?: string | undefined;
  /** Every cell of a merged range holds its value, not the first one alone. */
  readonly fillMerged?: boolean | undefined;
  readonly limits?: Partial<TabularLimits> | undefined;
  /** What the file is called in the sentences of problems. */
  readonly what?: string | undefined;
}

/** An opened table: what was found out about it, and its rows, as often as they are asked for. */
export interface Table {
  readonly format: TabularFormat;
  readonly encoding: string | null;
  /** Nothing says what the encoding is: it is the likeliest. */
  readonly isEncodingGuessed: boolean;
  readonly delimiter: string | null;
  /** Of workbooks; no names for the others. */
  readonly sheets: readonly SheetName[];
  /** Columns that it may have; of JSON all names together by which its rows call their values. */
  readonly maxColumns: number;
  /** Rows of a grid, of one sheet. JSON has records only. */
  rows(sheet?: string): AsyncIterable<Row>;
  /** Rows under a header, or objects. A header that is incomplete ends it with a problem that names the columns. */
  records(sheet?: string): AsyncIterable<TableRecord>;
  close(): Promise<void>;
}

/**
 * The one reader and writer of tables. Everything is read as it flows and within bounds: what is beyond them, damaged or
 * protected ends with a problem whose sentence can be shown; a single row that cannot be read is reported with its number.
 */
export class Tabular {
  static async open(source: TabularSource, options: ReadOptions): Promise<Table> {
    const limits = { ...TABULAR_LIMITS, ...options.limits };
    const what = options.what ?? 'file';
    const stored = await StoredSource.of(source, limits.maxBytes, what);
    try {
      const inside: Inside = { options, limits, what };
      return options.format === 'xlsx' ? await openWorkbook(stored, inside) : await openText(stored, inside);
    } catch (error) {
      await stored.remove();
      throw error;
    }
  }

  /** The rows of a table that is opened for them and closed behind them. */
  static async *read(source: TabularSource, options: ReadOptions): AsyncGenerator<Row, void> {
    const table = await Tabular.open(source, options);
    try {
      yield* table.rows(options.sheet);
    } finally {
      await table.close();
    }
  }

  /** The records of a table that is opened for them and closed behind them. */
  static async *records(source: TabularSource, options: ReadOptions): AsyncGenerator<TableRecord, void> {
    const table = await Tabular.open(source, options);
    try {
      yield* table.records(options.sheet);
    } finally {
      await table.close();
    }
  }

  /** Rows as the text of a csv or tsv, in pieces, with formulas guarded. The first row is the header. */
  static write(rows: AsyncIterable<readonly Cell[]> | Iterable<readonly Cell[]>, options: WriteOptions): AsyncGenerator<string, void> {
    return writeDelimited(rows, options);
  }

  /** Objects as JSON lines, in pieces. */
  static async *writeLines(objects: AsyncIterable<JsonValue> | Iterable<JsonValue>): AsyncGenerator<string, void> {
    for await (const object of objects) yield `${JSON.stringify(object)}\n`;
  }
}

interface Inside {
  readonly options: ReadOptions;
  readonly limits: TabularLimits;
  readonly what: string;
}

async function openWorkbook(stored: StoredSource, { options, limits, what }: Inside): Promise<Table> {
  const workbook = await Workbook.open(stored.source, { limits, what, fillMerged: options.fillMerged ?? false });
  const rows = (name = options.sheet): AsyncIterable<Row> => bounded(workbook.rows(sheetOf(workbook, name)), limits, what);
  return {
    format: 'xlsx',
    encoding: null,
    isEncodingGuessed: false,
    delimiter: null,
    sheets: workbook.sheets.map(({ name, hidden }) => ({ name, hidden })),
    maxColumns: limits.maxColumns,
    rows,
    records: (name) => recordsOf(rows(name), false),
    close: async () => {
      workbook.close();
      await stored.remove();
    },
  };
}

function sheetOf(workbook: Workbook, name: string | undefined): Workbook['sheets'][number] {
  const { sheets } = workbook;
  const found = name === undefined ? (sheets.find(({ hidden }) => !hidden) ?? sheets[0]) : sheets.find((sheet) => sheet.name === name);
  if (found) return found;
  if (name === undefined) throw invalidField('sheet', 'The workbook has no sheet with rows.');
  throw invalidField('sheet', `There is no sheet "${name}". Its sheets are: ${sheets.map((sheet) => `"${sheet.name}"`).join(', ')}.`);
}

async function openText(stored: StoredSource, { options, limits, what }: Inside): Promise<Table> {
  const { format } = options;
  const { encoding, by } =
    options.encoding === undefined ? await encodingOf(stored.bytes()) : { encoding: knownEncoding(options.encoding), by: 'label' };
  const isEncodingGuessed = by === 'guess';
  const text = (): AsyncIterable<string> => decodedText(stored.bytes(), encoding);
  const close = (): Promise<void> => stored.remove();
  if (format === 'json' || format === 'jsonl') {
    const records = format === 'json' ? jsonArray : jsonLines;
    return {
      format,
      encoding,
      isEncodingGuessed,
      delimiter: null,
      sheets: [],
      maxColumns: limits.maxColumns,
      rows: () => {
        throw new Error('JSON has records, not rows.');
      },
      records: () => bounded(records(text(), { limits, what }), limits, what),
      close,
    };
  }
  const { sample, whole } = await stored.beginning(DELIMITER_SAMPLE_BYTES);
  const start = textOfBytes(sample, encoding);
  const delimiter = options.delimiter ?? (format === 'tsv' ? '\t' : sniffDelimiter(start, whole));
  const skipped = DECLARED.exec(start)?.[0].length ?? 0;
  const rows = (): AsyncIterable<Row> => bounded(delimitedRows(from(text(), skipped), { delimiter, limits, what }), limits, what);
  const records = (): AsyncIterable<TableRecord> => recordsOf(rows(), true);
  return { format, encoding, isEncodingGuessed, delimiter, sheets: [], maxColumns: limits.maxColumns, rows, records, close };
}

async function* bounded<T>(rows: AsyncIterable<T>, { maxRows }: TabularLimits, what: string): AsyncGenerator<T, void> {
  let count = 0;
  for await (const row of rows) {
    if (++count > maxRows) throw tooLarge(what, `${maxRows.toLocaleString('en-US')} rows`);
    yield row;
  }
}

/** Text without its first characters, which stand in its first piece. */
async function* from(text: AsyncIterable<string>, skipped: number): AsyncGenerator<string> {
  let left = skipped;
  for await (const piece of text) {
    yield piece.slice(left);
    left = Math.max(0, left - piece.length);
  }
}

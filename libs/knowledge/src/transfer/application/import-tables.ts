import { Injectable } from '@nestjs/common';
import { Bytes, FileEdits } from '@atrium/files';
import type { Principal } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { invalidField, invalidFields, notFound, Problem, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import { Tabular, type Table, type TabularFormat } from '@atrium/platform/tabular';
import { formatOf, IMPORT_LIMITS, MOST_IMPORT_BYTES, type TableOrder } from '../domain/import-order';

/** A row by the names of its columns, or why it could not be read. */
export interface ImportRow {
  readonly number: number;
  readonly values: Readonly<Record<string, JsonValue>>;
  readonly fault?: string;
}

/** The rows of an import, as often as they are asked for. */
export interface ImportTable {
  readonly format: TabularFormat | 'rows';
  readonly encoding: string | null;
  readonly delimiter: string | null;
  /** Columns as far as they are known: of JSON those of the first rows. */
  columns(): Promise<readonly string[]>;
  rows(): AsyncIterable<ImportRow>;
  close(): Promise<void>;
}

interface ImportFile {
  readonly file_id: string;
  readonly file_hash: string;
  readonly format: TabularFormat;
}

const FIRST_ROWS = 100;
const PURPOSE = 'import';

/** Opens what is imported: rows of the request, or a file of the base that was uploaded for it. */
@Injectable()
export class ImportTables {
  constructor(
    private readonly db: Database,
    private readonly edits: FileEdits,
    private readonly bytes: Bytes,
  ) {}

  /** Finds the table; opens it when it is asked to, outside of any unit of work: the file is read from storage. */
  async find(caller: Principal, ds_id: string, order: TableOrder): Promise<() => Promise<ImportTable>> {
    const { rows } = order;
    if ((order.file_id === undefined) === (rows === undefined))
      throw invalidField('file_id', 'Name either a file or rows, not both.', 'one_of');
    if (rows) return () => Promise.resolve(inlineTable(rows));
    const file = await this.file(caller, ds_id, order);
    return () => this.read(file, order);
  }

  /** Close the table behind it. */
  async open(caller: Principal, ds_id: string, order: TableOrder): Promise<ImportTable> {
    return (await this.find(caller, ds_id, order))();
  }

  private async read({ file_id, file_hash, format }: ImportFile, { sheet, delimiter, encoding }: TableOrder): Promise<ImportTable> {
    const { stream } = await this.bytes.open(file_id, file_hash);
    return fileTable(await Tabular.open(stream, { format, sheet, delimiter, encoding, limits: IMPORT_LIMITS }), sheet);
  }

  /** The file of the base; anything else is answered like one that is not there. */
  private file(caller: Principal, ds_id: string, { file_id = '', format }: TableOrder): Promise<ImportFile> {
    return this.db.read(async () => {
      const file = await this.edits.look(caller, file_id);
      if (file.repo_type !== 'ds' || file.repo_id !== ds_id) throw notFound('file');
      if (file.file_metadata['purpose'] !== PURPOSE)
        throw invalidField('file_id', 'is no file for an import: upload it with file_metadata {"purpose": "import"}', 'purpose');
      if (file.file_size > MOST_IMPORT_BYTES) throw new Problem('payload_too_large', 'A file for an import has at most 50 MB. Split it.');
      if (file.file_hash === null) throw new Problem('invalid_state', 'The file is still being taken in. Try again shortly.');
      const known = format ?? formatOf(file.file_name);
      if (!known) throw invalidField('format', 'cannot be derived from the name of the file: give csv, tsv, xlsx, jsonl or json', 'format');
      return { file_id, file_hash: file.file_hash, format: known };
    });
  }
}

function fileTable(table: Table, sheet: string | undefined): ImportTable {
  const records = (): AsyncIterable<ImportRow> => table.records(sheet);
  return {
    format: table.format,
    encoding: table.encoding,
    delimiter: table.delimiter,
    columns: () => (table.format === 'json' || table.format === 'jsonl' ? columnsOf(records()) : headerOf(table, sheet)),
    rows: records,
    close: () => table.close(),
  };
}

/** The header is read even where no row follows it. */
async function headerOf(table: Table, sheet: string | undefined): Promise<readonly string[]> {
  for await (const { values, fault } of table.records(sheet)) if (fault === undefined) return Object.keys(values);
  for await (const { cells } of table.rows(sheet)) return cells.map((cell) => String(cell ?? '').trim());
  return [];
}

async function columnsOf(rows: AsyncIterable<ImportRow>): Promise<readonly string[]> {
  const columns = new Set<string>();
  let read = 0;
  for await (const { values } of rows) {
    for (const name of Object.keys(values)) columns.add(name);
    if (++read === FIRST_ROWS) break;
  }
  if (columns.size === 0)
    throw invalidFields([{ path: 'header', code: 'missing', message: 'The table has no rows. Every row is an object by column.' }]);
  return [...columns];
}

function inlineTable(rows: readonly JsonObject[]): ImportTable {
  async function* records(): AsyncGenerator<ImportRow> {
    for (const [at, values] of rows.entries()) yield { number: at + 1, values };
  }
  return {
    format: 'rows',
    encoding: null,
    delimiter: null,
    columns: () => columnsOf(records()),
    rows: records,
    close: () => Promise.resolve(),
  };
}

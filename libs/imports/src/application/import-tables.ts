import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { Bytes, FileEdits } from '@atrium/files';
import type { Principal } from '@atrium/platform/access';
import { TableInspection } from '@atrium/platform/compute';
import { Database } from '@atrium/platform/database';
import { invalidField, notYet, Problem, resolveReference, type ProblemCode } from '@atrium/platform/kernel';
import {
  formatOfName,
  lookAt,
  rowsOfJson,
  rowsOfTable,
  Tabular,
  type ReadOptions,
  type RowSource,
  type TableSnapshot,
  type TabularFormat,
} from '@atrium/platform/tabular';
import { IMPORT_LIMITS, MOST_IMPORT_BYTES, type TableOrder } from '../domain/import-order';

/** A table outside of any unit of work: files are read from storage. */
export interface FoundTable {
  /** JSON, whose numbers are those of machines, in texts as well. */
  readonly isJson: boolean;
  /** For a run, in a worker. Close it after use. */
  openRows(): Promise<RowSource>;
  /** Its columns and first rows, for a request: a file is opened in a bounded process. */
  inspectTable(shown?: number): Promise<TableSnapshot>;
}

/** What is known of a table before its rows are read. */
export interface KnownTable {
  readonly columns: readonly string[];
  readonly isJson: boolean;
}

/** A file that the caller may read. */
export type ImportFile = Awaited<ReturnType<FileEdits['requireVisibleFile']>>;

interface FileToRead {
  readonly file_id: string;
  readonly file_hash: string;
  readonly format: TabularFormat;
}

const JSON_FORMATS: ReadonlySet<TabularFormat> = new Set(['json', 'jsonl']);

/** What a file says of itself when it is read. */
const OF_THE_FILE: ReadonlySet<ProblemCode> = new Set(['payload_too_large', 'unprocessable_content']);

/** Opens what is imported: rows of the request, or a file that the caller may read. */
@Injectable()
export class ImportTables {
  constructor(
    private readonly db: Database,
    private readonly edits: FileEdits,
    private readonly bytes: Bytes,
    private readonly looks: TableInspection,
  ) {}

  /** Finds the table: what is wrong with the request is said before anything is read. `demand` refuses files that this import does not take. */
  async resolveTable(caller: Principal, order: TableOrder, demand: (file: ImportFile) => void = () => undefined): Promise<FoundTable> {
    const { rows } = order;
    if ((order.file_id === undefined) === (rows === undefined))
      throw invalidField('file_id', rows === undefined ? 'Send a file or rows.' : 'Send either a file or rows, not both.', 'one_of');
    if (rows) {
      const source = (): RowSource => rowsOfJson(rows, IMPORT_LIMITS);
      return { isJson: true, openRows: () => Promise.resolve(source()), inspectTable: (shown = 0) => lookAt(source(), shown) };
    }
    const file = await this.findFile(caller, order, demand);
    return {
      isJson: JSON_FORMATS.has(file.format),
      openRows: () => this.openRows(file, order),
      inspectTable: async (shown = 0) => this.looks.inspectTable(await this.openBytes(file), optionsOf(file, order), shown),
    };
  }

  private async openRows(file: FileToRead, order: TableOrder): Promise<RowSource> {
    return rowsOfTable(await Tabular.open(await this.openBytes(file), optionsOf(file, order)), order.sheet);
  }

  private async openBytes({ file_id, file_hash }: FileToRead): Promise<Readable> {
    return (await this.bytes.openBytes(file_id, file_hash)).stream;
  }

  private findFile(caller: Principal, { file_id = '', format }: TableOrder, demand: (file: ImportFile) => void): Promise<FileToRead> {
    return this.db.read(async () => {
      const file = await resolveReference('file_id', 'file', () => this.edits.requireVisibleFile(caller, file_id), { look: true });
      demand(file);
      if (file.file_size > MOST_IMPORT_BYTES) throw new Problem('payload_too_large', 'A file for an import has at most 50 MB. Split it.');
      if (file.file_hash === null) throw notYet('The file is still being processed. Try again shortly.', 2);
      const known = format ?? formatOfName(file.file_name);
      if (!known) throw invalidField('format', 'cannot be derived from the name of the file: name csv, tsv, xlsx, jsonl or json', 'format');
      return { file_id, file_hash: file.file_hash, format: known };
    });
  }
}

/**
 * The columns of a table that a request names. A header that names no columns is a fault of the request; what else is wrong with a file is
 * found when its job reads it: undefined.
 */
export async function knownTable(table: FoundTable): Promise<KnownTable | undefined> {
  try {
    return { columns: (await table.inspectTable()).columns, isJson: table.isJson };
  } catch (error) {
    // What no bounded process could read is not read again by the job.
    if (error instanceof Problem && OF_THE_FILE.has(error.code) && !error.isMeasured) return undefined;
    throw error;
  }
}

const optionsOf = ({ format }: FileToRead, { sheet, delimiter, encoding }: TableOrder): ReadOptions => ({
  format,
  sheet,
  delimiter,
  encoding,
  limits: IMPORT_LIMITS,
});

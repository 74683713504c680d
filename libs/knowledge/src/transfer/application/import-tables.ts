import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { Bytes, FileEdits } from '@atrium/files';
import type { Principal } from '@atrium/platform/access';
import { TableLooks } from '@atrium/platform/compute';
import { Database } from '@atrium/platform/database';
import { invalidField, notYet, Problem, resolveReference, unknownReference } from '@atrium/platform/kernel';
import {
  formatOfName,
  lookAt,
  rowsOfJson,
  rowsOfTable,
  Tabular,
  type ReadOptions,
  type RowSource,
  type TableLook,
  type TableRecord,
  type TabularFormat,
} from '@atrium/platform/tabular';
import { IMPORT_LIMITS, MOST_IMPORT_BYTES, type TableOrder } from '../domain/import-order';

/** A row by the names of its columns, or why it could not be read. */
export type ImportRow = TableRecord;
/** The rows of an import, as often as they are asked for. */
export type ImportTable = RowSource;

/** A table outside of any unit of work: files are read from storage. */
export interface FoundTable {
  /** JSON, whose numbers are those of machines, in texts as well. */
  readonly isJson: boolean;
  /** For a run, in a worker. Close it after use. */
  open(): Promise<ImportTable>;
  /** Its columns and first rows, for a request: a file is opened in a bounded process. */
  look(shown?: number): Promise<TableLook>;
}

interface ImportFile {
  readonly file_id: string;
  readonly file_hash: string;
  readonly format: TabularFormat;
}

const PURPOSE = 'import';

const JSON_FORMATS: ReadonlySet<TabularFormat> = new Set(['json', 'jsonl']);

/** Opens what is imported: rows of the request, or a file of the base that was uploaded for it. */
@Injectable()
export class ImportTables {
  constructor(
    private readonly db: Database,
    private readonly edits: FileEdits,
    private readonly bytes: Bytes,
    private readonly looks: TableLooks,
  ) {}

  /** Finds the table: what is wrong with the request is said before anything is read. */
  async find(caller: Principal, ds_id: string, order: TableOrder): Promise<FoundTable> {
    const { rows } = order;
    if ((order.file_id === undefined) === (rows === undefined))
      throw invalidField('file_id', rows === undefined ? 'Send a file or rows.' : 'Send either a file or rows, not both.', 'one_of');
    if (rows) {
      const source = (): RowSource => rowsOfJson(rows, IMPORT_LIMITS);
      return { isJson: true, open: () => Promise.resolve(source()), look: (shown = 0) => lookAt(source(), shown) };
    }
    const file = await this.file(caller, ds_id, order);
    return {
      isJson: JSON_FORMATS.has(file.format),
      open: () => this.read(file, order),
      look: async (shown = 0) => this.looks.look(await this.stream(file), optionsOf(file, order), shown),
    };
  }

  private async read(file: ImportFile, order: TableOrder): Promise<ImportTable> {
    return rowsOfTable(await Tabular.open(await this.stream(file), optionsOf(file, order)), order.sheet);
  }

  private async stream({ file_id, file_hash }: ImportFile): Promise<Readable> {
    return (await this.bytes.open(file_id, file_hash)).stream;
  }

  /** The file of the base; anything else is answered like one that is not there. */
  private file(caller: Principal, ds_id: string, { file_id = '', format }: TableOrder): Promise<ImportFile> {
    return this.db.read(async () => {
      const file = await resolveReference('file_id', 'file', () => this.edits.look(caller, file_id), { look: true });
      if (file.repo_type !== 'ds' || file.repo_id !== ds_id) throw unknownReference('file_id', 'file of this base');
      if (file.file_metadata['purpose'] !== PURPOSE)
        throw invalidField('file_id', 'is not a file for an import: upload it with file_metadata {"purpose": "import"}', 'purpose');
      if (file.file_size > MOST_IMPORT_BYTES) throw new Problem('payload_too_large', 'A file for an import has at most 50 MB. Split it.');
      if (file.file_hash === null) throw notYet('The file is still being taken in. Try again shortly.', 2);
      const known = format ?? formatOfName(file.file_name);
      if (!known) throw invalidField('format', 'cannot be derived from the name of the file: give csv, tsv, xlsx, jsonl or json', 'format');
      return { file_id, file_hash: file.file_hash, format: known };
    });
  }
}

const optionsOf = ({ format }: ImportFile, { sheet, delimiter, encoding }: TableOrder): ReadOptions => ({
  format,
  sheet,
  delimiter,
  encoding,
  limits: IMPORT_LIMITS,
});

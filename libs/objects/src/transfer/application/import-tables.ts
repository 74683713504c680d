import { Injectable } from '@nestjs/common';
import { Bytes, FileEdits } from '@atrium/files';
import type { Principal } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { invalidField, invalidState, Problem } from '@atrium/platform/kernel';
import { formatOfName, rowsOfJson, rowsOfTable, Tabular, type RowSource, type TabularFormat } from '@atrium/platform/tabular';
import { IMPORT_LIMITS, MOST_IMPORT_BYTES, type TableOrder } from '../domain/import-order';

interface ImportFile {
  readonly file_id: string;
  readonly file_hash: string;
  readonly format: TabularFormat;
}

/** Opens what is imported: rows of the request, or any file that the caller may read. */
@Injectable()
export class ImportTables {
  constructor(
    private readonly db: Database,
    private readonly edits: FileEdits,
    private readonly bytes: Bytes,
  ) {}

  /** Finds the table; opens it when it is asked to, outside of any unit of work: the file is read from storage. */
  async find(caller: Principal, order: TableOrder): Promise<() => Promise<RowSource>> {
    const { rows } = order;
    if ((order.file_id === undefined) === (rows === undefined))
      throw invalidField('file_id', 'Name either a file or rows, not both.', 'one_of');
    if (rows) return () => Promise.resolve(rowsOfJson(rows));
    const file = await this.file(caller, order);
    return () => this.read(file, order);
  }

  /** Close the table after use. */
  async open(caller: Principal, order: TableOrder): Promise<RowSource> {
    return (await this.find(caller, order))();
  }

  private async read({ file_id, file_hash, format }: ImportFile, { sheet, delimiter, encoding }: TableOrder): Promise<RowSource> {
    const { stream } = await this.bytes.open(file_id, file_hash);
    return rowsOfTable(await Tabular.open(stream, { format, sheet, delimiter, encoding, limits: IMPORT_LIMITS }), sheet);
  }

  private file(caller: Principal, { file_id = '', format }: TableOrder): Promise<ImportFile> {
    return this.db.read(async () => {
      const file = await this.edits.look(caller, file_id);
      if (file.file_size > MOST_IMPORT_BYTES) throw new Problem('payload_too_large', 'A file for an import has at most 50 MB. Split it.');
      if (file.file_hash === null) throw invalidState('The file is still being processed. Try again shortly.');
      const known = format ?? formatOfName(file.file_name);
      if (!known) throw invalidField('format', 'cannot be derived from the name of the file: name csv, tsv, xlsx, jsonl or json', 'format');
      return { file_id, file_hash: file.file_hash, format: known };
    });
  }
}

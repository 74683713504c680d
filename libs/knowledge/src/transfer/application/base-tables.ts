import { Injectable } from '@nestjs/common';
import { ImportTables, type FoundTable, type ImportFile, type TableOrder } from '@atrium/imports';
import type { Principal } from '@atrium/platform/access';
import { invalidField, unknownReference } from '@atrium/platform/kernel';

const PURPOSE = 'import';

/** Tables of a base: rows of the request, or a file of the base that was uploaded for an import. */
@Injectable()
export class BaseTables {
  constructor(private readonly tables: ImportTables) {}

  resolveTable(caller: Principal, ds_id: string, order: TableOrder): Promise<FoundTable> {
    return this.tables.resolveTable(caller, order, (file) => {
      assertForImport(ds_id, file);
    });
  }
}

/** Any other file is answered like one that is not there. */
function assertForImport(ds_id: string, { repo_type, repo_id, file_metadata }: ImportFile): void {
  if (repo_type !== 'ds' || repo_id !== ds_id) throw unknownReference('file_id', 'file of this base');
  if (file_metadata['purpose'] !== PURPOSE)
    throw invalidField('file_id', 'is not a file for an import: upload it with file_metadata {"purpose": "import"}', 'purpose');
}

import { Injectable } from '@nestjs/common';
import { previewTable, type ImportPreview, type TableOrder } from '@atrium/imports';
import type { Principal } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { BaseAccess } from '../../bases/application/base-access';
import { BaseTables } from './base-tables';
import { ImportReadings } from './import-reading';
import { isRecordKey } from './record-columns';

/** Shows what an import would read; stores nothing. */
@Injectable()
export class ImportPreviews {
  constructor(
    private readonly db: Database,
    private readonly access: BaseAccess,
    private readonly tables: BaseTables,
    private readonly readings: ImportReadings,
  ) {}

  async previewImport(caller: Principal, ds_id: string, order: TableOrder): Promise<ImportPreview> {
    const base = await this.db.read(() => this.access.requireReadable(caller, ds_id, 'edit'));
    return previewTable(await this.tables.resolveTable(caller, ds_id, order), async (columns) => {
      const form = await this.db.read(() => this.readings.findFormOfImport(base.form_id));
      return { mapping: this.readings.suggestMapping(form, columns), typeOf: (target) => typeOf(target, form?.field(target)?.type.name) };
    });
  }
}

const typeOf = (target: string, type: string | undefined): string =>
  isRecordKey(target) ? (target === 'rec_tags' ? 'tags' : 'text') : (type ?? 'rich_text');

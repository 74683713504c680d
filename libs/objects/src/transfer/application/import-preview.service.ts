import { Injectable } from '@nestjs/common';
import type { CompiledForm } from '@atrium/forms';
import { ImportTables, previewTable, type ImportPreview, type TableOrder } from '@atrium/imports';
import type { Principal } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { ImportReadings } from './import-reading';
import { isObjectColumn } from './object-columns';

/** A table that is looked at for objects of a schema. */
interface PreviewOrder extends TableOrder {
  readonly obj_form: string;
}

/** Shows what an import would read; stores nothing. */
@Injectable()
export class ImportPreviews {
  constructor(
    private readonly db: Database,
    private readonly tables: ImportTables,
    private readonly readings: ImportReadings,
  ) {}

  async previewImport(caller: Principal, order: PreviewOrder): Promise<ImportPreview> {
    const form = await this.db.read(() => this.readings.openSchema(order.obj_form));
    return previewTable(await this.tables.resolveTable(caller, order), (columns) => ({
      mapping: this.readings.suggestMapping(form, columns),
      typeOf: (target) => typeOf(target, form.compiled),
    }));
  }
}

const typeOf = (target: string, form: CompiledForm): string =>
  form.field(target)?.type.name ?? (isObjectColumn(target) && target === 'obj_terms' ? 'taxonomy' : 'text');

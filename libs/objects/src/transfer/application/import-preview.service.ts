import { Injectable } from '@nestjs/common';
import type { CompiledForm } from '@atrium/forms';
import type { Principal } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { samplesOf } from '@atrium/platform/tabular';
import { isShownNumber, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import type { TableOrder } from '@atrium/imports';
import { ImportReadings } from './import-reading';
import { ImportTables } from './import-tables';
import { isObjectColumn } from './object-columns';

/** What an import would read. */
export interface Preview {
  readonly columns: readonly {
    readonly name: string;
    readonly samples: readonly string[];
    readonly suggested_field: string | null;
    readonly type: string | null;
  }[];
  readonly rows: readonly JsonObject[];
  readonly total_estimate: number;
  readonly encoding: string | null;
  readonly delimiter: string | null;
}

/** A table that is looked at for objects of a schema. */
interface PreviewOrder extends TableOrder {
  readonly obj_form: string;
}

const SHOWN_ROWS = 20;

/** Shows what an import would read; stores nothing. */
@Injectable()
export class ImportPreviews {
  constructor(
    private readonly db: Database,
    private readonly tables: ImportTables,
    private readonly readings: ImportReadings,
  ) {}

  async preview(caller: Principal, order: PreviewOrder): Promise<Preview> {
    const form = await this.db.read(() => this.readings.schema(order.obj_form));
    const table = await this.tables.find(caller, order);
    const { columns, rows, total, encoding, delimiter } = await table.look(SHOWN_ROWS);
    const mapping = this.readings.suggest(form, columns);
    return {
      columns: columns.map((name) => {
        const field = mapping[name] ?? null;
        return {
          name,
          samples: samplesOf(rows, name),
          suggested_field: field,
          type: field === null ? null : typeOf(field, form.compiled),
        };
      }),
      rows: rows.map(({ values }) => Object.fromEntries(Object.entries(values).map(([name, value]) => [name, shownOf(value)]))),
      total_estimate: total,
      encoding,
      delimiter,
    };
  }
}

/** People see numbers of a spreadsheet as it shows them. */
const shownOf = (value: JsonValue): JsonValue => (isShownNumber(value) ? value.shown : value);

const typeOf = (target: string, form: CompiledForm): string =>
  form.field(target)?.type.name ?? (isObjectColumn(target) && target === 'obj_terms' ? 'taxonomy' : 'text');

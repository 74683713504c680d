import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { isShownNumber, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import { samplesOf } from '@atrium/platform/tabular';
import { BaseAccess } from '../../bases/application/base-access';
import type { TableOrder } from '@atrium/imports';
import { isRecordKey } from './record-columns';
import { ImportReadings } from './import-reading';
import { ImportTables } from './import-tables';

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

const SHOWN_ROWS = 20;

/** Shows what an import would read; stores nothing. */
@Injectable()
export class ImportPreviews {
  constructor(
    private readonly db: Database,
    private readonly access: BaseAccess,
    private readonly tables: ImportTables,
    private readonly readings: ImportReadings,
  ) {}

  async preview(caller: Principal, ds_id: string, order: TableOrder): Promise<Preview> {
    const base = await this.db.read(() => this.access.readable(caller, ds_id, 'edit'));
    const table = await this.tables.find(caller, ds_id, order);
    const { columns, rows, total, encoding, delimiter } = await table.look(SHOWN_ROWS);
    const form = await this.db.read(() => this.readings.formOf(base.form_id));
    const mapping = this.readings.suggest(form, columns);
    return {
      columns: columns.map((name) => {
        const field = mapping[name] ?? null;
        return {
          name,
          samples: samplesOf(rows, name),
          suggested_field: field,
          type: field === null ? null : typeOf(field, form?.field(field)?.type.name),
        };
      }),
      rows: rows.map(({ values }) => Object.fromEntries(Object.entries(values).map(([name, value]) => [name, shownOf(value)]))),
      total_estimate: total,
      encoding,
      delimiter,
    };
  }
}

const typeOf = (target: string, type: string | undefined): string =>
  isRecordKey(target) ? (target === 'rec_tags' ? 'tags' : 'text') : (type ?? 'rich_text');

/** People see numbers of a spreadsheet as it shows them. */
const shownOf = (value: JsonValue): JsonValue => (isShownNumber(value) ? value.shown : value);

import { Injectable } from '@nestjs/common';
import { demandWritable, FormRows, Forms, type FormRow, type OpenForm } from '@atrium/forms';
import { Database, requireScope, sql } from '@atrium/platform/database';
import { invalidField, Problem, type JsonValue } from '@atrium/platform/kernel';
import type { ObjectFacts } from '../../objects/domain/object-change';
import type { ImportMapping, ImportOrder } from '../domain/import-order';
import { checkKey, checkMapping, EXTERNAL_ID, keyIn, RowReader, suggestedMapping } from './object-columns';

const KIND = 'object';

/** How the rows of one import are read. */
export interface ImportReading {
  readonly mapping: ImportMapping;
  readonly reader: RowReader;
  /** What an object is found by, as the row says it; null: it says none. */
  readonly valueOf: (facts: ObjectFacts) => JsonValue;
  /** The same for values that find the same object, however they are written. */
  readonly keyOf: (value: JsonValue) => string | null;
}

/** Finds out what the columns of a table say of objects of a schema. */
@Injectable()
export class ImportReadings {
  constructor(
    private readonly db: Database,
    private readonly forms: Forms,
    private readonly rows: FormRows,
  ) {}

  /** The schema while it takes objects; with `share` it stays as it is until the unit of work has ended. */
  async schema(form_id: FormRow['form_id'], lock: 'none' | 'share' = 'none'): Promise<OpenForm> {
    const form = await this.rows.open(KIND, form_id, lock).catch((error: unknown) => {
      throw error instanceof Problem && error.code === 'not_found'
        ? invalidField('obj_form', 'is not an object schema', 'reference')
        : error;
    });
    demandWritable(form);
    return form;
  }

  /** Within a unit of work. */
  async of(
    { compiled }: OpenForm,
    columns: readonly string[],
    order: Pick<ImportOrder, 'mapping' | 'mode' | 'key'>,
  ): Promise<ImportReading> {
    const mapping = order.mapping ?? suggestedMapping(columns, this.forms.suggestCells(compiled, columns), compiled);
    checkMapping(mapping, columns, compiled);
    checkKey(mapping, order, compiled);
    const fields = Object.fromEntries(Object.entries(mapping).filter(([, target]) => target !== null && compiled.field(target)));
    const { key = EXTERNAL_ID } = order;
    return {
      mapping,
      reader: new RowReader(mapping, this.forms.cells(compiled, fields, await this.locale())),
      valueOf: (facts) => keyIn(facts, key),
      keyOf: (value) => {
        if (value === null) return null;
        return key === EXTERNAL_ID ? JSON.stringify(value) : this.forms.worth(compiled, key, value);
      },
    };
  }

  /** The locale in which people of the workspace write numbers and dates. */
  private async locale(): Promise<string | undefined> {
    const row = await this.db
      .current()
      .first<{ ws_locale: string | null }>(sql`SELECT ws_locale FROM workspace WHERE tenant_id = ${requireScope().tenant_id}`);
    return row?.ws_locale ?? undefined;
  }
}

import { Injectable } from '@nestjs/common';
import {
  CellNames,
  demandTaken,
  demandWritable,
  FormRows,
  Forms,
  readMapping,
  wholeMapping,
  WorkspaceHabits,
  type FormRow,
  type NamedReferences,
  type OpenForm,
} from '@atrium/forms';
import { checkKey, checkMapping, keyValueOf, type ImportMapping, type ImportOrder, type KnownTable } from '@atrium/imports';
import type { Principal } from '@atrium/platform/access';
import { invalidField, Problem, type JsonValue } from '@atrium/platform/kernel';
import type { TableRecord } from '@atrium/platform/tabular';
import type { ObjectFacts } from '../../objects/domain/object-change';
import { demandWritten, EXTERNAL_ID, OBJECT_ROWS, RowReader, suggestedColumns } from './object-columns';

const KIND = 'object';

/** How the rows of one import are read. */
export interface ImportReading {
  readonly mapping: ImportMapping;
  readonly reader: RowReader;
  /** Looks at rows before any row is read: what a cell says can depend on others of its column. */
  readonly look: (rows: readonly TableRecord[]) => void;
  /** What the names in rows refer to, of what the caller may read. */
  readonly namesIn: (rows: readonly TableRecord[], acting: Principal) => Promise<NamedReferences>;
  /** What an object is found by, as the row says it; null: it says none. */
  readonly valueOf: (facts: ObjectFacts) => JsonValue;
  /** The same for values that find the same object, however they are written. */
  readonly keyOf: (value: JsonValue) => string | null;
}

/** Finds out what the columns of a table say of objects of a schema. */
@Injectable()
export class ImportReadings {
  constructor(
    private readonly forms: Forms,
    private readonly rows: FormRows,
    private readonly workspace: WorkspaceHabits,
    private readonly names: CellNames,
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
    { columns, isJson }: KnownTable,
    order: Pick<ImportOrder, 'mapping' | 'mode' | 'key'>,
  ): Promise<ImportReading> {
    const { targets: said, formats } = readMapping(order.mapping ?? {}, compiled);
    const mapping = wholeMapping(said, columns, (names) => this.suggest({ compiled }, names));
    checkMapping(OBJECT_ROWS, mapping, columns, (target) => compiled.field(target)?.in_list === false);
    demandWritten(mapping, compiled);
    checkKey(OBJECT_ROWS, mapping, order, (field) => compiled.field(field)?.unique === true);
    demandTaken(mapping, compiled, said);
    const fields = Object.fromEntries(Object.entries(mapping).filter(([, target]) => target !== null && compiled.field(target)));
    const { key = EXTERNAL_ID } = order;
    const cells = this.forms.cells(compiled, fields, {
      ...(await this.workspace.habits()),
      plain: isJson,
      formats,
    });
    return {
      mapping,
      reader: new RowReader(mapping, cells),
      look: (rows) => {
        cells.look(rows.map(({ values }) => values));
      },
      namesIn: (rows, actor) =>
        this.names.of(
          cells,
          rows.map(({ values }) => values),
          { actor },
        ),
      valueOf: (facts) => keyValueOf(OBJECT_ROWS, facts, key),
      keyOf: (value) => {
        if (value === null) return null;
        return key === EXTERNAL_ID ? JSON.stringify(value) : this.forms.worth(compiled, key, value);
      },
    };
  }

  /** What columns say by their names; null where they say nothing. */
  suggest({ compiled }: Pick<OpenForm, 'compiled'>, columns: readonly string[]): ImportMapping {
    return suggestedColumns(columns, this.forms.suggestCells(compiled, columns), compiled);
  }
}

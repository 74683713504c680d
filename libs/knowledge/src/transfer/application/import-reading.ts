import { Injectable } from '@nestjs/common';
import {
  CellNames,
  demandTaken,
  Forms,
  NamedReferences,
  pointReader,
  readMapping,
  wholeMapping,
  WorkspaceHabits,
  type CellHabits,
  type CompiledForm,
} from '@atrium/forms';
import { checkKey, checkMapping, keyValueOf, suggestedMapping, type ImportMapping, type ImportOrder, type KnownTable } from '@atrium/imports';
import type { Principal } from '@atrium/platform/access';
import type { TableRecord } from '@atrium/platform/tabular';
import { RecordShapes } from '../../records/application/record-shapes';
import type { RecordWish } from '../../records/domain/record-facts';
import { decimalOf, isContentField, isRecordKey, RECORD_POINTS, RECORD_ROWS, RowReader, textFields } from './record-columns';

/** How the rows of one import are read. */
export interface ImportReading {
  readonly mapping: ImportMapping;
  readonly reader: RowReader;
  /** Looks at rows before any row is read: what a cell says can depend on others of its column. */
  readonly look: (rows: readonly TableRecord[]) => void;
  /** What the names in rows refer to, of what the caller may read. Faults are read by everyone who sees the base. */
  readonly namesIn: (rows: readonly TableRecord[], acting: Principal) => Promise<NamedReferences>;
  /** What a row is found by, in the form in which it is stored; null: it has none. */
  readonly keyOf: (wish: RecordWish) => string | null;
}

/** Finds out what the columns of a table say of the records of a base. */
@Injectable()
export class ImportReadings {
  constructor(
    private readonly forms: Forms,
    private readonly shapes: RecordShapes,
    private readonly workspace: WorkspaceHabits,
    private readonly names: CellNames,
  ) {}

  /** Within a unit of work. */
  async of(
    form_id: string | null,
    { columns, isJson }: KnownTable,
    order: Pick<ImportOrder, 'mapping' | 'mode' | 'key'>,
  ): Promise<ImportReading> {
    const form = await this.formOf(form_id);
    const { targets: said, formats } = readMapping(order.mapping ?? {}, form, RECORD_POINTS);
    const mapping = wholeMapping(said, columns, (names) => this.suggest(form, names));
    checkMapping(RECORD_ROWS, mapping, columns, (target) => isContentField(form, target));
    checkKey(RECORD_ROWS, mapping, order, (field) => form?.field(field)?.unique === true);
    demandTaken(mapping, form, said);
    const habits = { ...(await this.habits()), plain: isJson, formats };
    const contents = Object.fromEntries(Object.entries(mapping).filter(([, target]) => target !== null && !isRecordKey(target)));
    const cells = form && this.forms.cells(form, contents, habits);
    return {
      mapping,
      reader: new RowReader(mapping, cells, {
        decimal: decimalOf(habits.locale ?? null),
        pointOf: pointReader(habits),
      }),
      look: (rows) => {
        cells?.look(rows.map(({ values }) => values));
      },
      namesIn: (rows, actor) =>
        cells
          ? this.names.of(
              cells,
              rows.map(({ values }) => values),
              { actor, terse: true },
            )
          : Promise.resolve(new NamedReferences()),
      keyOf: (wish) => {
        const { key = RECORD_ROWS.external_id } = order;
        const value = keyValueOf(RECORD_ROWS, wish, key);
        if (value === null) return null;
        return form && key !== RECORD_ROWS.external_id ? this.forms.worth(form, key, value) : JSON.stringify(value);
      },
    };
  }

  async formOf(form_id: string | null): Promise<CompiledForm | null> {
    return (await this.shapes.forReading({ form_id })).form?.compiled ?? null;
  }

  suggest(form: CompiledForm | null, columns: readonly string[]): ImportMapping {
    return suggestedMapping(RECORD_ROWS, columns, form ? this.suggestFields(form, columns) : textFields(columns));
  }

  /** How people of the workspace write numbers and dates. */
  habits(): Promise<CellHabits> {
    return this.workspace.habits();
  }

  /** A group or a list has no cell of its own, but JSON holds it as a whole. */
  private suggestFields(form: CompiledForm, columns: readonly string[]): ImportMapping {
    const found = this.forms.suggestCells(form, columns);
    const target = (column: string): string | null => found[column] ?? (form.field(column)?.type.name === 'group' ? column : null);
    // Numbers that the service makes are no cells: they would be given twice.
    const isMade = (path: string | null): boolean => path !== null && form.field(path)?.type.readOnly === true;
    return Object.fromEntries(columns.map((column) => [column, isMade(target(column)) ? null : target(column)]));
  }
}

import { Injectable } from '@nestjs/common';
import { Forms, pointReader, type CompiledForm } from '@atrium/forms';
import { ColumnReadings, suggestedMapping, type ImportMapping, type ImportOrder, type KnownTable, type OpenColumns } from '@atrium/imports';
import { RecordShapes } from '../../records/application/record-shapes';
import { decimalOf, isContentField, RECORD_POINTS, RECORD_ROWS, RowReader, textFields } from './record-columns';

/** Finds out what the columns of a table say of records. */
@Injectable()
export class ImportReadings {
  constructor(
    private readonly forms: Forms,
    private readonly shapes: RecordShapes,
    private readonly columns: ColumnReadings,
  ) {}

  /** Within a unit of work. */
  async openReading(
    form_id: string | null,
    table: KnownTable,
    order: Pick<ImportOrder, 'mapping' | 'mode' | 'key'>,
  ): Promise<{ readonly columns: OpenColumns; readonly reader: RowReader }> {
    const form = await this.findFormOfImport(form_id);
    const columns = await this.columns.openColumns(
      {
        kind: RECORD_ROWS,
        form,
        isField: (target) => isContentField(form, target),
        suggest: (names) => this.suggestMapping(form, names),
        points: RECORD_POINTS,
        // Faults are read by everyone who sees the base.
        terse: true,
      },
      table,
      order,
    );
    const { mapping, cells, habits } = columns;
    const reader = new RowReader(mapping, cells, { decimal: decimalOf(habits.locale ?? null), pointOf: pointReader(habits) });
    return { columns, reader };
  }

  async findFormOfImport(form_id: string | null): Promise<CompiledForm | null> {
    return (await this.shapes.readShapeForReading({ form_id })).form?.compiled ?? null;
  }

  suggestMapping(form: CompiledForm | null, columns: readonly string[]): ImportMapping {
    return suggestedMapping(RECORD_ROWS, columns, form ? this.suggestFields(form, columns) : textFields(columns));
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

import { Injectable } from '@nestjs/common';
import { assertWritable, FormRows, Forms, type FormRow, type OpenForm } from '@atrium/forms';
import { ColumnReadings, type ImportMapping, type ImportOrder, type KnownTable, type OpenColumns } from '@atrium/imports';
import { invalidField, Problem } from '@atrium/platform/kernel';
import { OBJECT_ROWS, RowReader, suggestedColumns } from './object-columns';

const KIND = 'object';

/** Finds out what the columns of a table say of objects of a schema. */
@Injectable()
export class ImportReadings {
  constructor(
    private readonly forms: Forms,
    private readonly rows: FormRows,
    private readonly columns: ColumnReadings,
  ) {}

  /** The schema while it takes objects; with `share` it stays as it is until the unit of work has ended. */
  async openSchema(form_id: FormRow['form_id'], lock: 'none' | 'share' = 'none'): Promise<OpenForm> {
    const form = await this.rows.openForm(KIND, form_id, lock).catch((error: unknown) => {
      throw error instanceof Problem && error.code === 'not_found'
        ? invalidField('obj_form', 'is not an object schema', 'reference')
        : error;
    });
    assertWritable(form);
    return form;
  }

  /** Within a unit of work. */
  async openReading(
    { compiled }: OpenForm,
    table: KnownTable,
    order: Pick<ImportOrder, 'mapping' | 'mode' | 'key'>,
  ): Promise<{ readonly columns: OpenColumns; readonly reader: RowReader }> {
    const columns = await this.columns.openColumns(
      {
        kind: OBJECT_ROWS,
        form: compiled,
        isField: (target) => compiled.field(target)?.in_list === false,
        isReadOnly: (target) => compiled.field(target)?.type.readOnly === true,
        suggest: (names) => this.suggestMapping({ compiled }, names),
      },
      table,
      order,
    );
    return { columns, reader: new RowReader(columns.mapping, columns.cells) };
  }

  /** What columns say by their names; null where they say nothing. */
  suggestMapping({ compiled }: Pick<OpenForm, 'compiled'>, columns: readonly string[]): ImportMapping {
    return suggestedColumns(columns, this.forms.suggestCells(compiled, columns), compiled);
  }
}

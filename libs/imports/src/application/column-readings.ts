import { Injectable } from '@nestjs/common';
import {
  CellNames,
  assertTaken,
  Forms,
  NamedReferences,
  readMapping,
  wholeMapping,
  WorkspaceConventions,
  type CellConventions,
  type Cells,
  type CompiledForm,
} from '@atrium/forms';
import type { JsonValue } from '@atrium/platform/kernel';
import { checkKey, checkMapping } from '../domain/column-targets';
import type { ImportMapping, ImportOrder } from '../domain/import-order';
import { keyValueOf, type RowKind } from '../domain/row-kind';
import type { KnownTable } from './import-tables';
import type { ColumnReading } from './import-target';

/** What columns can be mapped to. */
interface ColumnTargets {
  readonly kind: RowKind;
  /** The schema of the content; null where it has none. */
  readonly form: CompiledForm | null;
  /** Whether a column can say this of the content. */
  readonly isField: (target: string) => boolean;
  /** Whether the service alone writes the target. */
  readonly isReadOnly?: (target: string) => boolean;
  /** What columns say by their names. */
  readonly suggest: (columns: readonly string[]) => ImportMapping;
  /** Properties that are points in time. */
  readonly points?: readonly string[];
  /** Whether faults are read by people who may not see what names refer to. */
  readonly terse?: boolean;
}

/** Columns that are mapped, with what reads the cells of their content; `openCells` is null without a schema. */
export interface OpenColumns extends ColumnReading {
  readonly cells: Cells | null;
  readonly habits: CellConventions;
}

/** Finds out what the columns of a table say. */
@Injectable()
export class ColumnReadings {
  constructor(
    private readonly forms: Forms,
    private readonly workspace: WorkspaceConventions,
    private readonly names: CellNames,
  ) {}

  /** Within a unit of work. What is wrong with the mapping or the key of the order is refused. */
  async openColumns(
    { kind, form, isField, isReadOnly = () => false, suggest, points, terse = false }: ColumnTargets,
    { columns, isJson }: KnownTable,
    order: Pick<ImportOrder, 'mapping' | 'mode' | 'key'>,
  ): Promise<OpenColumns> {
    const { targets: said, formats } = readMapping(order.mapping ?? {}, form, points);
    const mapping = wholeMapping(said, columns, suggest);
    checkMapping(kind, mapping, columns, { isField, isReadOnly });
    checkKey(kind, mapping, order, (field) => form?.field(field)?.unique === true);
    assertTaken(mapping, form, said);
    const habits = { ...(await this.workspace.readHabits()), plain: isJson, formats };
    const contents = Object.fromEntries(Object.entries(mapping).filter(([, target]) => target !== null && isField(target)));
    const cells = form && this.forms.openCells(form, contents, habits);
    const { key = kind.external_id } = order;
    const keyOfValue = (value: JsonValue): string | null => {
      if (value === null) return null;
      return form && key !== kind.external_id ? this.forms.uniqueKey(form, key, value) : JSON.stringify(value);
    };
    return {
      mapping,
      cells,
      habits,
      inspectRows: (rows) => {
        cells?.inspectRows(rows.map(({ values }) => values));
      },
      namesIn: (rows, actor) =>
        cells
          ? this.names.resolveNames(
              cells,
              rows.map(({ values }) => values),
              { actor, terse },
            )
          : Promise.resolve(new NamedReferences()),
      keyOf: (wish) => keyOfValue(keyValueOf(kind, wish, key)),
      keyOfValue,
    };
  }
}

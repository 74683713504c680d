import { strangeCells, type Cells, type CompiledForm, type NamedReferences } from '@atrium/forms';
import {
  isEmptyCell,
  isProperty,
  listCell,
  suggestedMapping,
  textCell,
  type ImportMapping,
  type ReadRow,
  type RowKind,
} from '@atrium/imports';
import type { FieldFault, JsonValue } from '@atrium/platform/kernel';
import type { ObjectFacts } from '../../objects/domain/object-change';

/** What a column can say of an object besides its content, and names by which a column is taken for it. */
const OBJECT_COLUMNS = {
  obj_external_id: ['obj external id', 'external id'],
  obj_external_url: ['obj external url', 'external url'],
  obj_name: ['obj name', 'name', 'title'],
  obj_terms: ['obj terms', 'terms'],
} as const satisfies Record<string, readonly string[]>;
type ObjectColumn = keyof typeof OBJECT_COLUMNS;
export const OBJECT_ROWS = {
  noun: 'object',
  external_id: 'obj_external_id',
  content: 'obj_content',
  properties: OBJECT_COLUMNS,
} as const satisfies RowKind;

/** By what an upsert finds objects unless it is said. */
export const EXTERNAL_ID = OBJECT_ROWS.external_id;

export const isObjectColumn = (target: string): target is ObjectColumn => isProperty(OBJECT_ROWS, target);

/** What columns say by their names: a field by its key, path or label first, else something of the object, each once. */
export function suggestedColumns(columns: readonly string[], fields: ImportMapping, form: CompiledForm): ImportMapping {
  const found = columns.map((column) => {
    const isWhole = form.field(column)?.type.takesFields === true && form.field(column)?.in_list === false;
    return [column, numbersAside(fields[column] ?? null, form) ?? (isWhole ? column : null)] as const;
  });
  return suggestedMapping(OBJECT_ROWS, columns, Object.fromEntries(found));
}

/** What the service makes itself, such as a number, no table says: it would be given twice. */
const numbersAside = (path: string | null, form: CompiledForm): string | null =>
  path !== null && form.field(path)?.type.readOnly === true ? null : path;

/** Rows of a table as facts of objects, by the types of the fields. */
export class RowReader {
  private readonly own: readonly (readonly [column: string, target: ObjectColumn])[];

  /** A column that the mapping does not name is a fault of the rows that say something in it. */
  constructor(
    private readonly mapping: ImportMapping,
    private readonly cells: Pick<Cells, 'readValues'> | null,
  ) {
    this.own = Object.entries(mapping).flatMap(([column, target]) =>
      target !== null && isObjectColumn(target) ? [[column, target] as const] : [],
    );
  }

  /** Empty cells say nothing, and names of what they refer to say nothing until they are known. */
  readRow(values: Readonly<Record<string, JsonValue>>, named: NamedReferences | 'aside'): ReadRow<ObjectFacts> {
    const { content, faults: misread } = this.cells?.readValues(values, named) ?? { content: {}, faults: [] };
    const faults: FieldFault[] = [...misread, ...strangeCells(values, this.mapping)];
    const facts: Record<string, JsonValue> = Object.keys(content).length > 0 ? { obj_content: content } : {};
    for (const [column, target] of this.own) {
      const cell = values[column] ?? null;
      if (isEmptyCell(cell)) continue;
      const read = target === 'obj_terms' ? listCell(column, cell, MOST_TERMS) : textCell(column, cell, TEXTS[target]);
      if ('fault' in read) faults.push(read.fault);
      else facts[target] = read.says;
    }
    return faults.length > 0 ? { wish: null, faults } : { wish: facts, faults: [] };
  }
}

const MOST_TERMS = 100;
const TEXTS = {
  obj_external_id: { longest: 512, isId: true },
  obj_external_url: { longest: 2_048, isAddress: true },
  obj_name: { longest: 255 },
} as const;

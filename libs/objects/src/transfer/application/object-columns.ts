import { listedIn, strangeCells, unstorableIn, type Cells, type CompiledForm, type NamedReferences } from '@atrium/forms';
import { isEmptyCell, isProperty, shownCell, suggestedMapping, type ImportMapping, type ReadRow, type RowKind } from '@atrium/imports';
import { normalized, type FieldFault, type JsonValue } from '@atrium/platform/kernel';
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
      const value = shownCell(values[column] ?? null, { isId: target === EXTERNAL_ID });
      if (isEmptyCell(value)) continue;
      const misfit = misfitOf(target, value);
      if (misfit !== null) faults.push({ path: column, code: 'format', message: `${column} ${misfit}.` });
      else facts[target] = target === 'obj_terms' ? listed(value) : target === EXTERNAL_ID ? idOf(value) : textOf(value).trim();
    }
    return faults.length > 0 ? { wish: null, faults } : { wish: facts, faults: [] };
  }
}

const LONGEST = { obj_external_id: 512, obj_external_url: 2_048, obj_name: 255 } as const;
const MOST_TERMS = 100;

/** What is wrong with a cell that says something of an object besides its content. */
function misfitOf(target: ObjectColumn, value: JsonValue): string | null {
  if (target === 'obj_terms') return listed(value).length > MOST_TERMS ? `must name at most ${MOST_TERMS} terms` : null;
  if (typeof value === 'object') return 'must be a text';
  const text = textOf(value).trim();
  if (text.length > LONGEST[target]) return `must have at most ${LONGEST[target]} characters`;
  const sign = unstorableIn(text);
  if (sign !== undefined) return `must not have ${sign}`;
  return target === 'obj_external_url' && !isAddress(text) ? 'must be an address that begins with http or https' : null;
}

const isAddress = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);

const textOf = (value: JsonValue): string => (typeof value === 'object' ? JSON.stringify(value) : String(value));

/** Letters with their marks apart are those in one piece. */
const idOf = (value: JsonValue): string => normalized(textOf(value).trim(), 'NFC');

const listed = (value: JsonValue): string[] =>
  Array.isArray(value) ? value.map((one) => String(one).trim()).filter((one) => one !== '') : listedIn(textOf(value));

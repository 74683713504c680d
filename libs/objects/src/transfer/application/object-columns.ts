import { listedIn, strangeCells, unstorableIn, type Cells, type CompiledForm, type NamedReferences } from '@atrium/forms';
import {
  idOfShown,
  invalidField,
  invalidFields,
  isShownNumber,
  normalized,
  textOfShown,
  type FieldFault,
  type JsonObject,
  type JsonValue,
} from '@atrium/platform/kernel';
import type { ObjectFacts } from '../../objects/domain/object-change';
import type { ImportMapping, ImportOrder } from '../domain/import-order';

/** What a column can say of an object besides its content, and names by which a column is taken for it. */
const OBJECT_COLUMNS = {
  obj_external_id: ['obj external id', 'external id'],
  obj_external_url: ['obj external url', 'external url'],
  obj_name: ['obj name', 'name', 'title'],
  obj_terms: ['obj terms', 'terms'],
} as const satisfies Record<string, readonly string[]>;
type ObjectColumn = keyof typeof OBJECT_COLUMNS;
const COLUMNS = Object.keys(OBJECT_COLUMNS) as readonly ObjectColumn[];

/** By what an upsert finds objects unless it is said. */
export const EXTERNAL_ID = 'obj_external_id';

export const isObjectColumn = (target: string): target is ObjectColumn => Object.hasOwn(OBJECT_COLUMNS, target);

const folded = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ');

/** What columns say by their names: a field by its key, path or label first, else something of the object, each once. */
export function suggestedMapping(columns: readonly string[], fields: ImportMapping, form: CompiledForm): ImportMapping {
  const taken = new Set(Object.values(fields));
  return Object.fromEntries(
    columns.map((column) => {
      const field =
        numbersAside(fields[column] ?? null, form) ??
        (form.field(column)?.type.takesFields === true && form.field(column)?.in_list === false ? column : null);
      if (field !== null) return [column, field];
      const own = COLUMNS.find((name) => !taken.has(name) && OBJECT_COLUMNS[name].some((word) => word === folded(column))) ?? null;
      if (own !== null) taken.add(own);
      return [column, own];
    }),
  );
}

/** What the service makes itself, such as a number, no table says: it would be given twice. */
const numbersAside = (path: string | null, form: CompiledForm): string | null =>
  path !== null && form.field(path)?.type.readOnly === true ? null : path;

/** Refuses a mapping of columns that are not there, to fields that are not there, or of two columns to one of them. */
export function checkMapping(mapping: ImportMapping, columns: readonly string[], form: CompiledForm): void {
  const known = new Set(columns);
  const seen = new Map<string, string>();
  const faults = Object.entries(mapping).flatMap(([column, target]): FieldFault[] => {
    const path = `mapping.${column}`;
    // Files of JSON may have a column that their first rows have not.
    if (target === null) return [];
    if (!known.has(column)) return [{ path, code: 'unknown_column', message: `The table has no column ${column}.` }];
    if (typeof target !== 'string' || (!isObjectColumn(target) && form.field(target)?.in_list !== false))
      return [{ path, code: 'unknown_field', message: `The schema has no field ${String(target)} that a column can be mapped to.` }];
    if (form.field(target)?.type.readOnly === true)
      return [{ path, code: 'read_only', message: `${target} is written by the service alone; map the column to null.` }];
    const other = seen.get(target);
    seen.set(target, column);
    return other === undefined ? [] : [{ path, code: 'duplicate', message: `The column ${other} is mapped to ${target} as well.` }];
  });
  if (faults.length > 0) throw invalidFields(faults);
}

/** Objects are found again by a column that is mapped: their external id, or a unique field. */
export function checkKey(mapping: ImportMapping, { mode, key }: Pick<ImportOrder, 'mode' | 'key'>, form: CompiledForm): void {
  if (mode !== 'upsert') {
    if (key !== undefined) throw invalidField('key', 'is taken with the mode upsert only', 'unknown_field');
    return;
  }
  const wanted = key ?? EXTERNAL_ID;
  if (wanted !== EXTERNAL_ID && form.field(wanted)?.unique !== true)
    throw invalidField('key', 'must be obj_external_id or a unique field of the schema', 'unknown_field');
  if (!Object.values(mapping).includes(wanted))
    throw invalidField('mapping', `must map a column to ${wanted}, because objects are found by it`, 'required');
}

/** An object that a row says, or why it says none. */
export type ReadRow =
  { readonly facts: ObjectFacts; readonly faults: readonly [] } | { readonly facts: null; readonly faults: readonly FieldFault[] };

/** Rows of a table as facts of objects, by the types of the fields. */
export class RowReader {
  private readonly own: readonly (readonly [column: string, target: ObjectColumn])[];

  /** A column that the mapping does not name is a fault of the rows that say something in it. */
  constructor(
    private readonly mapping: ImportMapping,
    private readonly cells: Pick<Cells, 'readValues'>,
  ) {
    this.own = Object.entries(mapping).flatMap(([column, target]) =>
      target !== null && isObjectColumn(target) ? [[column, target] as const] : [],
    );
  }

  /** Empty cells say nothing, and names of what they refer to say nothing until they are known. */
  read(values: Readonly<Record<string, JsonValue>>, named: NamedReferences | 'aside'): ReadRow {
    const { content, faults: misread } = this.cells.readValues(values, named);
    const faults: FieldFault[] = [...misread, ...strangeCells(values, this.mapping)];
    const facts: Record<string, JsonValue> = Object.keys(content).length > 0 ? { obj_content: content } : {};
    for (const [column, target] of this.own) {
      const value = shownOf(values[column], target);
      if (isEmpty(value)) continue;
      const misfit = misfitOf(target, value);
      if (misfit !== null) faults.push({ path: column, code: 'format', message: `${column} ${misfit}.` });
      else facts[target] = target === 'obj_terms' ? listed(value) : target === EXTERNAL_ID ? idOf(value) : textOf(value).trim();
    }
    return faults.length > 0 ? { facts: null, faults } : { facts, faults: [] };
  }
}

const isEmpty = (value: JsonValue | undefined): value is undefined | null | string =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

/** What a number of a spreadsheet says. */
const shownOf = (value: JsonValue | undefined, target: ObjectColumn): JsonValue | undefined =>
  !isShownNumber(value) ? value : target === EXTERNAL_ID ? idOfShown(value) : textOfShown(value);

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

/** The value that an object is found by: its external id, or a unique field; null: the row has none. */
export function keyIn({ obj_external_id, obj_content = {} }: ObjectFacts, key = EXTERNAL_ID): JsonValue {
  if (key === EXTERNAL_ID) return obj_external_id ?? null;
  return key.split('.').reduce<JsonValue>((at, name) => (isObject(at) && Object.hasOwn(at, name) ? (at[name] ?? null) : null), obj_content);
}

/** A fault of an object in the words of its table: the column that says the field. */
export function columnOfFault({ path, code, message }: FieldFault, mapping: ImportMapping): FieldFault {
  const field = path.replace(/^obj_content\./, '');
  const column = Object.keys(mapping).find((name) => {
    const target = mapping[name];
    return (
      target !== null && target !== undefined && (field === target || field.startsWith(`${target}.`) || field.startsWith(`${target}[`))
    );
  });
  return { path: column ?? field, code, message };
}

const isObject = (value: JsonValue): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value);

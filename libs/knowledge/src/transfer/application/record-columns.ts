import {
  listedIn,
  MOST_LISTED,
  strangeCells,
  type CompiledForm,
  type Field,
  type MomentReading,
  type NamedReferences,
} from '@atrium/forms';
import {
  exactJson,
  idOfShown,
  invalidFields,
  isShownNumber,
  normalized,
  textOfShown,
  type FieldFault,
  type JsonObject,
  type JsonValue,
} from '@atrium/platform/kernel';
import { RECORD_STATUSES } from '../../records/domain/knowledge-record';
import type { RecordWish } from '../../records/domain/record-facts';
import type { ImportMapping } from '../domain/import-order';

/** What a column can say of a record besides its content. */
export const RECORD_KEYS = [
  'rec_external_id',
  'rec_name',
  'rec_url',
  'rec_tags',
  'rec_language',
  'rec_status',
  'rec_valid_from',
  'rec_valid_until',
  'rec_metadata',
] as const;
export type RecordKey = (typeof RECORD_KEYS)[number];
/** What is a point in time of them. */
export const RECORD_POINTS = ['rec_valid_from', 'rec_valid_until'] as const satisfies readonly RecordKey[];
/** The content of a text base. */
export const BODY = 'body';

export const isRecordKey = (target: string): target is RecordKey => RECORD_KEYS.some((key) => key === target);

/** Turns cell texts into content by the types of fields; what forms offer. */
export interface CellReader {
  readValues(
    row: Readonly<Record<string, JsonValue>>,
    named?: NamedReferences | 'aside',
  ): { readonly content: JsonObject; readonly faults: readonly FieldFault[] };
}

/** A record that a row says, or why it says none. */
export type ReadRow =
  { readonly wish: RecordWish; readonly faults: readonly [] } | { readonly wish: null; readonly faults: readonly FieldFault[] };

const folded = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ');

/** Names by which a column says something of a record, where no field claims it. */
const WORDS: Readonly<Record<RecordKey, readonly string[]>> = {
  rec_external_id: ['rec external id', 'external id'],
  rec_name: ['rec name', 'name', 'title'],
  rec_url: ['rec url', 'url'],
  rec_tags: ['rec tags', 'tags'],
  rec_language: ['rec language', 'language'],
  rec_status: ['rec status'],
  rec_valid_from: ['rec valid from'],
  rec_valid_until: ['rec valid until'],
  rec_metadata: ['rec metadata'],
};

/** What columns say by their names: a field by its key, path or label first, else something of the record. */
export function suggestedMapping(columns: readonly string[], fields: (columns: readonly string[]) => ImportMapping): ImportMapping {
  const found = fields(columns);
  const taken = new Set(Object.values(found));
  return Object.fromEntries(
    columns.map((column) => {
      const field = found[column] ?? null;
      if (field !== null) return [column, field];
      const key = RECORD_KEYS.find((name) => WORDS[name].includes(folded(column)) && !taken.has(name)) ?? null;
      if (key !== null) taken.add(key);
      return [column, key];
    }),
  );
}

/** The fields of a text base: one. */
export const textFields = (columns: readonly string[]): ImportMapping => {
  const column = columns.find((name) => folded(name) === BODY || folded(name) === 'content' || folded(name) === 'text');
  return Object.fromEntries(columns.map((name) => [name, name === column ? BODY : null]));
};

/** Refuses a mapping of columns that are not there, to targets that are not there, or of two columns to one target. */
export function checkMapping(mapping: ImportMapping, columns: readonly string[], form: CompiledForm | null): void {
  const known = new Set(columns);
  const seen = new Map<string, string>();
  const faults = Object.entries(mapping).flatMap(([column, target]): FieldFault[] => {
    const path = `mapping.${column}`;
    // Files of JSON may have a column that their first rows have not.
    if (target === null) return [];
    if (!known.has(column)) return [{ path, code: 'unknown_column', message: 'There is no such column.' }];
    if (!isRecordKey(target) && !(form ? form.field(target)?.in_list === false : target === BODY))
      return [{ path, code: 'unknown_field', message: `There is no field ${target}.` }];
    const other = seen.get(target);
    seen.set(target, column);
    return other === undefined ? [] : [{ path, code: 'duplicate', message: `The column ${other} is mapped to ${target} as well.` }];
  });
  if (faults.length > 0) throw invalidFields(faults);
}

/** The columns of an export: what names a record, then its content. */
export const exportColumns = (form: CompiledForm | null): readonly string[] => [
  ...RECORD_KEYS,
  ...(form ? cellFields(form).map(({ path }) => path) : [BODY]),
];

/** Fields that have a cell of their own: parts of groups have, rows of lists have not. */
export const cellFields = (form: CompiledForm): readonly Field[] =>
  form.all.filter(({ in_list, type }) => !in_list && type.name !== 'group');

/** Rows of a table as records, by the types of the fields. */
export class RowReader {
  private readonly columns: readonly (readonly [column: string, target: string])[];

  /** A column that the mapping does not name is a fault of the rows that say something in it. */
  constructor(
    private readonly mapping: ImportMapping,
    private readonly cells: CellReader | null,
    private readonly rule: {
      readonly decimal: '.' | ',';
      readonly pointOf: (column: string, cell: string) => MomentReading;
    },
  ) {
    this.columns = Object.entries(mapping).flatMap(([column, target]) => (target === null ? [] : [[column, target] as const]));
  }

  /** Empty cells say nothing, and names of what they refer to say nothing until they are known. */
  read(values: Readonly<Record<string, JsonValue>>, named: NamedReferences | 'aside'): ReadRow {
    const said = this.columns.filter(([column]) => !isEmpty(values[column]));
    const facts: Record<string, JsonValue | Date> = {};
    const faults: FieldFault[] = strangeCells(values, this.mapping);
    for (const [column, target] of said) {
      if (!isRecordKey(target)) continue;
      const value = shownOf(values[column] ?? null, target);
      if (target === 'rec_tags') {
        const tags = tagsOf(value);
        if (tags.length > MOST_LISTED) faults.push({ path: column, code: 'length', message: TOO_MANY_TAGS });
        facts[target] = [...tags];
      } else if (target === 'rec_valid_from' || target === 'rec_valid_until') {
        const read = this.rule.pointOf(column, textOf(value));
        if ('misfit' in read) faults.push({ path: column, code: 'format', message: misread(textOf(value), read) });
        else facts[target] = new Date(read.value);
      } else if (target === 'rec_status' || target === 'rec_metadata') {
        const said = factOf(target, value);
        if (said === undefined) faults.push({ path: column, code: 'format', message: MISFITS[target] });
        else facts[target] = said;
      } else if (typeof value === 'object') faults.push({ path: column, code: 'type', message: 'must be a text' });
      else facts[target] = target === 'rec_external_id' ? normalized(String(value).trim(), 'NFC') : String(value).trim();
    }
    const content = this.content(
      said.filter(([, target]) => !isRecordKey(target)),
      values,
      { faults, named },
    );
    if (faults.length > 0) return { wish: null, faults };
    return { wish: { ...facts, ...(content === undefined ? {} : { rec_content: content }) }, faults: [] };
  }

  private content(
    said: readonly (readonly [column: string, target: string])[],
    values: Readonly<Record<string, JsonValue>>,
    { faults, named }: { readonly faults: FieldFault[]; readonly named: NamedReferences | 'aside' },
  ): JsonObject | undefined {
    const [first] = said;
    if (!first) return undefined;
    if (!this.cells) return { [BODY]: plain(shownOf(values[first[0]] ?? null), this.rule.decimal) };
    const read = this.cells.readValues(Object.fromEntries(said.map(([column]) => [column, values[column] ?? null])), named);
    faults.push(...read.faults);
    return read.content;
  }
}

const MISFITS = {
  rec_status: `must be ${RECORD_STATUSES.join(', ')}`,
  rec_metadata: 'must be an object in JSON',
} as const;
const SHOWN = 80;

const textOf = (value: JsonValue): string => (typeof value === 'object' ? JSON.stringify(value) : String(value));

const misread = (cell: string, { misfit, detail }: { readonly misfit: string; readonly detail?: string }): string =>
  `"${cell.trim().slice(0, SHOWN)}" ${misfit}${detail === undefined ? '' : ` (${detail})`}.`;

/** A fact of a record that is no free text; undefined where the cell says none. */
function factOf(target: keyof typeof MISFITS, value: JsonValue): JsonValue | undefined {
  if (target === 'rec_metadata') return metadataOf(value);
  const text = typeof value === 'string' ? value.trim() : '';
  return RECORD_STATUSES.find((status) => status === text.toLowerCase());
}

function metadataOf(value: JsonValue): JsonObject | undefined {
  try {
    const read = typeof value === 'string' ? exactJson(value) : value;
    return typeof read === 'object' && read !== null && !Array.isArray(read) ? (read as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}

const isEmpty = (value: JsonValue | undefined): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

/** What a number of a spreadsheet says. */
const shownOf = (value: JsonValue, target?: RecordKey): JsonValue =>
  !isShownNumber(value) ? value : target === 'rec_external_id' ? idOfShown(value) : textOfShown(value);

/** The cell as text; a number as people of the locale write it. */
function plain(value: JsonValue, decimal: '.' | ','): string {
  if (typeof value === 'number') return decimal === ',' ? String(value).replace('.', ',') : String(value);
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

const TOO_MANY_TAGS = `lists more than ${MOST_LISTED.toLocaleString('en')} tags`;

const tagsOf = (value: JsonValue): readonly string[] => (Array.isArray(value) ? value.map(String) : listedIn(plain(value, '.')));

/** Whether people of a locale write a comma before the fraction. */
export function decimalOf(locale: string | null): '.' | ',' {
  try {
    return new Intl.NumberFormat(locale ?? 'en').formatToParts(1.5).some(({ type, value }) => type === 'decimal' && value === ',')
      ? ','
      : '.';
  } catch {
    return '.';
  }
}

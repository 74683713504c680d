import { MOST_LISTED, strangeCells, type CompiledForm, type Field, type MomentReading, type NamedReferences } from '@atrium/forms';
import {
  foldedName,
  isEmptyCell,
  isProperty,
  listCell,
  shownCell,
  textCell,
  textOfCell,
  type ImportMapping,
  type ReadRow,
  type RowKind,
} from '@atrium/imports';
import { exactJson, isObject, type FieldFault, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import { RECORD_STATUSES } from '../../records/domain/knowledge-record';
import { LONGEST } from '../../records/domain/record-checks';
import type { RecordWish } from '../../records/domain/record-facts';

/** What a column can say of a record besides its content, and names by which a column is taken for it where no field claims it. */
const PROPERTIES = {
  rec_external_id: ['rec external id', 'external id'],
  rec_name: ['rec name', 'name', 'title'],
  rec_url: ['rec url', 'url'],
  rec_tags: ['rec tags', 'tags'],
  rec_language: ['rec language', 'language'],
  rec_status: ['rec status'],
  rec_valid_from: ['rec valid from'],
  rec_valid_until: ['rec valid until'],
  rec_metadata: ['rec metadata'],
} as const satisfies Record<string, readonly string[]>;
export type RecordKey = keyof typeof PROPERTIES;
const RECORD_KEYS = Object.keys(PROPERTIES) as readonly RecordKey[];
export const RECORD_ROWS = {
  noun: 'record',
  external_id: 'rec_external_id',
  content: 'rec_content',
  properties: PROPERTIES,
} as const satisfies RowKind;
/** What is a point in time of them. */
export const RECORD_POINTS = ['rec_valid_from', 'rec_valid_until'] as const satisfies readonly RecordKey[];
/** The content of a text base. */
export const BODY = 'body';

export const isRecordKey = (target: string): target is RecordKey => isProperty(RECORD_ROWS, target);

/** Turns cell texts into content by the types of fields; what forms offer. */
export interface CellReader {
  readValues(
    row: Readonly<Record<string, JsonValue>>,
    named?: NamedReferences | 'aside',
  ): { readonly content: JsonObject; readonly faults: readonly FieldFault[] };
}

/** The fields of a text base: one. */
export const textFields = (columns: readonly string[]): ImportMapping => {
  const column = columns.find((name) => ['body', 'content', 'text'].includes(foldedName(name)));
  return Object.fromEntries(columns.map((name) => [name, name === column ? BODY : null]));
};

/** Whether a column can say this of the content; `form` is null in a text base. */
export const isContentField = (form: CompiledForm | null, target: string): boolean =>
  form ? form.field(target)?.in_list === false : target === BODY;

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
  readRow(values: Readonly<Record<string, JsonValue>>, named: NamedReferences | 'aside'): ReadRow<RecordWish> {
    const said = this.columns.filter(([column]) => !isEmptyCell(values[column]));
    const facts: Record<string, JsonValue | Date> = {};
    const faults: FieldFault[] = strangeCells(values, this.mapping);
    for (const [column, target] of said) {
      if (!isRecordKey(target)) continue;
      const cell = values[column] ?? null;
      const value = shownCell(cell);
      if (target === 'rec_valid_from' || target === 'rec_valid_until') {
        const read = this.rule.pointOf(column, textOfCell(value));
        if ('misfit' in read) faults.push({ path: column, code: 'format', message: misread(textOfCell(value), read) });
        else facts[target] = new Date(read.value);
      } else if (target === 'rec_status' || target === 'rec_metadata') {
        const said = factOf(target, value);
        if (said === undefined) faults.push({ path: column, code: 'format', message: MISFITS[target] });
        else facts[target] = said;
      } else {
        const read = target === 'rec_tags' ? listCell(column, cell, MOST_LISTED) : textCell(column, cell, TEXTS[target]);
        if ('fault' in read) faults.push(read.fault);
        else facts[target] = read.says;
      }
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
    if (!this.cells) return { [BODY]: plain(shownCell(values[first[0]] ?? null), this.rule.decimal) };
    const read = this.cells.readValues(Object.fromEntries(said.map(([column]) => [column, values[column] ?? null])), named);
    faults.push(...read.faults);
    return read.content;
  }
}

/** Names and ids have line breaks and tabs where those of records that are written one by one may have them. */
const TEXTS: Readonly<Partial<Record<RecordKey, Parameters<typeof textCell>[2]>>> = {
  rec_external_id: { longest: LONGEST.rec_external_id, isId: true, breaks: true },
  rec_name: { longest: LONGEST.rec_name, breaks: true },
  rec_url: { longest: LONGEST.rec_url, isAddress: true },
};
const MISFITS = {
  rec_status: `must be ${RECORD_STATUSES.join(', ')}`,
  rec_metadata: 'must be an object in JSON',
} as const;
const SHOWN = 80;

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
    return isObject(read) ? read : undefined;
  } catch {
    return undefined;
  }
}

/** The cell as text; a number as people of the locale write it. */
function plain(value: JsonValue, decimal: '.' | ','): string {
  if (typeof value === 'number') return decimal === ',' ? String(value).replace('.', ',') : String(value);
  return textOfCell(value);
}

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

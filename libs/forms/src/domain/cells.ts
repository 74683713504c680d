import {
  exactJson,
  folded,
  isObject,
  isShownNumber,
  localNumber,
  type FieldFault,
  type JsonObject,
  type JsonValue,
} from '@atrium/platform/kernel';
import { cellLocale, type CellConventions, type CellLocale } from './cell-locale';
import type { CompiledForm } from './compiled-form';
import { decimalText } from './decimals';
import { ownValue, type Field } from './field';
import { MixedColumns } from './mixed-columns';
import { isNamed, namesIn, type AskedName, type NamedReferences } from './named-references';
import { cellOfShown } from './shown-cell';
import { MASK, misreadSentence, PLACEHOLDER, projectContent } from './visible-fields';

/** Columns of a table by the fields that they hold: `{ Price: 'price', City: 'address.city' }`; null: a column that says nothing. */
export type CellMapping = Readonly<Record<string, string | null>>;

/** A row of a table as content, and the cells that say nothing that fits. */
export interface ReadCells {
  readonly content: JsonObject;
  readonly faults: readonly FieldFault[];
}

/** Cells of a table as values and back, by the types of the fields. */
export class Cells {
  private readonly columns: readonly { readonly column: string; readonly field: Field }[];
  private readonly locale: CellLocale;
  private readonly mixed: MixedColumns;

  private constructor(
    private readonly form: CompiledForm,
    mapping: CellMapping,
    private readonly habits: CellConventions,
  ) {
    this.locale = cellLocale(habits);
    this.columns = Object.entries(mapping).flatMap(([column, path]) => {
      const field = path === null ? undefined : form.field(path);
      return field ? [{ column, field }] : [];
    });
    this.mixed = new MixedColumns(this.columns, this.locale);
  }

  static of(form: CompiledForm, mapping: CellMapping, habits: CellConventions = {}): Cells {
    return new Cells(form, mapping, habits);
  }

  /** The field that each column says by its name: by key, path or label; null where none does. */
  static suggest(form: CompiledForm, columns: readonly string[]): CellMapping {
    const fields = form.all.filter(({ in_list, type }) => !in_list && type.name !== 'group');
    const plain = (text: string): string => folded(text.trim()).replace(/[\s_-]+/g, ' ');
    const names = new Map<string, string>();
    for (const name of ['path', 'label'] as const)
      for (const field of fields) if (!names.has(plain(field[name]))) names.set(plain(field[name]), field.path);
    return Object.fromEntries(columns.map((column) => [column, names.get(plain(column)) ?? null]));
  }

  /** Keys of a mapping that are no field; a field inside of a list has no cell of its own. */
  static unknownKeys(form: CompiledForm, mapping: CellMapping): readonly string[] {
    return Object.entries(mapping).flatMap(([column, path]) => (path === null || form.field(path)?.in_list === false ? [] : [column]));
  }

  /** Looks at rows of a table before any of its rows is read: cells that can be two numbers beside them are refused. */
  inspectRows(rows: readonly Readonly<Record<string, JsonValue>>[]): void {
    this.mixed.inspectRows(rows);
  }

  /** The content that a row says. Empty cells say nothing; a fault names the column. */
  readRow(row: Readonly<Record<string, string>>): ReadCells {
    const faults: FieldFault[] = [];
    const entries: [readonly string[], JsonValue][] = [];
    for (const { column, field } of this.columns) {
      const cell = Object.hasOwn(row, column) ? row[column] : undefined;
      if (cell === undefined || cell.trim() === '') continue;
      if (field.sensitive && cell.trim() === MASK) {
        faults.push({ path: column, code: 'masked', message: `${field.label} ${PLACEHOLDER}` });
        continue;
      }
      const reading = field.type.read
        ? field.type.read(cell, field, this.mixed.localeOf(column), this.habits.formats?.get(column))
        : readJson(cell);
      if ('misfit' in reading) faults.push({ path: column, code: 'format', message: misreadSentence(field, cell, reading) });
      else entries.push([field.path.split('.'), reading.value]);
    }
    return { content: nested(entries), faults };
  }

  /** The names in cells of rows that refer to something, each once; looks at one cell after the other. */
  *namesInRows(rows: readonly Readonly<Record<string, JsonValue>>[]): Generator<void, readonly AskedName[]> {
    const asked = new Map<string, AskedName>();
    for (const { column, field } of this.columns) {
      if (!isNamed(field)) continue;
      for (const row of rows) {
        for (const name of namesIn(ownValue(row, column) ?? null, field)) asked.set(`${field.path}\n${name}`, { field, name });
        yield;
      }
    }
    return [...asked.values()];
  }

  /**
   * The same of cells that are JSON: objects and lists are values already, and in fields of JSON everything is; other texts are read as
   * those write them who made the table, numbers of a spreadsheet by the type of their field: as the number itself, or as the text that
   * is shown. Names of what cells refer to are read as what they were found to be, or left aside where nobody has asked after them yet.
   */
  readValues(row: Readonly<Record<string, JsonValue>>, named?: NamedReferences | 'aside'): ReadCells {
    const texts: Record<string, string> = {};
    const values: [readonly string[], JsonValue][] = [];
    const strange: FieldFault[] = [];
    for (const { column, field } of this.columns) {
      const cell = ownValue(row, column) ?? null;
      if (cell === null) continue;
      if (this.isWhole(cell, field)) values.push([field.path.split('.'), cell]);
      else if (named && isNamed(field) && namesIn(cell, field).length > 0 && !(field.sensitive && cell === MASK)) {
        if (named === 'aside') continue;
        const read = named.read(cell, field, column);
        if ('faults' in read) strange.push(...read.faults);
        else values.push([field.path.split('.'), read.value]);
      } else if (isShownNumber(cell) && field.type.name === 'json') values.push([field.path.split('.'), cell.number]);
      else if (isShownNumber(cell) && !field.type.takesFields) texts[column] = cellOfShown(cell, field, this.locale);
      else if (typeof cell === 'object') values.push([field.path.split('.'), cell]);
      else texts[column] = typeof cell === 'number' ? localNumber(decimalText(cell), this.locale) : String(cell);
    }
    const { content, faults } = this.readRow(texts);
    return { faults: [...faults, ...strange], content: values.reduce((all, [path, value]) => placed(all, path, value), content) };
  }

  /** Whether a field of JSON takes the cell as it is. A text is one there too where JSON says it: it was written as JSON once, not twice. */
  private isWhole(cell: JsonValue, { type, sensitive }: Field): boolean {
    if (type.name !== 'json') return false;
    if (typeof cell !== 'string') return this.habits.plain === true || !isShownNumber(cell);
    return this.habits.plain === true && cell.trim() !== '' && !(sensitive && cell.trim() === MASK);
  }

  /** The cells of stored content, such that `readRow` gives it again. Sensitive values stay masked unless they may be seen. */
  writeRow(stored: JsonObject, options: { readonly sensitive?: boolean } = {}): Readonly<Record<string, string>> {
    const { content } = projectContent(this.form, stored, options);
    return Object.fromEntries(this.columns.map(({ column, field }) => [column, cellOf(content, field, this.locale)]));
  }
}

function cellOf(content: JsonObject, field: Field, locale: CellLocale): string {
  const value = field.path.split('.').reduce<JsonValue | undefined>((at, key) => (isObject(at) ? ownValue(at, key) : undefined), content);
  if (value === undefined) return '';
  if (field.type.takesFields) return JSON.stringify(value);
  if (typeof value === 'string' && !field.type.fits(value)) return value;
  if (field.type.write) return field.type.write(value, field, locale);
  return field.type.read ? field.type.text(value, field) : JSON.stringify(value);
}

function readJson(cell: string): { readonly value: JsonValue } | { readonly misfit: string } {
  try {
    return { value: exactJson(cell) };
  } catch {
    return { misfit: 'is not valid JSON' };
  }
}

function placed(content: JsonObject, [key = '', ...rest]: readonly string[], value: JsonValue): JsonObject {
  if (rest.length === 0) return { ...content, [key]: value };
  const inner = ownValue(content, key);
  return { ...content, [key]: placed(isObject(inner) ? inner : {}, rest, value) };
}

/** `address.city` and `address.street` are parts of one group. */
function nested(entries: readonly [readonly string[], JsonValue][]): JsonObject {
  const groups = new Map<string, [readonly string[], JsonValue][]>();
  const plain: [string, JsonValue][] = [];
  for (const [[key = '', ...rest], value] of entries) {
    if (rest.length === 0) plain.push([key, value]);
    else groups.set(key, [...(groups.get(key) ?? []), [rest, value]]);
  }
  return Object.fromEntries([...plain, ...[...groups].map(([key, parts]): [string, JsonValue] => [key, nested(parts)])]);
}

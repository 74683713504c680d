import { join, raw, requireScope, sql, type ListOrder, type Sql } from '@atrium/platform/database';
import { dotless, type FieldFault, folded, invalidFields, type JsonValue, notYet } from '@atrium/platform/kernel';
import { Faults } from '@atrium/platform/settings';
import { cellLocale } from '../domain/cell-locale';
import type { CompiledForm } from '../domain/compiled-form';
import type { Field } from '../domain/field';
import type { IndexColumn } from '../domain/field';
import { VisibleFields, type Sight } from '../domain/visible-fields';
import { HIGHEST, indexedText, isSortable, isWhole, LOWEST, boundedNumber } from '../domain/value-index';

const OPERATORS = ['eq', 'ne', 'in', 'gt', 'gte', 'lt', 'lte', 'contains', 'empty'] as const;
export type ContentOperator = (typeof OPERATORS)[number];

/** Filters as a client names them: a value, several, or values by operator. */
export type ContentFilter = Readonly<Record<string, unknown>>;

/** The form whose rows are asked for, with what of it lists cannot use yet. */
export interface AskedForm {
  readonly form_id: string;
  readonly compiled: CompiledForm;
  readonly unready: ReadonlySet<string>;
}

/** The rows of a list: where their id and their content stand, how clients call both, and what the caller sees: nobody filters or sorts by more. */
export interface ContentTarget extends Sight {
  readonly id: Sql;
  readonly content: Sql;
  /** `obj_content`: filters are `obj_content[key]`, orders `obj_content_key`. */
  readonly name: string;
}

/** What a list adds to its own conditions: `listPage(tx, type, query, { where, ...order })`. */
export interface ContentConditions {
  readonly where: Sql;
  readonly join?: Sql;
  readonly orders?: Readonly<Record<string, ListOrder>>;
  /** With filters the best plan depends on their values. */
  readonly byValues?: boolean;
}

interface Comparison {
  readonly operator: ContentOperator;
  readonly values: readonly string[];
}

const COLUMNS: Readonly<Record<IndexColumn, string>> = { text: 'value_text', number: 'value_num', reference: 'value_ref' };
const TYPES: Readonly<Record<IndexColumn, string>> = { text: 'text', number: 'double precision', reference: 'uuid' };
const SIGNS = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;
const NEUTRAL = cellLocale({ plain: true });
/** Amounts are compared, in whatever currency; this is the code of ISO 4217 for tests. */
const ANY_CURRENCY = 'XTS';
const MOST_VALUES = 100;

/** What is asked of a list; `cursor` where its page is not the first. */
export interface ContentWish {
  readonly filter?: ContentFilter;
  readonly sort?: string;
  readonly cursor?: string;
}

/** Conditions and order of a list by the content of its rows. Everything reads the value index; a fault names the filter. */
export function contentConditions(form: AskedForm, target: ContentTarget, wish: ContentWish): ContentConditions {
  const { filter = {}, sort } = wish;
  const faults = new Faults();
  const order = sortedBy(form, target, wish, faults);
  const ordered = order.join && { key: sort?.replace(/^-/, '').slice(target.name.length + 1) ?? '', ...directionOf(wish) };
  const conditions: Sql[] = [];
  for (const [key, asked] of Object.entries(filter)) {
    const path = `${target.name}[${key}]`;
    const field = usable(form, target, key, path, faults);
    if (!field) continue;
    const telling = { path, faults, ordered };
    const comparisons = comparisonsOf(asked, path, faults);
    const [ends, others] = [comparisons.filter(isEnd), comparisons.filter((comparison) => !isEnd(comparison))];
    // Of a field that has one value both ends are those of one stretch of its index; several values may meet them each for itself.
    const stretches = field.type.holds === 'many' || field.in_list ? ends.map((end) => [end]) : ends.length > 0 ? [ends] : [];
    conditions.push(
      ...stretches.flatMap((stretch) => between(form, target, field, stretch, telling)),
      ...others.flatMap((comparison) => condition(form, target, field, comparison, telling)),
    );
  }
  if (faults.any) throw invalidFields(faults.list);
  if (conditions.length === 0) return { where: sql`true`, ...order };
  return { where: join(conditions, ' AND '), byValues: true, ...order };
}

/** Places of the value index where rows of a form, or of any (null), refer under a key to one of the ids that the statement selects. */
export const referrersOf = (form_id: string | null, field_key: string, ids: Sql): Sql =>
  sql`FROM form_value v WHERE v.tenant_id = ${requireScope().tenant_id} AND ${form_id === null ? sql`true` : sql`v.form_id = ${form_id}`} AND v.field_key = ${field_key} AND v.value_ref = ANY(ARRAY(${ids}))`;

/** Rows whose `id` is among those that refer so; `many`: looked at one by one along the order of their list, for they are met soon. */
export const refersTo = (referrers: Sql, id: Sql, { many }: { readonly many: boolean }): Sql =>
  many ? sql`EXISTS (SELECT ${referrers} AND v.owner_id = ${id} OFFSET 0)` : sql`${id} IN (SELECT v.owner_id ${referrers})`;

function usable(form: AskedForm, target: ContentTarget, key: string, path: string, faults: Faults): Field | undefined {
  const field = form.compiled.field(key);
  if (!field?.filterable || !new VisibleFields(form.compiled, target).reveals(field)) {
    faults.add(path, 'unknown_field', field ? `${field.label} cannot be used to filter or sort.` : `There is no field ${key}.`);
    return undefined;
  }
  if (form.unready.has(key))
    throw notYet(`${field.label} cannot be used in lists yet: its values are being indexed until form_migration is done.`, 5);
  return field;
}

/** The order of a list, and whether it goes on behind a cursor. */
interface Direction {
  readonly descending: boolean;
  readonly behind: boolean;
}

const directionOf = ({ sort, cursor }: ContentWish): Direction => ({
  descending: sort?.startsWith('-') === true,
  behind: cursor !== undefined,
});

/**
 * The column for a bound where the index of a list's order begins. Behind a cursor the index has to begin there: of two bounds
 * PostgreSQL may take the other one and read everything in between, so that one is tested beside the index.
 */
const nearEnd = (column: Sql, sign: string, { descending, behind }: Direction, kind: IndexColumn): Sql => {
  if (!behind || sign.startsWith('<') !== descending) return column;
  return kind === 'text' ? sql`(${column} || '')` : sql`(${column} + 0)`;
};

function sortedBy(form: AskedForm, target: ContentTarget, wish: ContentWish, faults: Faults): Pick<ContentConditions, 'join' | 'orders'> {
  const { sort } = wish;
  const name = sort?.replace(/^-/, '') ?? '';
  if (!name.startsWith(`${target.name}_`)) return {};
  const key = name.slice(target.name.length + 1);
  const field = usable(form, target, key, `sort=${name}`, faults);
  if (!field) return {};
  if (!isSortable(field)) {
    faults.add(`sort=${name}`, 'option', `${field.label} cannot be ordered.`);
    return {};
  }
  const kind = field.type.indexed === 'text' ? 'text' : 'number';
  const column = raw(`o.${COLUMNS[kind]}`);
  // A missing value has an entry at both ends; lists begin behind the nearer one, so that it comes last.
  const direction = directionOf(wish);
  const bound = direction.descending
    ? sql`${nearEnd(column, '<', direction, kind)} < ${HIGHEST[kind]}`
    : sql`${nearEnd(column, '>', direction, kind)} > ${LOWEST[kind]}`;
  return {
    join: sql`JOIN form_value o ON o.tenant_id = ${requireScope().tenant_id} AND o.form_id = ${form.form_id} AND o.field_key = ${key} AND o.owner_id = ${target.id} AND ${bound}`,
    orders: { [name]: { key: column, id: sql`o.owner_id` } },
  };
}

function comparisonsOf(asked: unknown, path: string, faults: Faults): readonly Comparison[] {
  if (typeof asked === 'string' || Array.isArray(asked)) {
    const values = textsOf(asked);
    if (!values) faults.add(path, 'type', 'A filter requires strings.');
    return values ? [{ operator: values.length > 1 ? 'in' : 'eq', values }] : [];
  }
  if (typeof asked !== 'object' || asked === null) {
    faults.add(path, 'type', 'A filter requires a value.');
    return [];
  }
  return Object.entries(asked).flatMap(([operator, value]: [string, unknown]): readonly Comparison[] => {
    const values = textsOf(value);
    if (isOperator(operator) && values) return [{ operator, values: operator === 'in' ? values.flatMap((one) => one.split(',')) : values }];
    faults.add(`${path}[${operator}]`, 'option', `An operator must be one of ${OPERATORS.join(', ')}, with a value.`);
    return [];
  });
}

const isOperator = (name: string): name is ContentOperator => (OPERATORS as readonly string[]).includes(name);

function textsOf(value: unknown): readonly string[] | undefined {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  return values.length > 0 && values.length <= MOST_VALUES && values.every((one) => typeof one === 'string') ? values : undefined;
}

interface End extends Comparison {
  readonly operator: keyof typeof SIGNS;
}

const isEnd = (comparison: Comparison): comparison is End => Object.hasOwn(SIGNS, comparison.operator);

interface FaultReporter {
  /** The field by which the list is sorted, and how. */
  readonly ordered: (Direction & { readonly key: string }) | undefined;
  readonly path: string;
  readonly faults: Faults;
}

function condition(
  form: AskedForm,
  target: ContentTarget,
  field: Field,
  { operator, values }: Comparison,
  telling: FaultReporter,
): readonly Sql[] {
  const { kind, type, column, found } = entryOf(
    form,
    target,
    field,
    telling.ordered?.key === field.path && operator !== 'empty' && operator !== 'ne',
  );
  const [first = ''] = values;
  if (operator === 'empty') {
    if (first === 'true') return [found(sql`${column} = ${LOWEST[kind]}::${type}`)];
    if (first === 'false') return [sql`NOT ${found(sql`${column} = ${LOWEST[kind]}::${type}`)}`];
    telling.faults.add(telling.path, 'type', 'empty must be true or false.');
    return [];
  }
  if (operator === 'contains' && kind === 'text' && field.type.holds !== 'many' && !field.type.takesOptions)
    return [containing(target, field, { part: first, column }, found)];
  const keys = values.flatMap((value) => keyOf(field, value, telling) ?? []);
  if (keys.length < values.length) return [];
  if (operator === 'in') return [found(sql`${column} = ANY(${[...keys]}::${type}[])`)];
  const [key] = keys;
  if (operator === 'eq' || operator === 'contains') return [found(sql`${column} = ${key}::${type}`)];
  return [sql`NOT ${found(sql`${column} = ${key}::${type}`)}`];
}

/** Values between ends. Entries of absent values are beyond either end. */
function between(form: AskedForm, target: ContentTarget, field: Field, ends: readonly End[], telling: FaultReporter): readonly Sql[] {
  const ordered = telling.ordered?.key === field.path ? telling.ordered : undefined;
  const { kind, type, column, found } = entryOf(form, target, field, ordered !== undefined);
  const end = (sign: string): Sql => (ordered ? nearEnd(column, sign, ordered, kind) : column);
  const tests: Sql[] = [];
  for (const { operator, values } of ends) {
    const [key, ...more] = values.flatMap((value) => keyOf(field, value, telling) ?? []);
    if (key === undefined || more.length < values.length - 1) return [];
    if (kind === 'reference') {
      telling.faults.add(telling.path, 'option', `${field.label} cannot be ordered.`);
      return [];
    }
    const edge = operator.startsWith('g') ? sql`${end('<')} < ${HIGHEST[kind]}::${type}` : sql`${end('>')} > ${LOWEST[kind]}::${type}`;
    tests.push(sql`${end(SIGNS[operator])} ${raw(SIGNS[operator])} ${key}::${type} AND ${edge}`);
  }
  return [found(join(tests, ' AND '))];
}

/** An entry of the value index: its column, and what has to be found of it. Where lists are in the order of the field, one scan of its index does both. */
function entryOf(form: AskedForm, target: ContentTarget, field: Field, inOrder: boolean) {
  const kind = field.type.indexed ?? 'text';
  const found = (test: Sql): Sql =>
    inOrder
      ? test
      : sql`EXISTS (SELECT FROM form_value v WHERE v.tenant_id = ${requireScope().tenant_id} AND v.form_id = ${form.form_id} AND v.field_key = ${field.path} AND v.owner_id = ${target.id} AND ${test})`;
  return { kind, type: raw(TYPES[kind]), column: raw(`${inOrder ? 'o' : 'v'}.${COLUMNS[kind]}`), found };
}

/** Part of a text, without regard to case. The index has the beginning of long ones only, so those are read where they stand. */
function containing(
  target: ContentTarget,
  field: Field,
  { part, column }: { readonly part: string; readonly column: Sql },
  found: (test: Sql) => Sql,
): Sql {
  const sought = dotless(folded(part));
  const limit = field.settings.max_length;
  const isShort = field.type.name === 'text' && isWhole('x'.repeat(typeof limit === 'number' ? limit : 255));
  if (isShort || field.in_list) return found(sql`position(${sought} in dotless(${column})) > 0`);
  return sql`position(${sought} in dotless(folded(${target.content} #>> ${field.path.split('.')}::text[]))) > 0`;
}

/** The value of a filter as the index has it: `10`, `2026-03-31`, `true`, the value of an option, an id. */
function keyOf(field: Field, value: string, { path, faults }: FaultReporter): string | number | undefined {
  const reading =
    field.type.name === 'currency'
      ? field.type.read?.(`${value} ${ANY_CURRENCY}`, field, NEUTRAL)
      : field.type.read?.(value, field, NEUTRAL);
  if (!reading || 'misfit' in reading) {
    faults.add(path, 'format', `${field.label}: "${value.slice(0, 80)}" ${reading ? reading.misfit : 'cannot be compared'}.`);
    return undefined;
  }
  const [key] = field.type.indexKeys?.(asStored(reading.value), field) ?? [];
  if (key?.text !== undefined) return indexedText(key.text);
  if (key?.number !== undefined && Number.isFinite(key.number)) return boundedNumber(key.number);
  if (key?.reference !== undefined) return key.reference.toLowerCase();
  faults.add(path, 'format', `${field.label}: "${value.slice(0, 80)}" cannot be compared.`);
  return undefined;
}

const asStored = (value: JsonValue): JsonValue => (typeof value === 'string' ? value.trim() : value);

/** Filters that a form does not have at all, reported like faults of one: for lists that name no form, or several. */
export const withoutForm = (name: string, keys: readonly string[]): readonly FieldFault[] =>
  keys.map((key) => ({ path: `${name}[${key}]`, code: 'unknown_field', message: 'Filtering and sorting by content requires a form.' }));

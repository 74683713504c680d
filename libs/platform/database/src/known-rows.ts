import { dotless, folded } from '@atrium/platform/kernel';
import { decodeCursor, encodeCursor } from './cursor';
import { fieldsOf, type Field } from './fields';
import { MAX_EXTENDED_LIMIT, MAX_LIMIT, pageBytesOf, type ListParameters, type Page } from './list';
import { RowBudget } from './row-budget';

type Row = Readonly<Record<string, unknown>>;

interface Place<R> {
  readonly row: R;
  readonly key: string | number;
  readonly id: string;
}

interface Order {
  /** As the client names it, `-` included; empty for the order in which the rows were given. */
  readonly name: string;
  readonly field?: Field;
  readonly descending: boolean;
}

const AS_GIVEN: Order = { name: '', descending: false };
const KEY_LENGTH = 64;

/**
 * One page of rows that are known as a whole: a closed catalog, the limits of one caller, the answer of a provider. It takes
 * the parameters that `listPage` takes, by the fields that a view declares as filters and orders. Without `sort` the rows
 * keep the order in which they were given; without `limit` a page holds all of them, up to the highest limit. `id` names a
 * row among the others in at most 128 characters.
 */
export function pageOfRows<R extends object>(view: Function, rows: readonly R[], query: ListParameters, id: (row: R) => string): Page<R> {
  const order = orderOf(view, query.sort);
  const filters = [...fieldsOf(view).values()].filter((field) => field.filter && (query as Row)[field.name] !== undefined);
  const kept = rows.filter((row) => filters.every((field) => matches(field, (row as Row)[field.name], (query as Row)[field.name])));
  const places = kept.map((row, index) => ({
    row,
    id: id(row),
    key: order.field ? keyOf(order.field, (row as Row)[order.field.name]) : index,
  }));
  if (order.field) places.sort((a, b) => compare(order, a, b));
  const from = startOf(places, order, query);
  const size = sizeOf(query);
  const page = withinBytes(places.slice(from, from + size), pageBytesOf(size));
  const last = page.at(-1);
  const has_more = from + page.length < places.length;
  return {
    data: page.map(({ row }) => row),
    has_more,
    next_cursor: has_more && last ? encodeCursor({ sort: order.name, key: last.key, id: last.id }) : null,
  };
}

/** The first of the places, as many as a page has room for, and one in any case. */
function withinBytes<R>(places: readonly Place<R>[], bytes: number): readonly Place<R>[] {
  const budget = new RowBudget(places.length, bytes);
  const end = places.findIndex(({ row }) => !budget.admits(JSON.stringify(row).length));
  return end < 0 ? places : places.slice(0, end);
}

const sizeOf = ({ limit = MAX_LIMIT, limit_extended }: ListParameters): number =>
  limit_extended === undefined ? Math.min(limit, MAX_LIMIT) : Math.min(limit_extended, MAX_EXTENDED_LIMIT);

function orderOf(view: Function, wanted = ''): Order {
  const field = fieldsOf(view).get(wanted.replace(/^-/, ''));
  return field?.sort ? { name: wanted, field, descending: wanted.startsWith('-') } : AS_GIVEN;
}

/** An unreadable cursor, or one of another order, means the first page. */
function startOf<R>(places: readonly Place<R>[], order: Order, { cursor, offset = 0 }: ListParameters): number {
  const position = decodeCursor(cursor, order.name);
  if (!position) return offset;
  if (order.field) {
    const next = places.findIndex((place) => compare(order, place, position) > 0);
    return next < 0 ? places.length : next;
  }
  const { key, id } = position;
  if (!Number.isSafeInteger(key) || Number(key) < 0) return offset;
  const at = places[Number(key)]?.id === id ? Number(key) : places.findIndex((place) => place.id === id);
  // Where the row no longer exists, the page begins with the one after it.
  return at < 0 ? Number(key) : at + 1;
}

type Sorted = Pick<Place<unknown>, 'key' | 'id'>;

const compare = ({ descending }: Order, a: Sorted, b: Sorted): number =>
  (ascending(a.key, b.key) || ascending(a.id, b.id)) * (descending ? -1 : 1);

function ascending(a: string | number, b: string | number): number {
  if (typeof a !== typeof b) return typeof a === 'string' ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Texts sort without regard to case, what is missing before everything else. */
function keyOf({ kind }: Field, value: unknown): string | number {
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return Number(value);
  if (value instanceof Date) return value.toISOString();
  if (typeof value !== 'string') return '';
  return kind === 'text' ? value.toLowerCase().slice(0, KEY_LENGTH) : value;
}

/** A text as searches compare it. */
const sought = (text: string): string => dotless(folded(text));

function matches(field: Field, value: unknown, wanted: unknown): boolean {
  const { name, filter } = field;
  if (filter === 'equals' || filter === true) return value === wanted;
  if (filter === 'contains') return typeof value === 'string' && sought(value).includes(sought(String(wanted)));
  if (filter !== 'range') throw new Error(`The filter ${name} needs a table.`);
  const [from, to] = (wanted as readonly unknown[]).map((bound) => keyOf(field, bound));
  const key = keyOf(field, value);
  return from !== undefined && ascending(key, from) >= 0 && (to === undefined || ascending(key, to) <= 0);
}

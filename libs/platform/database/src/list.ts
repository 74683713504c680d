import { dotless, folded } from '@atrium/platform/kernel';
import sql, { empty, join, raw, type Sql } from 'sql-template-tag';
import { requireScope } from './current-scope';
import { decodeCursor, encodeCursor } from './cursor';
import { fieldsOf, resourceOf, type Field } from './fields';
import { affordableRows, RowBudget, type RowEffort } from './row-budget';
import type { UnitOfWork } from './unit-of-work';

export const DEFAULT_LIMIT = 50;
export const MAX_LIMIT = 1_000;
export const MAX_EXTENDED_LIMIT = 10_000;
/**
 * What the rows of a page take at most; a page of larger ones ends earlier, and says that there are more. To parse and write a
 * megabyte of JSON takes some 20 ms, in which the process answers nobody else.
 */
export const MAX_PAGE_BYTES = 2 * 1024 * 1024;
/** The same for pages of more rows than usual, few of which are read at once. */
const MAX_EXTENDED_PAGE_BYTES = 8 * 1024 * 1024;
/** What the rows of a page of at most so many take. */
export const pageBytesOf = (limit: number): number => (limit > MAX_LIMIT ? MAX_EXTENDED_PAGE_BYTES : MAX_PAGE_BYTES);
/** Rows that are passed over like any others; beyond, few such pages are read at once. */
const MAX_USUAL_OFFSET = 10_000;
/** Page sizes whose plans are kept: those that clients ask for. */
const USUAL_LIMITS: ReadonlySet<number> = new Set([10, 20, 25, DEFAULT_LIMIT, 100, 200, 500, MAX_LIMIT]);

/** The paging and filter parameters of a list, already validated. */
export interface ListParameters {
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
  readonly limit_extended?: number | undefined;
  readonly offset?: number | undefined;
  readonly sort?: string | undefined;
}

export interface Page<R> {
  readonly data: R[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

/**
 * A page whose rows the database wrote as JSON and that is sent without being parsed: taking rows apart and putting them together
 * again was a third of this process's work for a page. For lists that answer rows as they come (ADR 10).
 */
export class WrittenPage {
  constructor(
    private readonly rows: readonly string[],
    private readonly has_more: boolean,
    private readonly next_cursor: string | null,
  ) {}

  /** The body of the answer. */
  get text(): string {
    return `{"data":[${this.rows.join(',')}],"has_more":${this.has_more},"next_cursor":${JSON.stringify(this.next_cursor)}}`;
  }
}

/** An order that the resource does not declare: an expression over the joined rows, never null, with an index behind it. */
export interface ListOrder {
  readonly key: Sql;
  /** The id as the table has it whose index is read, where that is a joined one. */
  readonly id?: Sql;
}

export interface ListOptions {
  /** Conditions besides the filters: scope, access, anything the context knows. Columns of the resource are named `r.<column>`. */
  readonly where?: Sql;
  /** Further select expressions, for joined or computed columns. */
  readonly select?: Sql;
  /** Joins that never multiply rows. */
  readonly join?: Sql;
  /** Filters the caller handles itself. */
  readonly ignore?: readonly string[];
  /** Without a filter, or with one the resource declares as served, an index serves the list whatever its values are: it is planned once a connection (ADR 10). */
  readonly steady?: boolean;
  /** Which index serves depends on what is asked for: the list is planned for its values each time. */
  readonly byValues?: boolean;
  /** Further orders by the names clients give them; one named like a field takes its place. */
  readonly orders?: Readonly<Record<string, ListOrder>>;
  /** What completing each row costs, and how much of it one page may cost: it ends earlier, with one row in any case, and says that there are more. */
  readonly effort?: RowEffort;
}

/** Further options of a list that the database writes. */
export interface WrittenListOptions extends ListOptions {
  /** Expressions in the place of stored columns. */
  readonly instead?: Readonly<Record<string, Sql>>;
}

/** Whether a page takes as much reading as thousands of rows, by its size or by what it passes over: `readMany` reads few of them at once. */
export const isLargePage = ({ limit_extended, offset = 0 }: ListParameters): boolean =>
  limit_extended !== undefined || offset > MAX_USUAL_OFFSET;

interface Plan {
  readonly table: Sql;
  readonly id: string;
  readonly columns: Sql;
  readonly visible: ReadonlyMap<string, Field>;
  readonly filters: ReadonlyMap<string, Field>;
  readonly sorts: ReadonlyMap<string, string>;
  readonly defaultSort: string;
  readonly served: ReadonlyMap<string, readonly string[]>;
  readonly isFoundById: boolean;
}

const plans = new Map<Function, Plan>();

function planOf(type: Function): Plan {
  const known = plans.get(type);
  if (known) return known;
  const { table, id, sort, served = {}, isFoundById = true } = resourceOf(type);
  const fields = [...fieldsOf(type).values()];
  const visible = fields.filter((field) => !field.computed && !field.internal);
  const plan: Plan = {
    table: raw(`"${table}" r`),
    id,
    visible: new Map(visible.map((field) => [field.name, field])),
    columns: raw(visible.map((field) => `r."${field.name}"`).join(', ')),
    filters: new Map(visible.filter((field) => field.filter).map((field) => [field.name, field])),
    sorts: new Map(fields.filter((field) => field.sort).map((field) => [field.name, sortColumn(field)])),
    defaultSort: sort,
    served: new Map(Object.entries(served)),
    isFoundById,
  };
  plans.set(type, plan);
  return plan;
}

/**
 * Texts sort without regard to case, by a stored twin column `<name>_key` = `lower(left(name, 64))`: under row-level
 * security `lower()` in a condition would keep indexes out, and 64 characters fit every cursor.
 */
const sortColumn = (field: Field): string =>
  typeof field.sort === 'string' ? field.sort : field.kind === 'text' ? `${field.name}_key` : field.name;

/** The visible columns of a resource as `r."a", r."b", …`, with expressions in the place of some. */
export const columnsOf = (type: Function, instead: Readonly<Record<string, Sql>> = {}): Sql => {
  const { columns, visible } = planOf(type);
  if (Object.keys(instead).length === 0) return columns;
  return join(
    [...visible.keys()].map((name) => (instead[name] ? sql`${instead[name]} AS ${raw(`"${name}"`)}` : raw(`r."${name}"`))),
    ', ',
  );
};

/** One page of a resource, bounded in rows and in bytes: bound parameters, whitelisted columns, keyset cursor, exact `has_more`. Rows come as stored. */
export async function listPage<R extends object>(
  tx: UnitOfWork,
  type: Function,
  query: ListParameters,
  options: ListOptions = {},
): Promise<Page<R>> {
  const list = listOf(type, query, options);
  const columns = [list.plan.columns, ...(options.select ? [options.select] : []), ...list.hidden];
  const { data, has_more } = await rowsOf<Record<string, unknown>>(tx, list, join(columns));
  const next_cursor = has_more ? cursorAt(list, data.at(-1) ?? {}) : null;
  // In the reverse order of their columns: V8 takes back the last property of an object at no cost.
  const hidden = [list.at.id, list.at.key].filter((name) => name.startsWith('~'));
  for (const name of hidden) for (const row of data) delete row[name];
  return { data: data as R[], has_more, next_cursor };
}

/** The page that `listPage` would give, written by the database. */
export async function writtenPage(
  tx: UnitOfWork,
  type: Function,
  query: ListParameters,
  options: WrittenListOptions = {},
): Promise<WrittenPage> {
  const list = listOf(type, query, options);
  const columns = [...list.plan.visible.values()].map(
    (field) => sql`${options.instead?.[field.name] ?? writtenColumn(field)} AS ${raw(`"${field.name}"`)}`,
  );
  const row = sql`(SELECT row_to_json(o) FROM (SELECT ${join([...columns, ...(options.select ? [options.select] : [])])}) o)::text AS "~row"`;
  const { data, has_more } = await rowsOf<Record<string, unknown> & { '~row': string }>(tx, list, join([row, ...list.hidden]));
  const last = data.at(-1);
  const next_cursor = has_more && last ? cursorAt(list, { ...(JSON.parse(last['~row']) as object), ...last }) : null;
  return new WrittenPage(
    data.map((one) => one['~row']),
    has_more,
    next_cursor,
  );
}

/** JSON of PostgreSQL leaves out milliseconds that are zero, and writes an offset. */
const writtenColumn = (field: Field): Sql =>
  raw(field.kind === 'stamp' ? `to_char(r."${field.name}" AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')` : `r."${field.name}"`);

interface List {
  readonly plan: Plan;
  readonly order: Order;
  readonly limit: number;
  /** The tables that the columns are read from. */
  readonly rest: Sql;
  readonly steady: boolean;
  readonly byValues: boolean;
  /** The columns that hold the position of a row; those with a tilde are selected for it alone and do not leave. */
  readonly at: { readonly key: string; readonly id: string };
  readonly hidden: readonly Sql[];
  readonly effort: ListOptions['effort'];
}

function listOf(type: Function, query: ListParameters, options: ListOptions): List {
  const plan = planOf(type);
  const order = chooseOrder(plan, query.sort, options.orders);
  const limit = pageSize(query);
  const filters = namedFilters(plan, query as Record<string, unknown>, options.ignore);
  const conditions = [sql`r.tenant_id = ${requireScope().tenant_id}`, ...filters.map(([field, value]) => condition(field, value))];
  if (options.where && options.where !== empty) conditions.push(options.where);

  const position = decodeCursor(query.cursor, order.name);
  if (position) conditions.push(afterPosition(order, position));
  const direction = raw(order.descending ? 'DESC' : 'ASC');
  const { key, id } = order;
  const ordering = order.column === plan.id ? sql`${id} ${direction}` : sql`${key} ${direction}, ${id} ${direction}`;
  const offset = query.offset && !position ? sql` OFFSET ${query.offset}` : empty;
  const steady = options.steady === true && isServed(plan, filters, order) && offset === empty && USUAL_LIMITS.has(limit);
  // A plan that is kept must know its size: for a parameter PostgreSQL expects a tenth of the table.
  const size = steady ? raw(String(limit + 1)) : sql`${limit + 1}`;
  const at = { key: plan.visible.has(order.column) ? order.column : '~key', id: plan.visible.has(plan.id) ? plan.id : '~id' };
  const joined = options.join ?? empty;
  const rows = sql`FROM ${plan.table} ${joined} WHERE ${join(conditions, ' AND ')} ORDER BY ${ordering} LIMIT ${size}${offset}`;
  return {
    plan,
    order,
    limit,
    steady,
    byValues: options.byValues === true,
    effort: options.effort,
    at,
    rest: offset === empty ? rows : sql`${behindOffset(plan, rows)} ${joined} ORDER BY ${ordering}`,
    hidden: [...(at.key === '~key' ? [sql`${key} AS "~key"`] : []), ...(at.id === '~id' ? [sql`${id} AS "~id"`] : [])],
  };
}

/**
 * The rows that are left when those before the offset are passed over, and of these nothing but ids was read: PostgreSQL
 * makes whatever is selected beside an OFFSET of the rows that it skips, too.
 */
const behindOffset = ({ table, id, isFoundById }: Plan, rows: Sql): Sql =>
  isFoundById
    ? sql`FROM (SELECT r.${raw(`"${id}"`)} AS "~left" ${rows}) "~rows" JOIN ${table} ON r.tenant_id = ${requireScope().tenant_id} AND r.${raw(`"${id}"`)} = "~left"`
    : sql`FROM (SELECT r.* ${rows}) r`;

interface Rows<R> {
  readonly data: R[];
  readonly has_more: boolean;
}

async function rowsOf<R extends Record<string, unknown>>(tx: UnitOfWork, list: List, columns: Sql): Promise<Rows<R>> {
  const { rest, steady, byValues, limit, effort } = list;
  const page = sql`SELECT ${columns} ${rest}`;
  const budget = new RowBudget(limit + 1, pageBytesOf(limit));
  const data = await (steady
    ? tx.querySteady<R>(page, budget)
    : byValues
      ? tx.queryByValues<R>(page, budget)
      : tx.query<R>(page, [], budget));
  const most = Math.min(limit, effort ? affordableRows(data, effort) : limit);
  const has_more = budget.isCut || data.length > most;
  if (data.length > most) data.length = most;
  return { data, has_more };
}

const cursorAt = ({ order, at }: List, row: Readonly<Record<string, unknown>>): string =>
  encodeCursor({ sort: order.name, key: row[at.key] as string | number, id: row[at.id] as string });

interface Order {
  /** As the client names it, `-` included; part of the cursor. */
  readonly name: string;
  /** The column behind it; none behind an order of the list's own. */
  readonly column: string;
  readonly key: Sql;
  readonly id: Sql;
  readonly descending: boolean;
}

function chooseOrder(plan: Plan, wanted: string | undefined, orders: ListOptions['orders'] = {}): Order {
  const known = (name: string): boolean => plan.sorts.has(name) || Object.hasOwn(orders, name);
  const name = wanted && known(wanted.replace(/^-/, '')) ? wanted : plan.defaultSort;
  const bare = name.replace(/^-/, '');
  const own = Object.hasOwn(orders, bare) ? orders[bare] : undefined;
  const column = own ? '' : (plan.sorts.get(bare) ?? bare);
  return { name, column, key: own?.key ?? raw(`r."${column}"`), id: own?.id ?? raw(`r."${plan.id}"`), descending: name.startsWith('-') };
}

function pageSize(query: ListParameters): number {
  if (query.limit_extended !== undefined) return Math.min(query.limit_extended, MAX_EXTENDED_LIMIT);
  return Math.min(query.limit ?? DEFAULT_LIMIT, MAX_LIMIT);
}

function afterPosition({ key, id, descending }: Order, position: { key: string | number; id: string }): Sql {
  const operator = raw(descending ? '<' : '>');
  if (key.text === id.text) return sql`${id} ${operator} ${position.id}`;
  return sql`(${key}, ${id}) ${operator} (${position.key}, ${position.id})`;
}

/** The declared filters that a query names, as conditions on `r`; for what is asked of the same rows beside their list. */
export const filtersOf = (type: Function, query: ListParameters, ignore: readonly string[] = []): Sql[] =>
  namedFilters(planOf(type), query as Record<string, unknown>, ignore).map(([field, value]) => condition(field, value));

type NamedFilter = readonly [field: Field, value: unknown];

function namedFilters(plan: Plan, query: Record<string, unknown>, ignore: readonly string[] = []): NamedFilter[] {
  const named: NamedFilter[] = [];
  for (const [name, field] of plan.filters) {
    const value = query[name];
    if (value !== undefined && !ignore.includes(name)) named.push([field, value]);
  }
  return named;
}

/** One index has the rows of the filter's value in this order. */
const isServed = ({ served }: Plan, filters: readonly NamedFilter[], { column }: Order): boolean =>
  filters.length === 0 || (filters.length === 1 && filters.every(([{ name }]) => served.get(name)?.includes(column)));

/** `%` and `_` are literal in a substring filter. */
export const literalPattern = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

function condition(field: Field, value: unknown): Sql {
  const column = raw(`r."${field.name}"`);
  if (field.filter === 'contains') return sql`dotless(folded(${column})) LIKE ${`%${literalPattern(dotless(folded(String(value))))}%`}`;
  if (field.filter === 'prefix' && String(value).endsWith('/')) return sql`${column} LIKE ${`${literalPattern(String(value))}%`}`;
  if (field.filter === 'range') {
    const [from, to] = value as readonly unknown[];
    return to === undefined ? sql`${column} >= ${from}` : sql`${column} BETWEEN ${from} AND ${to}`;
  }
  return sql`${column} = ${value}`;
}

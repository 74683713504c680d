import { literalPattern, sql, type Sql } from '@atrium/platform/database';
import type { JsonValue } from '@atrium/platform/kernel';
import type { SearchOperand } from '../domain/read-query';
import type { SearchLeaf, SearchScope } from '../domain/search-query';
import { DURATION_TEXT, FLAG, INSTANT_VALUE, listOf, NUMBER, pairOf, type SearchValue } from '../domain/search-values';
import type { SearchContext } from './search-context';
import type { SearchField } from './search-fields';

type Operands = Readonly<Record<string, SearchOperand>>;

/** `exists`, and `exists: false` for its opposite. */
export const EXISTS: SearchOperand = { value: FLAG, optional: true };

/** The value of an operator that takes a text. */
export const textOf = ({ value }: SearchLeaf): string => (typeof value === 'string' ? value : '');

/** An operator of no field reached compilation: queries are read before. */
export const unknownOperator = (field: string, op: string): Error => new Error(`The search field ${field} has no operator ${op}.`);

/** eq ne, and lists where `in` and `not_in` are asked for. */
export const comparableOperands = (value: SearchValue, lists: readonly ('in' | 'not_in')[] = ['in', 'not_in']): Operands => ({
  eq: { value },
  ne: { value },
  ...Object.fromEntries(lists.map((op) => [op, { value: listOf(value) }])),
});

export const numericOperands = (value: SearchValue = NUMBER): Operands => ({
  ...comparableOperands(value, []),
  lt: { value },
  lte: { value },
  gt: { value },
  gte: { value },
  between: { value: pairOf(value) },
});

export const TEMPORAL: Operands = {
  before: { value: INSTANT_VALUE },
  after: { value: INSTANT_VALUE },
  between: { value: pairOf(INSTANT_VALUE) },
  within: { value: DURATION_TEXT },
};

const NUMERIC_EXAMPLES = (few: number, many: number): Record<string, JsonValue> => ({
  eq: few,
  ne: few,
  lt: many,
  lte: many,
  gt: few,
  gte: few,
  between: [few, many],
});
const TEMPORAL_EXAMPLES: Readonly<Record<string, JsonValue>> = {
  before: { today: true },
  after: '2024-05-01T00:00:00Z',
  between: ['2024-05-01', '2024-06-01'],
  within: 'P30D',
};

/** A field of numbers in one column. */
export function numberField({
  name,
  scopes,
  column,
  as,
  value = NUMBER,
  about,
  examples: [few, many],
}: {
  readonly name: string;
  readonly scopes: readonly SearchScope[];
  readonly column: Sql;
  /** The type of the column, so that an index serves; else double precision. */
  readonly as?: Sql;
  readonly value?: SearchValue;
  readonly about: string;
  readonly examples: readonly [number, number];
}): SearchField {
  return {
    name,
    scopes,
    type: about,
    operators: numericOperands(value),
    examples: NUMERIC_EXAMPLES(few, many),
    compileLeaf: (leaf) => numberCondition(column, leaf, as),
  };
}

/** A number compared with one or two others; the operators of `numericOperands`. */
export function numberCondition(column: Sql, { field, op, value }: SearchLeaf, as: Sql = sql`double precision`): Sql {
  const [low, high] = Array.isArray(value) ? (value as readonly number[]) : [];
  switch (op) {
    case 'eq':
      return sql`${column} = ${value}::${as}`;
    case 'lt':
      return sql`${column} < ${value}::${as}`;
    case 'lte':
      return sql`${column} <= ${value}::${as}`;
    case 'gt':
      return sql`${column} > ${value}::${as}`;
    case 'gte':
      return sql`${column} >= ${value}::${as}`;
    case 'between':
      return sql`${column} BETWEEN ${low}::${as} AND ${high}::${as}`;
    default:
      throw unknownOperator(field, op);
  }
}

/** A field of instants in one column; `exists` where it may be missing. */
export function instantField({
  name,
  scopes,
  column,
  about,
  optional = false,
  compare = instantCondition,
}: {
  readonly name: string;
  readonly scopes: readonly SearchScope[];
  readonly column: Sql;
  readonly about: string;
  readonly optional?: boolean;
  readonly compare?: typeof instantCondition;
}): SearchField {
  const more: Operands = optional ? { exists: EXISTS } : {};
  return {
    name,
    scopes,
    type: about,
    operators: { ...TEMPORAL, ...more },
    examples: { ...TEMPORAL_EXAMPLES, ...(optional ? { exists: true } : {}) },
    compileLeaf: (leaf, context) => (optional && leaf.op === 'exists' ? sql`${column} IS NOT NULL` : compare(column, leaf, context)),
  };
}

/** An instant compared with others; the operators of `TEMPORAL`. */
export function instantCondition(column: Sql, { field, op, value }: SearchLeaf, context: SearchContext): Sql {
  const [from, to] = Array.isArray(value) ? (value as readonly JsonValue[]) : [];
  switch (op) {
    case 'before':
      return sql`${column} < ${context.instant(value)}`;
    case 'after':
      return sql`${column} > ${context.instant(value)}`;
    case 'between':
      return sql`${column} BETWEEN ${context.instant(from)} AND ${context.instant(to)}`;
    case 'within':
      return sql`${column} BETWEEN ${context.ago(typeof value === 'string' ? value : '')} AND ${context.moment}`;
    default:
      throw unknownOperator(field, op);
  }
}

/** What the clock of a camera showed, compared with others; the operators of `TEMPORAL`. */
export function clockCondition(column: Sql, { field, op, value }: SearchLeaf, context: SearchContext): Sql {
  const [from, to] = Array.isArray(value) ? (value as readonly JsonValue[]) : [];
  switch (op) {
    case 'before':
      return sql`${column} < ${context.clock(value)}`;
    case 'after':
      return sql`${column} > ${context.clock(value)}`;
    case 'between':
      return sql`${column} BETWEEN ${context.clock(from)} AND ${context.clock(to)}`;
    case 'within':
      return sql`${column} BETWEEN ${context.clockAgo(typeof value === 'string' ? value : '')} AND ${context.latestClock}`;
    default:
      throw unknownOperator(field, op);
  }
}

/** A text compared with one or any of several; `eq` and `in`. */
export function wordCondition(column: Sql, { field, op, value }: SearchLeaf): Sql {
  if (op === 'eq') return sql`${column} = ${value}::text`;
  if (op === 'in') return sql`${column} = ANY(${value}::text[])`;
  throw unknownOperator(field, op);
}

/** A boolean that a condition answers; `eq` with true or false. */
export const flagField = (
  name: string,
  scopes: readonly SearchScope[],
  about: string,
  condition: (context: SearchContext) => Sql,
): SearchField => ({
  name,
  scopes,
  type: about,
  operators: { eq: { value: FLAG } },
  examples: { eq: true },
  compileLeaf: ({ value }, context) => (value === true ? condition(context) : sql`((${condition(context)}) IS NOT TRUE)`),
});

/** Patterns for `LIKE` over lower case with one letter i (`dotless`); `%` and `_` of the text stand for themselves. */
export const PATTERNS: Readonly<Record<string, (text: string) => Sql>> = {
  contains: (text) => sql`dotless(lower(${`%${literalPattern(text)}%`}::text))`,
  starts_with: (text) => sql`dotless(lower(${`${literalPattern(text)}%`}::text))`,
  ends_with: (text) => sql`dotless(lower(${`%${literalPattern(text)}`}::text))`,
};

const RUN = /[\p{L}\p{N}]+/gu;

/** Whether a trigram index narrows such a search down: a run of letters that holds one trigram at least. */
export const hasTrigram = (text: string): boolean => (text.match(RUN) ?? []).some((run) => [...run].length >= 3);

/**
 * The distinct values of a column among the live files of the scope, one step of an index each, that fit a condition on
 * `v`. The column leads an index behind tenant and repository.
 */
export const distinctValues = (column: Sql, scope: SearchScope, condition: Sql): Sql => {
  const next = (after: Sql): Sql =>
    sql`SELECT f.${column} FROM file f WHERE f.tenant_id = current_tenant() AND f.repo_key = ${scope} AND f.file_deleted IS NULL AND ${after} ORDER BY f.${column} LIMIT 1`;
  return sql`ARRAY(
    WITH RECURSIVE step (v) AS ((${next(sql`f.${column} IS NOT NULL`)}) UNION ALL SELECT (${next(sql`f.${column} > step.v`)}) FROM step WHERE step.v IS NOT NULL)
    SELECT v FROM step WHERE v IS NOT NULL AND ${condition})`;
};

/** The live files of the scope that have one of those values, at most so many: for few values among many files. */
export const filesBearing = (column: Sql, scope: SearchScope, condition: Sql, most: number): Sql => sql`
  SELECT o.file_id FROM unnest(${distinctValues(column, scope, condition)}) AS w (v)
  CROSS JOIN LATERAL (SELECT f.file_id FROM file f WHERE f.tenant_id = current_tenant() AND f.repo_key = ${scope} AND f.file_deleted IS NULL AND f.${column} = w.v LIMIT ${most}) o LIMIT ${most}`;

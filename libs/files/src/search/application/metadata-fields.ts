import { join, sql, type Sql } from '@atrium/platform/database';
import type { JsonValue } from '@atrium/platform/kernel';
import { SYSTEM_KEY } from '../../core/domain/file';
import { listOf, ORDERED, SCALAR, TEXT } from '../domain/search-values';
import type { SearchLeaf } from '../domain/search-query';
import { EXISTS, PATTERNS, textOf, unknownOperator } from './field-kinds';
import type { SearchFamily, SearchField } from './search-fields';

const KEY = /^[A-Za-z0-9_-]{1,64}$/;
const POSITION = /^-?\d+$/;
const MAX_LEVELS = 4;
const ORDERS: Readonly<Record<string, Sql>> = { lt: sql`<`, lte: sql`<=`, gt: sql`>`, gte: sql`>=` };
const EXAMPLES: Readonly<Record<string, JsonValue>> = {
  eq: 'ACME',
  ne: 'ACME',
  contains: 'acm',
  in: ['ACME', 'Initech'],
  exists: true,
  lt: 10,
  lte: 10,
  gt: 3,
  gte: 3,
};

/** Scalars of the free metadata by their dotted path; numbers are compared with numbers, texts with texts, byte by byte. */
export const METADATA_FAMILY: SearchFamily = {
  name: 'metadata.<key>',
  prefix: 'metadata.',
  scopes: ['media', 'docs'],
  examples: EXAMPLES,
  fieldOf(rest) {
    const path = rest.split('.');
    return path.length <= MAX_LEVELS && path.every((key) => KEY.test(key)) ? metadataField(path) : null;
  },
};

function metadataField(path: readonly string[]): SearchField {
  const at = sql`(r.file_metadata #> ${[...path]}::text[])`;
  const text = sql`(r.file_metadata #>> ${[...path]}::text[])`;
  return {
    name: `metadata.${path.join('.')}`,
    scopes: ['media', 'docs'],
    type: 'text, number or boolean',
    operators: {
      eq: { value: SCALAR },
      ne: { value: SCALAR },
      contains: { value: TEXT },
      in: { value: listOf(SCALAR) },
      exists: EXISTS,
      lt: { value: ORDERED },
      lte: { value: ORDERED },
      gt: { value: ORDERED },
      gte: { value: ORDERED },
    },
    examples: EXAMPLES,
    compileLeaf: (leaf) => {
      if (leaf.op === 'exists') return sql`${at} <> 'null'::jsonb`;
      if (leaf.op === 'eq' || leaf.op === 'in')
        return sql`${at} IN (${join(valuesOf(leaf).map((value) => sql`${JSON.stringify(value)}::jsonb`))})`;
      if (leaf.op === 'contains')
        return sql`(jsonb_typeof(${at}) = 'string' AND dotless(lower(${text})) LIKE ${PATTERNS.contains?.(textOf(leaf))})`;
      return ordered(leaf, at, text);
    },
    candidateQuery: (leaf, _, most) => {
      // Numbers in a path reach into lists, which containment does not; what the service wrote is not in the index.
      if (leaf.op !== 'eq' && leaf.op !== 'in') return null;
      if (path[0] === SYSTEM_KEY || path.some((key) => POSITION.test(key))) return null;
      return join(
        valuesOf(leaf).map((value) => sql`SELECT files_with_metadata(${JSON.stringify(nested(path, value))}::jsonb, ${most}::integer)`),
        ' UNION ALL ',
      );
    },
  };
}

const valuesOf = ({ value }: SearchLeaf): readonly JsonValue[] =>
  Array.isArray(value) ? (value as readonly JsonValue[]) : value === undefined ? [] : [value];

const nested = (path: readonly string[], value: JsonValue): JsonValue =>
  path.reduceRight((inner: JsonValue, key): JsonValue => ({ [key]: inner }), value);

function ordered({ field, op, value }: SearchLeaf, at: Sql, text: Sql): Sql {
  const order = ORDERS[op];
  if (!order) throw unknownOperator(field, op);
  return typeof value === 'number'
    ? sql`CASE WHEN jsonb_typeof(${at}) = 'number' THEN ${at}::numeric ${order} ${String(value)}::numeric END`
    : sql`CASE WHEN jsonb_typeof(${at}) = 'string' THEN ${text} COLLATE "C" ${order} ${value}::text END`;
}

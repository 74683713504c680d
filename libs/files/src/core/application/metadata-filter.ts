import { empty, join, raw, sql, type Sql } from '@atrium/platform/database';
import { invalidField } from '@atrium/platform/kernel';

/** `file_metadata[key]=v` as the query string is read; `file_metadata[system][width]=4032` reaches inside. */
export interface MetadataFilter {
  readonly [key: string]: string | MetadataFilter;
}

const KEY = /^[A-Za-z0-9_-]{1,64}$/;
const MAX_LEVELS = 4;
const MAX_LEAVES = 20;
const MAX_VALUE = 500;

interface Leaf {
  /** The column, then the keys. */
  readonly path: readonly string[];
  readonly value: string;
}

/** The columns on `r` that are read in this way. */
export type MetadataColumn = 'file_metadata' | 'wildcard_metadata' | 'thread_metadata';

/** Exact matches on scalar metadata: each named key has the value, compared as text. */
export function metadataCondition(filter: MetadataFilter | undefined, column: MetadataColumn = 'file_metadata'): Sql {
  const leaves = filter ? leavesOf(filter, [column]) : [];
  if (leaves.length === 0) return empty;
  if (leaves.length > MAX_LEAVES) throw invalidField(column, `must have at most ${MAX_LEAVES} keys`, 'too_many');
  return join(
    leaves.map(({ path: [, ...path], value }) => sql`r.${raw(column)} #>> ${path}::text[] = ${value}`),
    ' AND ',
  );
}

function leavesOf(filter: MetadataFilter, above: readonly string[]): Leaf[] {
  return Object.entries(filter).flatMap(([key, value]): Leaf[] => {
    const path = [...above, key];
    const where = path.join('.').slice(0, 200);
    if (!KEY.test(key)) throw invalidField(where, 'must have keys of letters, digits, _ and -', 'pattern');
    if (typeof value === 'string') return value.length <= MAX_VALUE ? [{ path, value }] : tooLong(where);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalidField(where, 'must have one value', 'string');
    if (path.length > MAX_LEVELS) throw invalidField(where, `must be nested at most ${MAX_LEVELS} levels deep`, 'too_deep');
    return leavesOf(value, path);
  });
}

const tooLong = (where: string): never => {
  throw invalidField(where, `must have at most ${MAX_VALUE} characters`, 'too_long');
};

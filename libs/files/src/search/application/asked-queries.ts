import type { Sql } from '@atrium/platform/database';
import type { FieldFault } from '@atrium/platform/kernel';
import type { SearchLeaf, SearchQuery } from '../domain/search-query';
import { negatedCondition, NOTHING, oneOf } from './search-compiler';
import type { SearchContext } from './search-context';
import type { SearchField } from './search-fields';

const NAMED = 5;

/** A leaf as one reader asks it now. */
export interface AskedLeaf {
  readonly path: string;
  readonly leaf: SearchLeaf;
  /** What is compiled, and whether its opposite is meant. */
  readonly positive: SearchLeaf;
  readonly negated: boolean;
  /** Absent when a field has gone since the query was kept. */
  readonly field: SearchField | undefined;
  readonly context: SearchContext;
  readonly names: readonly string[];
  /** Leaves of one such key ask for their names together. */
  readonly referenced: string;
}

/** A query as one reader asks it now. */
export interface AskedQuery {
  readonly query: SearchQuery;
  readonly context: SearchContext;
  readonly leaves: readonly AskedLeaf[];
  readonly text: { readonly path: string; readonly leaf: SearchLeaf; readonly words: string } | null;
}

/** A leaf as a condition on the file row `r`; `found` has the files of leaves that an index found few for. */
export function conditionOfLeaf(asking: AskedLeaf, found: ReadonlyMap<object, readonly string[]>): Sql {
  const { positive, negated, field, context } = asking;
  const few = found.get(asking);
  const condition = few ? oneOf(few) : (field?.compileLeaf(positive, context) ?? NOTHING);
  return negated ? negatedCondition(condition) : condition;
}

/** What a leaf names and its reader does not find. */
export function warningOf(
  { path, leaf, field, names, referenced }: AskedLeaf,
  there: ReadonlyMap<string, ReadonlySet<string>>,
): FieldFault[] {
  if (!field) return [{ path: `${path}.field`, code: 'unknown_field', message: `${leaf.field} no longer exists` }];
  const gone = names.filter((name) => !there.get(referenced)?.has(name));
  if (gone.length === 0) return [];
  return [
    {
      path: `${path}.value`,
      code: 'reference',
      message: `refers to a ${field.references?.kind} that does not exist or that you cannot read: ${gone.slice(0, NAMED).join(', ')}`,
    },
  ];
}

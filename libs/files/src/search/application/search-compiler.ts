import { empty, join, sql, type Sql } from '@atrium/platform/database';
import type { SearchLeaf, SearchNode } from '../domain/search-query';
import { NEGATIONS } from './search-fields';

const TRUE = sql`true`;
export const NOTHING = sql`false`;

/** Whether a leaf asks for the opposite of another one, and which that is. */
export function positiveOf(leaf: SearchLeaf): { readonly leaf: SearchLeaf; readonly negated: boolean } {
  const op = NEGATIONS[leaf.op];
  if (op) return { leaf: { ...leaf, op }, negated: true };
  if (leaf.op === 'exists' && leaf.value === false) return { leaf: { field: leaf.field, op: 'exists' }, negated: true };
  return { leaf, negated: false };
}

/** The opposite of a condition that may be null: null is false, so its opposite is true. */
export const negatedCondition = (condition: Sql): Sql => sql`((${condition}) IS NOT TRUE)`;

/** The condition of a tree of leaves. Null never reaches a negation, and at the top a filter takes it for false. */
export function conditionOf(node: SearchNode, leaf: (leaf: SearchLeaf) => Sql): Sql {
  if ('all' in node)
    return together(
      node.all.map((child) => conditionOf(child, leaf)),
      ' AND ',
      TRUE,
    );
  if ('any' in node)
    return together(
      node.any.map((child) => conditionOf(child, leaf)),
      ' OR ',
      NOTHING,
    );
  if ('not' in node) return negatedCondition(conditionOf(node.not, leaf));
  return leaf(node);
}

function together(conditions: readonly Sql[], word: string, none: Sql): Sql {
  return conditions.length === 0 ? none : sql`(${join([...conditions], word)})`;
}

/** Files by their ids, as many as were found through an index. */
export const oneOf = (file_ids: readonly string[]): Sql =>
  file_ids.length === 0 ? NOTHING : sql`r.file_id = ANY(${[...file_ids]}::uuid[])`;

/** What is said, joined; nothing said is true. */
export const allOf = (conditions: readonly Sql[]): Sql => {
  const said = conditions.filter((condition) => condition !== empty);
  return said.length === 0 ? TRUE : join(said, ' AND ');
};

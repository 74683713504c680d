import { asJson, type JsonValue } from '@atrium/platform/kernel';
import { sortedJson, type SearchLeaf, type SearchNode, type SearchQuery } from './search-query';

/** List operators that say the same as a plainer one when the list has one item. */
const SINGULAR: Readonly<Record<string, string>> = { in: 'eq', not_in: 'ne' };

/**
 * The form in which queries are stored and compared: a list of one is a plain comparison, groups of one child are that
 * child, nothing is said twice. The order of what is left is the author's.
 */
export function canonicalQuery({ where, text, sort }: SearchQuery, has: (field: string, op: string) => boolean): SearchQuery {
  return {
    ...(sort === undefined ? {} : { sort }),
    ...(text === undefined ? {} : { text }),
    ...(where === undefined ? {} : { where: canonicalNode(where, has) }),
  };
}

function canonicalNode(node: SearchNode, has: (field: string, op: string) => boolean): SearchNode {
  if ('all' in node)
    return group(
      'all',
      node.all.map((child) => canonicalNode(child, has)),
    );
  if ('any' in node)
    return group(
      'any',
      node.any.map((child) => canonicalNode(child, has)),
    );
  if ('not' in node) return { not: canonicalNode(node.not, has) };
  return canonicalLeaf(node, has);
}

function group(kind: 'all' | 'any', children: readonly SearchNode[]): SearchNode {
  const said = new Map(children.map((child) => [sortedJson(asJson(child)), child]));
  const [only] = said.values();
  if (said.size === 1 && only) return only;
  return kind === 'all' ? { all: [...said.values()] } : { any: [...said.values()] };
}

function canonicalLeaf({ field, op, value }: SearchLeaf, has: (field: string, op: string) => boolean): SearchLeaf {
  if (op === 'exists' && value === true) return { field, op };
  const singular = SINGULAR[op];
  if (singular && Array.isArray(value) && value.length === 1 && has(field, singular))
    return { field, op: singular, value: value[0] as JsonValue };
  return value === undefined ? { field, op } : { field, op, value };
}

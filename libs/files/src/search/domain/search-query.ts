import type { JsonObject, JsonValue } from '@atrium/platform/kernel';

/** Which library a query is asked of. */
export type SearchScope = 'media' | 'docs';

export const SEARCH_SCOPES = ['media', 'docs'] as const satisfies readonly SearchScope[];

/** One question about a file: a field, an operator of that field, and what it is compared with. */
export interface SearchLeaf {
  readonly field: string;
  readonly op: string;
  readonly value?: JsonValue;
}

/** A leaf, or a group of nodes: `all` of none is true, `any` of none is false. */
export type SearchNode =
  SearchLeaf | { readonly all: readonly SearchNode[] } | { readonly any: readonly SearchNode[] } | { readonly not: SearchNode };

/** A query in canonical form; without a part, that part matches everything. */
export interface SearchQuery {
  readonly sort?: string;
  readonly text?: string;
  readonly where?: SearchNode;
}

export const SEARCH_LIMITS = { groups: 6, leaves: 50, listed: 200, bytes: 32 * 1024, characters: 500 } as const;

/** A leaf and its position in its query: `where.all[1]`. */
export interface PlacedLeaf {
  readonly path: string;
  readonly leaf: SearchLeaf;
}

/** The leaves of a query in the order in which they are written. */
export function leavesOf({ where }: SearchQuery): PlacedLeaf[] {
  return where ? leavesBelow(where, 'where') : [];
}

function leavesBelow(node: SearchNode, path: string): PlacedLeaf[] {
  if ('all' in node) return node.all.flatMap((child, at) => leavesBelow(child, `${path}.all[${at}]`));
  if ('any' in node) return node.any.flatMap((child, at) => leavesBelow(child, `${path}.any[${at}]`));
  if ('not' in node) return leavesBelow(node.not, `${path}.not`);
  return [{ path, leaf: node }];
}

/** JSON with sorted keys: equal queries have one text, whatever the order in which they were written or stored. */
export function sortedJson(value: JsonValue | undefined): string {
  if (Array.isArray(value)) return `[${value.map(sortedJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const object = value as JsonObject;
  return `{${Object.keys(object)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${sortedJson(object[key])}`)
    .join(',')}}`;
}

/** The query as a JSON object, as it is stored and answered. */
export const toJson = (query: SearchQuery): JsonObject => JSON.parse(sortedJson(query as JsonObject)) as JsonObject;

/** One text for all queries that ask the same in canonical form. */
export const queryText = (query: SearchQuery): string => sortedJson(query as JsonObject);

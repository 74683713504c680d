import { decodeCursor, DEFAULT_LIMIT, encodeCursor, MAX_EXTENDED_LIMIT, MAX_LIMIT, type ListParameters } from '@atrium/platform/database';
import type { Near } from '@atrium/retrieval';

/** Matches that are looked at when likeness gives the order; there are no pages behind them. */
export const MOST_SCORED = 1_000;

const SORT = 'similarity';

export interface ScoredPage {
  readonly slice: readonly Near[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

/** How many of the best matches a page needs to be cut and to know whether there are more. */
export function scoredDepth(parameters: ListParameters): number {
  const position = decodeCursor(parameters.cursor, SORT);
  const start = position ? Number(position.key) || 0 : (parameters.offset ?? 0);
  return Math.min(start + sizeOf(parameters) + 1, MOST_SCORED);
}

/** One page of matches in the order of their score: behind the match where the last page ended, or past an offset. */
export function scoredPage(near: readonly Near[], parameters: ListParameters): ScoredPage {
  const size = sizeOf(parameters);
  const position = decodeCursor(parameters.cursor, SORT);
  const start = position ? behind(near, position) : (parameters.offset ?? 0);
  const slice = near.slice(start, start + size);
  const has_more = start + size < near.length;
  const last = slice.at(-1);
  return { slice, has_more, next_cursor: has_more && last ? encodeCursor({ sort: SORT, key: start + size, id: last.id }) : null };
}

const sizeOf = ({ limit = DEFAULT_LIMIT, limit_extended }: ListParameters): number =>
  limit_extended === undefined ? Math.min(limit, MAX_LIMIT) : Math.min(limit_extended, MAX_EXTENDED_LIMIT);

/** Scores move when files come and go: the match itself is looked for, its old place is the fallback. */
function behind(near: readonly Near[], { key, id }: { readonly key: string | number; readonly id: string }): number {
  const at = near.findIndex((match) => match.id === id);
  return at >= 0 ? at + 1 : Number(key) || 0;
}

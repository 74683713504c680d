import { diff3Merge, diffComm } from 'node-diff3';

/** Pairs of items that one comparison may look at; beyond it the whole is taken as changed. */
const MOST_PAIRS = 1_000_000;
/** The same for all comparisons of two pages. */
const MOST_PAIRS_OF_ALL = 5_000_000;

/** A run of items: in both, or only before, or only after. */
export interface SequenceChange {
  readonly op: 'same' | 'removed' | 'added';
  readonly items: readonly string[];
}

/** What the comparisons of one request may cost together. */
export class DiffEffort {
  private left = MOST_PAIRS_OF_ALL;

  /** Whether a comparison may still be made, which is then paid for. */
  spend(pairs: number): boolean {
    if (pairs > MOST_PAIRS || pairs > this.left) return false;
    this.left -= pairs;
    return true;
  }
}

/** The difference of two sequences. What they begin and end with in common costs nothing; the rest is compared within a bound. */
export function diffSequences(before: readonly string[], after: readonly string[], effort = new DiffEffort()): readonly SequenceChange[] {
  const { start, end } = commonEnds([before, after]);
  const [from, to] = [before.slice(start, before.length - end), after.slice(start, after.length - end)];
  const middle = effort.spend(from.length * to.length) ? diffComm(from, to) : [{ buffer1: from, buffer2: to }];
  const changes = middle.flatMap((part): SequenceChange[] =>
    'common' in part && part.common
      ? [{ op: 'same', items: part.common }]
      : [
          { op: 'removed', items: part.buffer1 ?? [] },
          { op: 'added', items: part.buffer2 ?? [] },
        ],
  );
  return [
    { op: 'same', items: before.slice(0, start) } as const,
    ...changes,
    { op: 'same', items: before.slice(before.length - end) } as const,
  ].filter(({ items }) => items.length > 0);
}

/** Two changed sequences as one; null where both changed the same place, or where the comparison would cost too much. */
export function mergeSequences(local: readonly string[], base: readonly string[], remote: readonly string[]): readonly string[] | null {
  const { start, end } = commonEnds([local, base, remote]);
  const [l, b, r] = [local, base, remote].map((list) => list.slice(start, list.length - end));
  if (!l || !b || !r || b.length * Math.max(l.length, r.length) > MOST_PAIRS) return null;
  const regions = diff3Merge(l, b, r, { excludeFalseConflicts: true });
  if (regions.some(({ conflict }) => conflict)) return null;
  return [...base.slice(0, start), ...regions.flatMap(({ ok }) => ok ?? []), ...base.slice(base.length - end)];
}

function commonEnds(lists: readonly (readonly string[])[]): { readonly start: number; readonly end: number } {
  const shortest = Math.min(...lists.map(({ length }) => length));
  const [first = []] = lists;
  let start = 0;
  while (start < shortest && lists.every((list) => list[start] === first[start])) start++;
  let end = 0;
  while (end < shortest - start && lists.every((list) => list[list.length - 1 - end] === first[first.length - 1 - end])) end++;
  return { start, end };
}

/** The items of a sequence that keep their order when the others are moved: the longest run of rising positions. */
export function settledItems(items: readonly string[], positions: ReadonlyMap<string, number>): ReadonlySet<string> {
  // The last item of the best run of each length, and what comes before each item in its run.
  const tails: string[] = [];
  const previous = new Map<string, string | undefined>();
  const at = (item: string | undefined): number => positions.get(item ?? '') ?? -1;
  for (const item of items) {
    let [low, high] = [0, tails.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (at(tails[middle]) < at(item)) low = middle + 1;
      else high = middle;
    }
    previous.set(item, tails[low - 1]);
    tails[low] = item;
  }
  const settled = new Set<string>();
  for (let item = tails.at(-1); item !== undefined; item = previous.get(item)) settled.add(item);
  return settled;
}

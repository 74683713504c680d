/** One of several files that may be copies of each other, as far as they are compared. */
export interface Copy {
  readonly file_id: string;
  readonly file_hash: string | null;
  readonly file_size: number;
  readonly file_created: string;
  readonly phash: string | null;
  readonly width: number | null;
  readonly height: number | null;
  readonly known: number;
  /** Part of its pixels that it needs for what it shows; null where nobody measured. */
  readonly detail: number | null;
  /** How many of time, camera, lens and place are known of its capture. */
  readonly captured: number;
  /** When it was taken, ISO 8601. */
  readonly taken: string | null;
}

/** In what a copy is the best of its group: more pixels, more bytes or more metadata than at least one other, and less than none. */
export interface WhyBetter {
  readonly pixels: boolean;
  readonly size: boolean;
  readonly metadata: boolean;
}

const BITS = 64;
/** Looks that differ in more bits are no copy. */
const MOST_DISTANCE = 6;
/** The same as a similarity. */
export const COPY_SIMILARITY = 1 - MOST_DISTANCE / BITS;
/** A picture of one tone has hardly a bit set, or hardly one not: that says nothing about what it shows. */
const LEAST_TELLING = 4;

const pixelsOf = ({ width, height }: Copy): number => (width ?? 0) * (height ?? 0);

/**
 * Best first: the most probable original. Of those that show about as much as any, the one that knows most of its
 * capture, then the one taken first; then whatever shows most, has most bytes, most metadata, and is the oldest here.
 */
export function bestFirst<C extends Copy>(copies: readonly C[]): C[] {
  const shown = shownBy(copies);
  const most = Math.max(...shown.values());
  const ranks = new Map(copies.map((copy) => [copy, rankOf(copy, { shown: shown.get(copy) ?? 0, most })]));
  return [...copies].sort((a, b) => inOrder(ranks.get(a) ?? [], ranks.get(b) ?? []));
}

/** A copy that shows less than this part of what the best does is reduced, whatever it knows. */
const AS_MUCH = 0.8;
/** An enlarged copy keeps a little of its new pixels busy; a picture that is really larger keeps more than this busy. */
const PIXELS_BUSY = 0.55;

/** How much each shows: its pixels, less those that an enlargement made up. */
function shownBy<C extends Copy>(copies: readonly C[]): Map<C, number> {
  const measured = copies.every(({ detail }) => detail !== null);
  return new Map(
    copies.map((copy) => [copy, measured ? pixelsOf(copy) ** PIXELS_BUSY * (copy.detail ?? 1) : pixelsOf(copy) ** PIXELS_BUSY]),
  );
}

type Rank = readonly (number | string)[];

/** Smaller is better. */
function rankOf(copy: Copy, { shown, most }: { readonly shown: number; readonly most: number }): Rank {
  const { captured, taken, file_size, known, file_created, file_id } = copy;
  const original = shown >= most * AS_MUCH;
  return [original ? 0 : 1, original ? -captured : 0, original ? (taken ?? '~') : '', -shown, -file_size, -known, file_created, file_id];
}

function inOrder(a: Rank, b: Rank): number {
  for (const [at, value] of a.entries()) {
    const other = b[at] ?? value;
    if (value !== other) return value < other ? -1 : 1;
  }
  return 0;
}

export function whyBetter(copy: Copy, all: readonly Copy[]): WhyBetter {
  const best = (measure: (of: Copy) => number): boolean => {
    const values = all.map(measure);
    return measure(copy) === Math.max(...values) && measure(copy) > Math.min(...values);
  };
  return { pixels: best(pixelsOf), size: best(({ file_size }) => file_size), metadata: best(({ known }) => known) };
}

/** From 0 to 1; equal bytes are 1, and so may pictures be that merely look the same. */
export function similarityOf(a: Copy, b: Copy): number {
  if (a.file_id === b.file_id || sameBytes(a, b)) return 1;
  if (a.phash === null || b.phash === null) return 0;
  return Math.round((1 - bitsApart(a.phash, b.phash) / BITS) * 10_000) / 10_000;
}

export const sameBytes = (a: Copy, b: Copy): boolean =>
  a.file_hash !== null && a.file_hash === b.file_hash && a.file_size === b.file_size && a.file_size > 0;

/** Whether looks tell enough of a picture for others of the same looks to be taken for copies of it. */
export function isDistinctive(phash: string | null): boolean {
  if (phash === null) return false;
  const set = bitsSet(BigInt(`0x${phash}`));
  return set >= LEAST_TELLING && set <= BITS - LEAST_TELLING;
}

const bitsApart = (a: string, b: string): number => bitsSet(BigInt(`0x${a}`) ^ BigInt(`0x${b}`));

function bitsSet(hash: bigint): number {
  let set = 0;
  for (let rest = hash; rest !== 0n; rest &= rest - 1n) set++;
  return set;
}

/** A pair without order: the smaller id first. */
const pairOf = (a: string, b: string): readonly [string, string] => (a < b ? [a, b] : [b, a]);

/** Every pair among the files. */
export const pairsAmong = (ids: readonly string[]): (readonly [string, string])[] =>
  ids.flatMap((a, at) => ids.slice(at + 1).map((b) => pairOf(a, b)));

/** Takes the files in their order, but none that somebody said is no duplicate of one already taken. */
export function withoutDismissed(ids: readonly string[], dismissed: readonly (readonly [string, string])[], most: number): string[] {
  const apart = new Set(dismissed.map((pair) => pair.join()));
  const taken: string[] = [];
  for (const id of new Set(ids)) if (taken.length < most && taken.every((other) => !apart.has(pairOf(id, other).join()))) taken.push(id);
  return taken;
}

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
}

/** In what a copy is the best of its group: more pixels, more bytes or more metadata than at least one other, and less than none. */
export interface WhyBetter {
  readonly pixels: boolean;
  readonly size: boolean;
  readonly metadata: boolean;
}

const BITS = 64;
/** Looks that differ in more bits are no copy. */
export const MOST_DISTANCE = 6;
/** The same as a similarity. */
export const COPY_SIMILARITY = 1 - MOST_DISTANCE / BITS;
/** A picture of one tone has hardly a bit set, or hardly one not: that says nothing about what it shows. */
const LEAST_TELLING = 4;

const pixelsOf = ({ width, height }: Copy): number => (width ?? 0) * (height ?? 0);

/** Best first: most pixels, then most bytes, then most metadata, then the oldest. */
export const bestFirst = (copies: readonly Copy[]): Copy[] =>
  [...copies].sort(
    (a, b) => pixelsOf(b) - pixelsOf(a) || b.file_size - a.file_size || b.known - a.known || (a.file_created < b.file_created ? -1 : a.file_created > b.file_created ? 1 : a.file_id < b.file_id ? -1 : 1),
  );

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

export const sameBytes = (a: Copy, b: Copy): boolean => a.file_hash !== null && a.file_hash === b.file_hash && a.file_size === b.file_size;

/** Whether looks tell enough of a picture for others of the same looks to be taken for copies of it. */
export function tells(phash: string | null): boolean {
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
export const pairOf = (a: string, b: string): readonly [string, string] => (a < b ? [a, b] : [b, a]);

/** Every pair among the files. */
export const pairsAmong = (ids: readonly string[]): (readonly [string, string])[] => ids.flatMap((a, at) => ids.slice(at + 1).map((b) => pairOf(a, b)));

/** Takes the files in their order, but none that somebody said is no duplicate of one already taken. */
export function withoutDismissed(ids: readonly string[], dismissed: readonly (readonly [string, string])[], most: number): string[] {
  const apart = new Set(dismissed.map((pair) => pair.join()));
  const taken: string[] = [];
  for (const id of new Set(ids)) if (taken.length < most && taken.every((other) => !apart.has(pairOf(id, other).join()))) taken.push(id);
  return taken;
}

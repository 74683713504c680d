import { normalized } from '@atrium/platform/kernel';

/** Words and numbers of a file that its text does not hold. */
export interface TextLoss {
  /** Part of the words and numbers of the file, above 0 and at most 1. */
  readonly share: number;
  /** A sentence for people. */
  readonly reason: string;
}

/** Different words that are followed; a file that has more is compared by these. */
const MOST_DIFFERENT = 200_000;
const LONGEST_WORD = 64;
/** Pieces of words that are looked for: a hostile file could ask for as many as it has words, times the square of their length. */
const MOST_LOOKUPS = 2_000_000;
/** What may be missing without a word about it: fewer words than these, and a smaller part. */
const FEW = 5;
const LITTLE = 0.01;

const RUN = /[\p{L}\p{M}]+|\p{N}+/gu;
/** Scripts that write no spaces: each sign is a word. */
const SIGN =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}]|[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}]+/gu;
/** Before this sign, no script goes without spaces. */
const FIRST_WITHOUT_SPACES = /[\u0E00-\uFFFF]/;
const SOFT_HYPHEN = /\u00AD/g;

/**
 * How often each word and number is in a text, whatever its order, spaces and punctuation: two texts that say the same count
 * alike. Its memory is bounded, and it takes time that grows with the text alone.
 */
export class SignCounts {
  private readonly counts = new Map<string, number>();

  constructor(text = '') {
    if (text !== '') this.add(text);
  }

  add(text: string): void {
    this.count(text, 1);
  }

  /** What the text leaves out on purpose, as the running header of a page, is not missed. */
  leaveOut(text: string): void {
    this.count(text, -1);
  }

  get total(): number {
    let sum = 0;
    for (const count of this.counts.values()) sum += Math.max(0, count);
    return sum;
  }

  /** Words that this has more often than the other, with how often. */
  without(other: SignCounts): Map<string, number> {
    const missing = new Map<string, number>();
    for (const [word, count] of this.counts) {
      const more = count - Math.max(0, other.counts.get(word) ?? 0);
      if (more > 0) missing.set(word, more);
    }
    return missing;
  }

  private count(text: string, by: number): void {
    for (const [run] of normalized(text, 'NFC').replace(SOFT_HYPHEN, '').matchAll(RUN)) {
      if (!FIRST_WITHOUT_SPACES.test(run)) this.countWord(run, by);
      else for (const [word] of run.matchAll(SIGN)) this.countWord(word, by);
    }
  }

  private countWord(run: string, by: number): void {
    const word = run.length > LONGEST_WORD ? run.slice(0, LONGEST_WORD) : run;
    const count = this.counts.get(word);
    if (count !== undefined) this.counts.set(word, count + by);
    else if (this.counts.size < MOST_DIFFERENT) this.counts.set(word, by);
  }
}

/**
 * What of a source its markdown does not hold; null where it is nothing, or next to nothing. Words that one of both writes in
 * pieces, as a word that was broken at the end of a line, are no loss.
 */
export function lossOf(source: SignCounts, markdown: string): TextLoss | null {
  const kept = new SignCounts(markdown);
  const missing = source.without(kept);
  if (missing.size === 0) return null;
  const added = kept.without(source);
  const patience = { left: MOST_LOOKUPS };
  for (const word of [...added.keys()]) coverBy(word, added, missing, patience);
  for (const word of [...missing.keys()]) coverBy(word, missing, added, patience);
  const lost = sumOf(missing);
  const total = source.total;
  if (lost === 0 || (lost < FEW && lost < total * LITTLE)) return null;
  const share = Math.min(1, Math.max(0.0001, Math.round((lost / total) * 10_000) / 10_000));
  return { share, reason: `${lost} of the ${total} words and numbers of the file are missing from its text.` };
}

/** Two losses of one file; they may be of the same words. */
export function bothLosses(one: TextLoss | null | undefined, other: TextLoss | null | undefined): TextLoss | undefined {
  if (!one || !other) return one ?? other ?? undefined;
  return { share: Math.max(one.share, other.share), reason: `${one.reason} ${other.reason}` };
}

const sumOf = (counts: ReadonlyMap<string, number>): number => [...counts.values()].reduce((sum, count) => sum + count, 0);

/** A whole that consists of pieces of the other side takes them, once for each time that it is there. */
function coverBy(whole: string, wholes: Map<string, number>, pieces: Map<string, number>, patience: { left: number }): void {
  for (let times = wholes.get(whole) ?? 0; times > 0 && patience.left > 0; times--) {
    const used = piecesOf(whole, pieces, patience);
    if (!used) return;
    for (const piece of used) take(pieces, piece);
    take(wholes, whole);
  }
}

/** The pieces that a word can be put together from, the longest first; undefined where one is missing. */
function piecesOf(whole: string, pieces: ReadonlyMap<string, number>, patience: { left: number }): string[] | undefined {
  const used: string[] = [];
  const isLeft = (piece: string): boolean => (pieces.get(piece) ?? 0) > used.filter((other) => other === piece).length;
  for (let at = 0; at < whole.length;) {
    let end = at === 0 ? whole.length - 1 : whole.length;
    while (end > at && !isLeft(whole.slice(at, end))) end--;
    patience.left -= whole.length - end + 1;
    if (end === at) return undefined;
    used.push(whole.slice(at, end));
    at = end;
  }
  return used;
}

function take(counts: Map<string, number>, word: string): void {
  const left = (counts.get(word) ?? 0) - 1;
  if (left > 0) counts.set(word, left);
  else counts.delete(word);
}

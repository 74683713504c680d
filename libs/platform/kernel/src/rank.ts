import { withoutEnd } from './trimmed';
/**
 * The position of a member in an order that people set by hand, such as that of an album: a fraction as hexadecimal text,
 * compared byte by byte. What is added at the end takes its rank from the clock, so that the order needs no renumbering; what
 * is put between two takes a fraction between theirs.
 */
const HEAD = 14;
const RADIX_BITS = 4n;
const MORE_DIGITS = 4;
const MAX_DIGITS = 200;

/** Ranks behind the last one, in order. */
export function ranksAtEnd(last: string | null, count: number, now: Date): string[] {
  const clock = BigInt(now.getTime()) * 1000n;
  const next = last === null ? 0n : headOf(last) + 1n;
  return countingFrom(clock > next ? clock : next, count);
}

/** Ranks in front of the first one, in order; null when there is no room left. */
export function ranksAtStart(first: string | null, count: number, now: Date): string[] | null {
  if (first === null) return ranksAtEnd(null, count, now);
  const start = headOf(first) - BigInt(count);
  return start > 0n ? countingFrom(start, count) : ranksBetween(null, first, count);
}

/** Ranks between two, evenly spread; null when they are equal or their gap has become too fine. */
export function ranksBetween(before: string | null, after: string | null, count: number): string[] | null {
  let digits = Math.max(HEAD, before?.length ?? 0, after?.length ?? 0);
  let low = before === null ? 0n : valueOf(before, digits);
  let high = after === null ? 1n << (RADIX_BITS * BigInt(digits)) : valueOf(after, digits);
  if (low >= high) return null;
  while (high - low <= BigInt(count)) {
    digits += MORE_DIGITS;
    if (digits > MAX_DIGITS) return null;
    low <<= RADIX_BITS * BigInt(MORE_DIGITS);
    high <<= RADIX_BITS * BigInt(MORE_DIGITS);
  }
  const step = (high - low) / BigInt(count + 1);
  return Array.from({ length: count }, (_, i) => text(low + step * BigInt(i + 1), digits));
}

const valueOf = (rank: string, digits: number): bigint => BigInt(`0x${rank.padEnd(digits, '0')}`);

const headOf = (rank: string): bigint => valueOf(rank.slice(0, HEAD), HEAD);

/** Without the zeros at its end, a rank is the same fraction, and no two texts are one fraction. */
const text = (value: bigint, digits: number): string => withoutEnd(value.toString(16).padStart(digits, '0'), /0/) || '0';

const countingFrom = (head: bigint, count: number): string[] =>
  Array.from({ length: count }, (_, i) => (head + BigInt(i)).toString(16).padStart(HEAD, '0'));

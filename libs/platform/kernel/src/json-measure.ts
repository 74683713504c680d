import { randomInt } from 'node:crypto';

const [QUOTE, BACKSLASH, COMMA, BRACE, BRACKET, END_BRACE, END_BRACKET, COLON] = [...'"\\,{[}]:'].map((char) => char.charCodeAt(0));
const SPACE = 0x20;
/** Bytes that an empty object or list takes, and one more value in it. */
const OF_HOLDER = 56;
const OF_VALUE = 16;
/** A body, and a list or an object in it. */
const LEVELS_OF_ROWS = 2;
/** A shorter body has fewer names than are too many, and is measured without counting them. */
const SHORTEST_WITH_NAMES = 64 * 1024;

export interface JsonMeasure {
  /** No fewer than the values of lists and objects, and these themselves. */
  readonly values: number;
  /** About how many bytes it takes once it is read: those of a list of empty lists are twenty times as many as it was written with. */
  readonly weight: number;
  /** How many lists and objects are inside one another at most. */
  readonly depth: number;
  /** About how many different names its objects have, and never more; 0 for bodies of less than 64 KB. */
  readonly names: number;
  /** Bytes of the largest list or object two levels in: of the largest row where a body has a list of them. */
  readonly largest: number;
}

/** Measures JSON without parsing it, which takes some twenty times as long; what is no JSON is measured all the same. */
export function measureJson(bytes: Uint8Array): JsonMeasure {
  let [holders, commas, open, depth, row, largest] = [0, 0, 0, 0, 0, 0];
  const names = bytes.length < SHORTEST_WITH_NAMES ? undefined : new DifferentNames();
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      const end = endOfText(bytes, at);
      if (names && isName(bytes, end)) names.add(bytes, at + 1, end);
      at = end;
    } else if (byte === COMMA) {
      commas++;
    } else if (byte === BRACE || byte === BRACKET) {
      holders++;
      if (open === LEVELS_OF_ROWS) row = at;
      if (++open > depth) depth = open;
    } else if (byte === END_BRACE || byte === END_BRACKET) {
      if (--open === LEVELS_OF_ROWS) largest = Math.max(largest, at - row + 1);
    }
  }
  return {
    values: 1 + holders + commas,
    weight: bytes.length + OF_HOLDER * holders + OF_VALUE * commas,
    depth,
    names: names?.count ?? 0,
    largest,
  };
}

/** The place of the quote that ends the text which begins here. */
function endOfText(bytes: Uint8Array, begin: number): number {
  let at = begin + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}

/** Whether the text whose quote ends here is the name of a value. */
function isName(bytes: Uint8Array, end: number): boolean {
  let at = end + 1;
  while ((bytes[at] ?? Infinity) <= SPACE) at++;
  return bytes[at] === COLON;
}

const BITS = 18;
/** Nobody can choose names that are counted as one without knowing it. */
const SEED = randomInt(2 ** 31);

/**
 * Counts names by their hashes. A name that the parser has not seen costs it a hundred times as much as one that it knows: 600,000 of
 * them in 6 MB take more than five seconds.
 */
class DifferentNames {
  count = 0;
  private readonly seen = new Uint32Array(2 ** (BITS - 5));

  add(bytes: Uint8Array, from: number, to: number): void {
    let hash = SEED;
    for (let at = from; at < to; at++) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193);
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> (32 - BITS);
    const [place, bit] = [hash >>> 5, 1 << (hash & 31)];
    const known = this.seen[place] ?? 0;
    if ((known & bit) !== 0) return;
    this.seen[place] = known | bit;
    this.count++;
  }
}

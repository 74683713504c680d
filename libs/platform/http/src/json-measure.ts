const [QUOTE, BACKSLASH, COMMA, BRACE, BRACKET, END_BRACE, END_BRACKET] = [...'"\\,{[}]'].map((char) => char.charCodeAt(0));
/** Bytes that an empty object or list takes, and one more value in it. */
const OF_HOLDER = 56;
const OF_VALUE = 16;
/** A body, and a list or an object in it. */
const LEVELS_OF_ROWS = 2;
/** An object with more names is no row but a map: each of its names is another, which takes the parser ten times as long as one it knows. */
export const NAMES_OF_ROW = 1_000;
/** Levels whose names are counted apart, a power of two; no body may nest as deep. */
const LEVELS = 128;
const OF_LIST = -(2 ** 31);

export interface JsonMeasure {
  /** No fewer than the values of lists and objects, and these themselves. */
  readonly values: number;
  /** About how many bytes it takes once it is read: those of a list of empty lists are twenty times as many as it was written with. */
  readonly weight: number;
  /** How many lists and objects are inside one another at most. */
  readonly depth: number;
  /** Names of all objects with more than a thousand. */
  readonly names: number;
  /** Bytes of the largest list or object two levels in: of the largest row where a body has a list of them. */
  readonly largest: number;
}

/** Measures JSON without parsing it, which takes some twenty times as long; what is no JSON is measured all the same. */
export function measureJson(bytes: Uint8Array): JsonMeasure {
  let [holders, commas, open, depth, row, largest, names] = [0, 0, 0, 0, 0, 0, 0];
  const namesAt = new Int32Array(LEVELS).fill(OF_LIST);
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) at = endOfText(bytes, at);
    else if (byte === COMMA) {
      commas++;
      const level = open & (LEVELS - 1);
      const known = (namesAt[level] ?? 0) + 1;
      namesAt[level] = known;
      if (known > NAMES_OF_ROW) names += known === NAMES_OF_ROW + 1 ? known : 1;
    } else if (byte === BRACE || byte === BRACKET) {
      holders++;
      if (open === LEVELS_OF_ROWS) row = at;
      if (++open > depth) depth = open;
      namesAt[open & (LEVELS - 1)] = byte === BRACE ? 1 : OF_LIST;
    } else if (byte === END_BRACE || byte === END_BRACKET) {
      if (--open === LEVELS_OF_ROWS) largest = Math.max(largest, at - row + 1);
    }
  }
  return { values: 1 + holders + commas, weight: bytes.length + OF_HOLDER * holders + OF_VALUE * commas, depth, names, largest };
}

/** The place of the quote that ends the text which begins here. */
function endOfText(bytes: Uint8Array, begin: number): number {
  let at = begin + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}

const [QUOTE, BACKSLASH, COMMA, BRACE, BRACKET] = [...'"\\,{['].map((char) => char.charCodeAt(0));
/** Bytes that an empty object or list takes, and one more value in it. */
const OF_HOLDER = 56;
const OF_VALUE = 16;

/** About how many bytes a JSON text takes once it is read: those of a list of empty lists are twenty times as many as it was written with. */
export function jsonWeight(bytes: Uint8Array): number {
  let weight = bytes.length;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) at = endOfString(bytes, at);
    else if (byte === COMMA) weight += OF_VALUE;
    else if (byte === BRACE || byte === BRACKET) weight += OF_HOLDER;
  }
  return weight;
}

/** Where the string that begins here ends. */
function endOfString(bytes: Uint8Array, from: number): number {
  let at = from + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}

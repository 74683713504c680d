const [QUOTE, BACKSLASH, COMMA, OPEN_LIST, OPEN_MAP] = [0x22, 0x5c, 0x2c, 0x5b, 0x7b];

/**
 * Whether JSON has more than so many values: those of lists and maps, and these themselves. Nothing is parsed for it, which takes
 * some twenty times as long; what is no JSON is counted all the same.
 */
export function hasMoreValues(bytes: Uint8Array, most: number): boolean {
  let values = 1;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) at = endOfText(bytes, at);
    else if (byte === COMMA || byte === OPEN_LIST || byte === OPEN_MAP) {
      if (++values > most) return true;
    }
  }
  return false;
}

/** The place of the quote that ends the text which begins here. */
function endOfText(bytes: Uint8Array, begin: number): number {
  let at = begin + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}

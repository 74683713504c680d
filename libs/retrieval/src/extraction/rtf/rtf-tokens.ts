/** What a rich text consists of, in its order. */
export interface RtfHandler {
  /** No more is wanted. */
  readonly done: boolean;
  beginGroup(): void;
  endGroup(): void;
  /** `\par`, `\u8364`: a word and its number. */
  word(name: string, value: number | undefined): void;
  /** `\~`, `\*`: a sign. */
  symbol(sign: string): void;
  /** A byte of text in the encoding of its font. */
  byte(byte: number): void;
}

const [BACKSLASH, OPEN, CLOSE, CR, LF, SPACE, QUOTE, MINUS] = [0x5c, 0x7b, 0x7d, 0x0d, 0x0a, 0x20, 0x27, 0x2d];
const LONGEST_WORD = 32;
const LONGEST_NUMBER = 10;

const isLetter = (byte: number): boolean => (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x41 && byte <= 0x5a);
const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;

/** Reads a rich text once from its beginning to its end. */
export function readRtf(bytes: Buffer, handler: RtfHandler): void {
  for (let at = 0; at < bytes.length && !handler.done;) {
    const byte = bytes[at] ?? 0;
    if (byte === BACKSLASH) at = readControl(bytes, at + 1, handler);
    else {
      if (byte === OPEN) handler.beginGroup();
      else if (byte === CLOSE) handler.endGroup();
      else if (byte !== CR && byte !== LF && byte !== 0) handler.byte(byte);
      at++;
    }
  }
}

/** A control from behind its backslash; where it ends. */
function readControl(bytes: Buffer, start: number, handler: RtfHandler): number {
  const sign = bytes[start] ?? 0;
  if (isLetter(sign)) return readWord(bytes, start, handler);
  if (sign === QUOTE) {
    const value = Number.parseInt(bytes.toString('latin1', start + 1, start + 3), 16);
    if (Number.isNaN(value)) return start + 1;
    handler.byte(value);
    return start + 3;
  }
  if (sign === BACKSLASH || sign === OPEN || sign === CLOSE) handler.byte(sign);
  else if (sign === CR || sign === LF) handler.word('par', undefined);
  else handler.symbol(String.fromCharCode(sign));
  return start + 1;
}

function readWord(bytes: Buffer, start: number, handler: RtfHandler): number {
  let end = start;
  while (end - start < LONGEST_WORD && isLetter(bytes[end] ?? 0)) end++;
  const name = bytes.toString('latin1', start, end);
  const numberAt = end;
  if (bytes[end] === MINUS && isDigit(bytes[end + 1] ?? 0)) end++;
  while (end - numberAt <= LONGEST_NUMBER && isDigit(bytes[end] ?? 0)) end++;
  const value = end > numberAt ? Number(bytes.toString('latin1', numberAt, end)) : undefined;
  if (bytes[end] === SPACE) end++;
  if (name === 'bin') return end + Math.max(0, value ?? 0);
  handler.word(name, value);
  return end;
}

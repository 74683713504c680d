import { isAscii, isUtf8 } from 'node:buffer';
import { brokenPairs, PAIR_ENCODINGS } from './pair-readings';

/** Bytes of words beyond ASCII that are kept to be read in several encodings. */
const KEPT_WORDS = 32 * 1024;
/** Bytes from the first one on that is not ASCII, with what is between. */
const KEPT_CONTEXT = 8 * 1024;
const BEFORE = 1_024;
const HEAD = 4_096;
/** Below it no byte is the second one of a pair. */
const NEVER_SECOND = 0x30;
/** A stretch without such a byte is cut here. */
const LONGEST_WORD = 16 * 1024;
/** An encoding of pairs with so many broken ones is none. */
const MOST_BROKEN = 64;
const ESCAPE = 0x1b;

/**
 * What the bytes of a text say about its encoding. They are taken piece by piece, each once; what is kept does not grow with the
 * text. Pieces are cut where no sign of any encoding goes on, so that none has to be carried over.
 */
export class ByteEvidence {
  /** The first bytes: marks and declarations are there. */
  head: Buffer = Buffer.alloc(0);
  size = 0;
  /** Zeros at even and at odd places: every other byte of UTF-16 may be one. */
  readonly zeros: [number, number] = [0, 0];
  /** Signs of UTF-8 beyond ASCII, and bytes that are part of none. */
  readonly utf8 = { signs: 0, broken: 0 };
  /** How often each byte is in pieces that are not UTF-8. */
  readonly counts = new Uint32Array(256);
  readonly brokenPairs = new Map<string, number>(PAIR_ENCODINGS.map(({ name }) => [name, 0]));
  escapes = false;
  private readonly kept: Buffer[] = [];
  private keptBytes = 0;
  private nearby: Buffer = Buffer.alloc(0);
  private rest: Buffer = Buffer.alloc(0);

  add(chunk: Uint8Array): void {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    if (this.head.length < HEAD) this.head = Buffer.concat([this.head, bytes.subarray(0, HEAD - this.head.length)]);
    this.countZeros(bytes);
    this.size += bytes.length;
    const joined = this.rest.length === 0 ? bytes : Buffer.concat([this.rest, bytes]);
    const end = endOfWord(joined);
    this.weigh(joined.subarray(0, end));
    this.rest = Buffer.from(joined.subarray(end));
  }

  /** After the last piece. */
  end(): this {
    this.weigh(this.rest);
    this.rest = Buffer.alloc(0);
    return this;
  }

  /** Words that are not ASCII, as many as are kept. */
  get words(): Buffer {
    return Buffer.concat(this.kept);
  }

  /** What is around the first of them. */
  get context(): Buffer {
    return this.nearby;
  }

  private countZeros(bytes: Buffer): void {
    for (let at = bytes.indexOf(0); at >= 0; at = bytes.indexOf(0, at + 1)) this.zeros[(this.size + at) & 1 ? 1 : 0]++;
  }

  private weigh(bytes: Buffer): void {
    this.escapes ||= bytes.includes(ESCAPE);
    if (isAscii(bytes)) return;
    this.keepContext(bytes);
    if (isUtf8(bytes)) {
      for (let at = 0; at < bytes.length; at++) if ((bytes[at] ?? 0) >= 0xc0) this.utf8.signs++;
      return;
    }
    weighUtf8(bytes, this.utf8);
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at] ?? 0;
      this.counts[byte] = (this.counts[byte] ?? 0) + 1;
    }
    for (const encoding of PAIR_ENCODINGS) {
      const broken = this.brokenPairs.get(encoding.name) ?? 0;
      if (broken <= MOST_BROKEN) this.brokenPairs.set(encoding.name, broken + brokenPairs(bytes, encoding));
    }
    this.keepWords(bytes);
  }

  private keepContext(bytes: Buffer): void {
    if (this.nearby.length >= KEPT_CONTEXT) return;
    const from = this.nearby.length > 0 ? 0 : Math.max(0, bytes.findIndex((byte) => byte >= 0x80) - BEFORE);
    this.nearby = Buffer.concat([this.nearby, bytes.subarray(from, from + KEPT_CONTEXT - this.nearby.length)]);
  }

  /** Each with the byte before and after it, which is a boundary. */
  private keepWords(bytes: Buffer): void {
    let at = 0;
    let taken = 0;
    while (this.keptBytes < KEPT_WORDS && at < bytes.length) {
      while (at < bytes.length && (bytes[at] ?? 0) < 0x80) at++;
      if (at >= bytes.length) return;
      let from = at;
      while (from > taken && (bytes[from - 1] ?? 0) >= NEVER_SECOND) from--;
      let to = at;
      while (to < bytes.length && (bytes[to] ?? 0) >= NEVER_SECOND && to - from < LONGEST_WORD) to++;
      const word = Buffer.concat([bytes.subarray(Math.max(0, from - 1), from), bytes.subarray(from, to), bytes.subarray(to, to + 1)]);
      this.kept.push(word);
      this.keptBytes += word.length;
      at = to;
      taken = to;
    }
  }
}

/** Where a piece may be cut: behind its last byte that is part of no longer sign. */
function endOfWord(bytes: Buffer): number {
  for (let at = bytes.length; at > Math.max(0, bytes.length - LONGEST_WORD); at--) if ((bytes[at - 1] ?? 0) < NEVER_SECOND) return at;
  return bytes.length < LONGEST_WORD ? 0 : bytes.length;
}

/** Counts as browsers do: what cannot begin or continue a sign is one fault, and so is a sign that breaks off. */
function weighUtf8(bytes: Uint8Array, found: { signs: number; broken: number }): void {
  for (let at = 0; at < bytes.length;) {
    const byte = bytes[at] ?? 0;
    at++;
    if (byte < 0x80) continue;
    let wanted = byte >= 0xc2 && byte < 0xe0 ? 1 : byte >= 0xe0 && byte < 0xf0 ? 2 : byte >= 0xf0 && byte < 0xf5 ? 3 : 0;
    let least = byte === 0xe0 ? 0xa0 : byte === 0xf0 ? 0x90 : 0x80;
    let most = byte === 0xed ? 0x9f : byte === 0xf4 ? 0x8f : 0xbf;
    if (wanted === 0) found.broken++;
    while (wanted > 0) {
      const next = bytes[at] ?? 0;
      if (next < least || next > most) {
        found.broken++;
        break;
      }
      [least, most] = [0x80, 0xbf];
      at++;
      if (--wanted === 0) found.signs++;
    }
  }
}

import { ByteEvidence } from './byte-evidence';
import { wideEncoding } from './wide-encodings';

/** Controls that texts have: tab, the ends of lines and pages, and what terminals write: bell, backspace, escape. */
const OF_TEXT = new Set([0x07, 0x08, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x1b]);
/** The sign with which DOS ended a file, and what programs fill its last block with. */
const AT_END = new Set([0x1a, 0x00]);
/** Other controls a text has by accident. */
const FEW = 0.01;

/** Whether the beginning of a file is text: of UTF-16 with or without a mark, or of bytes that are hardly ever controls. */
export function isTextBytes(head: Uint8Array): boolean {
  if ((head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff)) return true;
  let strange = 0;
  for (const byte of withoutEnd(head)) {
    if (byte === 0) return wideTextOf(head) !== undefined;
    if (byte < 0x20 && !OF_TEXT.has(byte)) strange++;
  }
  return strange <= head.length * FEW;
}

/** UTF-16 or UTF-32 that bears no mark. */
export function wideTextOf(head: Uint8Array): ReturnType<typeof wideEncoding> {
  const evidence = new ByteEvidence();
  evidence.add(head);
  return wideEncoding(evidence);
}

function withoutEnd(bytes: Uint8Array): Uint8Array {
  let end = bytes.length;
  while (end > 0 && AT_END.has(bytes[end - 1] ?? -1)) end--;
  return end > 0 || bytes[0] !== 0 ? bytes.subarray(0, end) : bytes;
}

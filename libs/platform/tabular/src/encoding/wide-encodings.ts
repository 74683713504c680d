import type { ByteEvidence } from './byte-evidence';

const LF = 0x0a;
/** Part of the units of a text that may be none of its signs. */
const FEW = 0.02;
/** Signs of other scripts with a zero for one of ASCII. */
const MOST_OTHER = 4;
/** Text of ASCII with a zero here and there is ASCII all the same. */
const MANY_ZEROS = 0.15;
const MOSTLY = 0.8;

type Wide = 'utf-16le' | 'utf-16be' | 'utf-32le' | 'utf-32be';

/** UTF-16 or UTF-32 without a mark: zeros stand in text of no other kind, and read so the bytes are text. */
export function wideEncoding({ zeros, head, size }: Pick<ByteEvidence, 'zeros' | 'head' | 'size'>): Wide | undefined {
  const [even, odd] = zeros;
  if (even + odd === 0 || size < 2) return undefined;
  if (even + odd < size * MANY_ZEROS && head.filter(isPlain).length > head.length * MOSTLY) return undefined;
  const four = head.subarray(0, head.length & ~3);
  if (four.length >= 4 && even + odd > size / 2) {
    if (strangeUnits(four, 4, (at) => four.readUInt32LE(at)) === 0) return 'utf-32le';
    if (strangeUnits(four, 4, (at) => four.readUInt32BE(at)) === 0) return 'utf-32be';
  }
  const two = head.subarray(0, head.length & ~1);
  const little = strangeUnits(two, 2, (at) => two.readUInt16LE(at));
  const big = strangeUnits(two, 2, (at) => two.readUInt16BE(at));
  const [strange, found] = little < big || (little === big && odd >= even) ? [little, 'utf-16le' as const] : [big, 'utf-16be' as const];
  return strange <= (two.length / 2) * FEW && zerosArePlain(two, found === 'utf-16le' ? 0 : 1) ? found : undefined;
}

/** Zeros are there for signs of ASCII, blanks and line ends at least; few other signs have one. */
function zerosArePlain(bytes: Buffer, low: 0 | 1): boolean {
  let plain = 0;
  let other = 0;
  for (let at = 0; at + 1 < bytes.length; at += 2) {
    if (bytes[at + low] === 0) other++;
    else if (bytes[at + 1 - low] === 0 && isPlain(bytes[at + low] ?? 0)) plain++;
  }
  return plain > 0 && plain * MOST_OTHER >= other;
}

/** Units that no text has: controls, halves of pairs without the other, signs that are none; and line ends that are turned round. */
function strangeUnits(bytes: Buffer, width: 2 | 4, unitAt: (at: number) => number): number {
  let strange = 0;
  let awaited = false;
  for (let at = 0; at + width <= bytes.length; at += width) {
    const unit = unitAt(at);
    const second = unit >= 0xdc00 && unit < 0xe000;
    if (second !== awaited) strange++;
    awaited = width === 2 && unit >= 0xd800 && unit < 0xdc00;
    if (isNoText(unit)) strange++;
  }
  return strange;
}

const isNoText = (unit: number): boolean =>
  (unit < 0x20 && (unit < 0x09 || unit > 0x0d)) ||
  (unit >= 0x7f && unit < 0xa0) ||
  (unit >= 0xe000 && unit < 0xf900) ||
  (unit & 0xfffe) === 0xfffe ||
  unit === LF << 8 ||
  unit === 0x0d00 ||
  unit > 0x10ffff;

const isPlain = (byte: number): boolean => (byte >= 0x20 && byte < 0x7f) || (byte >= 0x09 && byte <= 0x0d);

/** How the bytes of an encoding of pairs follow one another; which pairs stand for a sign is not known here. */
export interface PairEncoding {
  readonly name: string;
  isLead(byte: number): boolean;
  isTrail(byte: number): boolean;
  /** Bytes beyond ASCII that are a sign by themselves. */
  isSingle(byte: number): boolean;
  /** Bytes of the sign that begins here, where it may have more than two. */
  readonly longer?: (bytes: Uint8Array, at: number) => number;
}

const within = (byte: number, from: number, to: number): boolean => byte >= from && byte <= to;
const no = (): boolean => false;

export const PAIR_ENCODINGS: readonly PairEncoding[] = [
  {
    name: 'shift_jis',
    isLead: (byte) => within(byte, 0x81, 0x9f) || within(byte, 0xe0, 0xfc),
    isTrail: (byte) => within(byte, 0x40, 0xfc) && byte !== 0x7f,
    isSingle: (byte) => within(byte, 0xa1, 0xdf),
  },
  {
    name: 'euc-jp',
    isLead: (byte) => byte === 0x8e || within(byte, 0xa1, 0xfe),
    isTrail: (byte) => within(byte, 0xa1, 0xfe),
    isSingle: no,
    longer: (bytes, at) => (bytes[at] === 0x8f && within(bytes[at + 1] ?? 0, 0xa1, 0xfe) && within(bytes[at + 2] ?? 0, 0xa1, 0xfe) ? 3 : 0),
  },
  {
    name: 'gb18030',
    isLead: (byte) => within(byte, 0x81, 0xfe),
    isTrail: (byte) => within(byte, 0x40, 0xfe) && byte !== 0x7f,
    isSingle: no,
    longer: (bytes, at) =>
      within(bytes[at] ?? 0, 0x81, 0xfe) &&
      within(bytes[at + 1] ?? 0, 0x30, 0x39) &&
      within(bytes[at + 2] ?? 0, 0x81, 0xfe) &&
      within(bytes[at + 3] ?? 0, 0x30, 0x39)
        ? 4
        : 0,
  },
  {
    name: 'euc-kr',
    isLead: (byte) => within(byte, 0x81, 0xfe),
    isTrail: (byte) => within(byte, 0x41, 0x5a) || within(byte, 0x61, 0x7a) || within(byte, 0x81, 0xfe),
    isSingle: no,
  },
  {
    name: 'big5',
    isLead: (byte) => within(byte, 0x81, 0xfe),
    isTrail: (byte) => within(byte, 0x40, 0x7e) || within(byte, 0xa1, 0xfe),
    isSingle: no,
  },
];

/** Bytes of a stretch that break the order of an encoding of pairs. */
export function brokenPairs(bytes: Uint8Array, encoding: PairEncoding): number {
  let broken = 0;
  for (let at = 0; at < bytes.length;) {
    const byte = bytes[at] ?? 0;
    if (byte < 0x80 || encoding.isSingle(byte)) {
      at++;
      continue;
    }
    const longer = encoding.longer?.(bytes, at) ?? 0;
    if (longer > 0) at += longer;
    else if (encoding.isLead(byte) && encoding.isTrail(bytes[at + 1] ?? 0)) at += 2;
    else {
      broken++;
      at++;
    }
  }
  return broken;
}

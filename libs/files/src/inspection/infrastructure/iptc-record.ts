import { createHash } from 'node:crypto';
import { textOfBytes } from '@atrium/platform/tabular';

/** What the older block of IPTC data (IIM) says: the values of its application record by their numbers. */
export interface IptcRecord {
  readonly values: ReadonlyMap<number, readonly string[]>;
  /** Whether the block is the one that XMP was last written for; undefined: nobody noted that. */
  readonly isInStep: boolean | undefined;
}

const MOST_BYTES = 1024 * 1024;
const MOST_VALUES = 500;
const MOST_CHARACTERS = 8_000;
const IPTC_RESOURCE = 0x0404;
const DIGEST_RESOURCE = 0x0425;
const MARK = 0x1c;
const ENVELOPE = 1;
const APPLICATION = 2;
const CHARACTER_SET = 90;
const UTF8 = '\x1b%G';

/** Reads the block as it is stored in a TIFF, or within the resources of Photoshop as in a JPEG. */
export function iptcRecord(bytes: Buffer | undefined): IptcRecord {
  if (!bytes) return { values: new Map(), isInStep: undefined };
  return recordOf(bytes[0] === MARK ? new Map([[IPTC_RESOURCE, bytes]]) : resourcesOf(bytes));
}

/** Reads the block among the resources of Photoshop. */
export function recordOf(resources: ReadonlyMap<number, Buffer>): IptcRecord {
  const block = resources.get(IPTC_RESOURCE);
  const digest = resources.get(DIGEST_RESOURCE);
  return {
    values: block ? valuesOf(block.subarray(0, MOST_BYTES)) : new Map<number, string[]>(),
    isInStep:
      block && digest?.length === 16 && digest.some((byte) => byte !== 0)
        ? createHash('md5').update(block).digest().equals(digest)
        : undefined,
  };
}

/** The resources of Photoshop from the first on: each a signature, a number, a name and a length, padded to even. */
export function resourcesOf(bytes: Buffer): Map<number, Buffer> {
  const found = new Map<number, Buffer>();
  let at = bytes.indexOf('8BIM', 0, 'latin1');
  while (at >= 0 && at + 12 <= bytes.length && bytes.toString('latin1', at, at + 4) === '8BIM') {
    const kind = bytes.readUInt16BE(at + 4);
    const size = at + 6 + even((bytes[at + 6] ?? 0) + 1);
    if (size + 4 > bytes.length) break;
    const length = bytes.readUInt32BE(size);
    if (!found.has(kind)) found.set(kind, bytes.subarray(size + 4, size + 4 + length));
    at = size + 4 + even(length);
  }
  return found;
}

const even = (length: number): number => length + (length % 2);

function valuesOf(block: Buffer): Map<number, string[]> {
  const raw: [number, Buffer][] = [];
  let isUtf8 = false;
  for (let at = 0; at + 5 <= block.length && block[at] === MARK;) {
    const [record, number] = [block[at + 1], block[at + 2] ?? 0];
    const length = block.readUInt16BE(at + 3);
    // An extended length belongs to pictures within the block, which nobody looks for here.
    if (length > 0x7fff) break;
    const value = block.subarray(at + 5, at + 5 + length);
    if (record === ENVELOPE && number === CHARACTER_SET) isUtf8 = value.toString('latin1') === UTF8;
    if (record === APPLICATION) raw.push([number, value]);
    at += 5 + length;
  }
  const values = new Map<number, string[]>();
  for (const [number, bytes] of raw) {
    const text = textOf(bytes, isUtf8).replaceAll('\0', '').trim().slice(0, MOST_CHARACTERS);
    const list = values.get(number) ?? [];
    if (text !== '' && list.length < MOST_VALUES) values.set(number, [...list, text]);
  }
  return values;
}

/** Without a declared character set it is UTF-8 if it can be, else that of western Europe. */
function textOf(bytes: Buffer, isUtf8: boolean): string {
  try {
    return new TextDecoder('utf-8', { fatal: !isUtf8 }).decode(bytes);
  } catch {
    return textOfBytes(bytes, 'windows-1252');
  }
}

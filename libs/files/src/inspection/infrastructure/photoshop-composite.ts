import { flatTiff } from './flat-tiff';

const HEADER_BYTES = 26;
const PSB = 2;
const ICC_PROFILE = 1_039;
const THUMBNAIL = 1_036;
const THUMBNAIL_HEADER = 28;

/** The color modes of Photoshop that are decoded here, and how many planes of colors each takes. */
const PLANES: Readonly<Record<number, { readonly as: 'gray' | 'rgb' | 'cmyk' | 'lab'; readonly count: number }>> = {
  1: { as: 'gray', count: 1 },
  3: { as: 'rgb', count: 3 },
  4: { as: 'cmyk', count: 4 },
  // One ink, or inks named by their order: shown by how much there is of the first.
  7: { as: 'gray', count: 1 },
  8: { as: 'gray', count: 1 },
  9: { as: 'lab', count: 3 },
};

interface Layout {
  readonly large: boolean;
  readonly channels: number;
  readonly width: number;
  readonly height: number;
  readonly bits: number;
  readonly mode: number;
  readonly resources: Buffer;
  /** Everything from the picture of all layers on. */
  readonly picture: Buffer;
}

/**
 * The picture of all layers as a flat TIFF with the color profile of the file, for 8 and 16 bits a color: gray, RGB, CMYK
 * and Lab. Undefined where it is packed or described in another way; throws a RangeError where bytes are missing.
 */
export function photoshopComposite(bytes: Buffer): Buffer | undefined {
  const { large, channels, width, height, bits, mode, resources, picture } = layoutOf(bytes);
  const colors = PLANES[mode];
  if (!colors || channels < colors.count || (bits !== 8 && bits !== 16)) return undefined;
  const rowBytes = width * (bits / 8);
  const packing = picture.readUInt16BE(0);
  if (packing > 1) return undefined;
  const planes =
    packing === 0
      ? rawPlanes(picture.subarray(2), { rowBytes, height, count: colors.count })
      : packedPlanes(picture.subarray(2), { rowBytes, height, count: colors.count, channels, large });
  const pixels = interleaved(planes, { pixels: width * height, step: bits / 8, invert: colors.as === 'cmyk' });
  return flatTiff({
    pixels: colors.as === 'lab' ? signedLab(pixels) : pixels,
    width,
    height,
    channels: colors.count,
    colors: colors.as,
    profile: resource(resources, ICC_PROFILE),
  });
}

/** The small JPEG that a Photoshop file carries for lists of files, if it does. */
export function photoshopThumbnail(bytes: Buffer): Buffer | undefined {
  const { resources } = layoutOf(bytes);
  const jpeg = resource(resources, THUMBNAIL)?.subarray(THUMBNAIL_HEADER);
  return jpeg?.readUInt16BE(0) === 0xff_d8 ? jpeg : undefined;
}

/** Color table, resources and layers follow the header, each with its length before it. */
function layoutOf(bytes: Buffer): Layout {
  const large = bytes.readUInt16BE(4) === PSB;
  let at = HEADER_BYTES;
  const section = (long = false): Buffer => {
    const [from, length] = long ? [at + 8, Number(bytes.readBigUInt64BE(at))] : [at + 4, bytes.readUInt32BE(at)];
    at = from + length;
    if (at > bytes.length) throw new RangeError('A part of the file is missing.');
    return bytes.subarray(from, at);
  };
  section();
  const resources = section();
  section(large);
  return {
    large,
    channels: bytes.readUInt16BE(12),
    height: bytes.readUInt32BE(14),
    width: bytes.readUInt32BE(18),
    bits: bytes.readUInt16BE(22),
    mode: bytes.readUInt16BE(24),
    resources,
    picture: bytes.subarray(at),
  };
}

/** One of the named blocks besides the picture: `8BIM`, a number, a name and bytes, each filled up to an even length. */
function resource(blocks: Buffer, wanted: number): Buffer | undefined {
  for (let at = 0; at + 12 <= blocks.length;) {
    const id = blocks.readUInt16BE(at + 4);
    const data = at + 6 + even(1 + blocks.readUInt8(at + 6)) + 4;
    if (data > blocks.length) return undefined;
    const length = blocks.readUInt32BE(data - 4);
    if (id === wanted) return data + length > blocks.length ? undefined : blocks.subarray(data, data + length);
    at = data + even(length);
  }
  return undefined;
}

function rawPlanes(
  data: Buffer,
  { rowBytes, height, count }: { readonly rowBytes: number; readonly height: number; readonly count: number },
): Buffer[] {
  const size = rowBytes * height;
  if (data.length < size * count) throw new RangeError('Rows of the picture are missing.');
  return Array.from({ length: count }, (_, plane) => data.subarray(plane * size, (plane + 1) * size));
}

/** The lengths of all packed rows of all planes stand before the first row. */
function packedPlanes(
  data: Buffer,
  {
    rowBytes,
    height,
    count,
    channels,
    large,
  }: { readonly rowBytes: number; readonly height: number; readonly count: number; readonly channels: number; readonly large: boolean },
): Buffer[] {
  const entry = large ? 4 : 2;
  const lengthOf = (row: number): number => (large ? data.readUInt32BE(row * entry) : data.readUInt16BE(row * entry));
  let at = channels * height * entry;
  if (at > data.length) throw new RangeError('Rows of the picture are missing.');
  return Array.from({ length: count }, (_, plane) => {
    const rows = Buffer.alloc(rowBytes * height);
    for (let row = 0; row < height; row++) {
      const length = lengthOf(plane * height + row);
      if (at + length > data.length) throw new RangeError('Rows of the picture are missing.');
      unpack(data.subarray(at, at + length), rows.subarray(row * rowBytes, (row + 1) * rowBytes));
      at += length;
    }
    return rows;
  });
}

/** PackBits: a count below 128 says how many bytes follow as they are, one above 128 how often the next is repeated. */
function unpack(packed: Buffer, row: Buffer): void {
  let to = 0;
  for (let at = 0; at < packed.length && to < row.length;) {
    const head = packed[at++] ?? 0;
    if (head < 128) {
      packed.copy(row, to, at, Math.min(at + head + 1, packed.length));
      at += head + 1;
      to += head + 1;
    } else if (head > 128) {
      row.fill(packed[at++] ?? 0, to, Math.min(to + 257 - head, row.length));
      to += 257 - head;
    }
  }
  if (to < row.length) throw new RangeError('A row of the picture is too short.');
}

/** Of colors of sixteen bits the higher byte alone. Inks are stored by how little there is of them. */
function interleaved(
  planes: readonly Buffer[],
  { pixels, step, invert }: { readonly pixels: number; readonly step: number; readonly invert: boolean },
): Buffer {
  const out = Buffer.allocUnsafe(pixels * planes.length);
  const flip = invert ? 0xff : 0;
  planes.forEach((plane, index) => {
    for (let pixel = 0, to = index; pixel < pixels; pixel++, to += planes.length) out[to] = (plane[pixel * step] ?? 0) ^ flip;
  });
  return out;
}

/** Lightness as it is, the other two counted from the middle, all of sixteen bits: the one form of Lab that readers of TIFF agree on. */
function signedLab(pixels: Buffer): Buffer {
  const out = Buffer.alloc(pixels.length * 2);
  for (let at = 0; at < pixels.length; at++)
    out.writeUInt16LE(at % 3 === 0 ? (pixels[at] ?? 0) * 257 : ((pixels[at] ?? 0) ^ 0x80) << 8, at * 2);
  return out;
}

const even = (length: number): number => length + (length % 2);

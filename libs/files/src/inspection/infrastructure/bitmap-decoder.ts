import { InspectionError } from './inspection';

export interface Pixels {
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
  readonly channels: 3 | 4;
}

interface Layout {
  readonly width: number;
  readonly height: number;
  readonly bottomUp: boolean;
  readonly bits: number;
  readonly palette: number;
  readonly pixels: number;
  readonly stride: number;
}

/** Width and height a BMP declares, without reading its pixels. */
export const bitmapSize = (bytes: Buffer): { width: number; height: number } => layoutOf(bytes);

/** Decodes an uncompressed Windows bitmap (1, 4, 8, 24 or 32 bits a pixel); compressed and 16-bit ones are not read. */
export function decodeBitmap(bytes: Buffer): Pixels {
  const layout = layoutOf(bytes);
  const { width, height, stride } = layout;
  if (layout.pixels + stride * height > bytes.length) throw new InspectionError('damaged');
  const data = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y++) {
    const row = layout.pixels + stride * (layout.bottomUp ? height - 1 - y : y);
    for (let x = 0; x < width; x++) {
      const from = colorAt(bytes, layout, row, x);
      const to = (y * width + x) * 3;
      data[to] = bytes[from + 2] ?? 0;
      data[to + 1] = bytes[from + 1] ?? 0;
      data[to + 2] = bytes[from] ?? 0;
    }
  }
  return { data, width, height, channels: 3 };
}

/** Where the blue, green and red bytes of a pixel are: in the row itself, or in the palette it points to. */
function colorAt(bytes: Buffer, { bits, palette }: Layout, row: number, x: number): number {
  if (bits >= 24) return row + x * (bits / 8);
  const perByte = 8 / bits;
  const byte = bytes[row + Math.floor(x / perByte)] ?? 0;
  const index = (byte >> (8 - bits - (x % perByte) * bits)) & ((1 << bits) - 1);
  return palette + index * 4;
}

function layoutOf(bytes: Buffer): Layout {
  if (bytes.length < 54 || bytes.toString('latin1', 0, 2) !== 'BM') throw new InspectionError('unreadable');
  const header = bytes.readUInt32LE(14);
  const width = bytes.readInt32LE(18);
  const signedHeight = bytes.readInt32LE(22);
  const bits = bytes.readUInt16LE(28);
  const compression = header >= 40 ? bytes.readUInt32LE(30) : 0;
  if (header < 40 || width <= 0 || signedHeight === 0) throw new InspectionError('unreadable');
  // Compression 3 only says which bytes are which color; the usual order of 32 bits is the one read here.
  if (![1, 4, 8, 24, 32].includes(bits) || !(compression === 0 || (compression === 3 && bits === 32)))
    throw new InspectionError('unsupported_format');
  return {
    width,
    height: Math.abs(signedHeight),
    bottomUp: signedHeight > 0,
    bits,
    palette: 14 + header,
    pixels: bytes.readUInt32LE(10),
    stride: Math.ceil((width * bits) / 32) * 4,
  };
}

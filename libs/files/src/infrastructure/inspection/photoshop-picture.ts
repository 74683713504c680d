import type { Psd } from 'ag-psd';
import { InspectionError } from './inspection';
import type { Pixels } from './bitmap-decoder';

const HEADER_BYTES = 26;

/** Width and height that a Photoshop file declares, without reading its pixels. */
export function photoshopSize(bytes: Buffer): { width: number; height: number } {
  if (bytes.length < HEADER_BYTES || bytes.toString('latin1', 0, 4) !== '8BPS') throw new InspectionError('unreadable');
  return { width: bytes.readUInt32BE(18), height: bytes.readUInt32BE(14) };
}

/**
 * What a Photoshop file shows: the picture of all its layers that it carries for programs that know no layers, else the
 * small JPEG it carries for lists of files. Layers themselves are never read.
 */
export async function photoshopPicture(bytes: Buffer): Promise<Pixels | Buffer> {
  const { initializeCanvas, readPsd } = await import('ag-psd');
  initializeCanvas(
    () => {
      throw new Error('Nothing is drawn here.');
    },
    (width, height) => ({ width, height, colorSpace: 'srgb', data: new Uint8ClampedArray(width * height * 4) }),
  );
  const read = (skipCompositeImageData: boolean): Psd =>
    readPsd(bytes, { skipLayerImageData: true, skipLinkedFilesData: true, useImageData: true, useRawThumbnail: true, skipCompositeImageData, logMissingFeatures: false });
  return attempt(() => composite(read(false))) ?? attempt(() => preview(read(true))) ?? unsupported();
}

function composite({ imageData, width, height }: Psd): Pixels | undefined {
  return imageData && { data: eightBits(imageData.data), width, height, channels: 4 };
}

function preview({ imageResources }: Psd): Buffer | undefined {
  const data = imageResources?.thumbnailRaw?.data;
  return data && Buffer.from(data);
}

/** Sixteen bits are cut to eight; floating point counts light, so it is bent to how screens show it. */
function eightBits(data: Uint8ClampedArray | Uint8Array | Uint16Array | Float32Array): Buffer {
  if (data instanceof Uint16Array) return Buffer.from(data.map((value) => value >> 8));
  if (data instanceof Float32Array) return Buffer.from(Uint8ClampedArray.from(data, (value, at) => 255 * (at % 4 === 3 ? value : Math.max(0, value) ** (1 / 2.2))));
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength);
}

/** The parser throws whatever it stumbles over. */
function attempt<T>(read: () => T | undefined): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function unsupported(): never {
  throw new InspectionError('unsupported_format');
}

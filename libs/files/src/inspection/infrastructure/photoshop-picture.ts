import type { Psd } from 'ag-psd';
import { InspectionError } from './inspection';
import type { Pixels } from './bitmap-decoder';
import { photoshopComposite, photoshopThumbnail } from './photoshop-composite';

const HEADER_BYTES = 26;

/** Width and height that a Photoshop file declares, without reading its pixels. */
export function photoshopSize(bytes: Buffer): { width: number; height: number } {
  if (bytes.length < HEADER_BYTES || bytes.toString('latin1', 0, 4) !== '8BPS') throw new InspectionError('unreadable');
  return { width: bytes.readUInt32BE(18), height: bytes.readUInt32BE(14) };
}

/**
 * What a Photoshop file shows: the picture of all its layers that it carries for programs that know no layers, else the
 * small JPEG it carries for lists of files. Layers themselves are never read. What the parser does not know, such as print
 * colors, is decoded here.
 */
export async function photoshopPicture(bytes: Buffer): Promise<Pixels | Buffer> {
  const { initializeCanvas, readPsd } = await import('ag-psd');
  initializeCanvas(
    () => {
      throw new Error('Nothing is drawn here.');
    },
    (width, height) => ({ width, height, colorSpace: 'srgb', data: new Uint8ClampedArray(width * height * 4) }),
  );
  const read = (): Psd =>
    readPsd(bytes, {
      skipLayerImageData: true,
      skipLinkedFilesData: true,
      skipThumbnail: true,
      useImageData: true,
      logMissingFeatures: false,
    });
  const parsed = (): Pixels | undefined => attempt(() => composite(read()));
  const decoded = (): Buffer | undefined => attempt(() => photoshopComposite(bytes));
  // The parser unfolds sixteen bits a color to all of them; here each is cut to eight on the way.
  const found = isDeep(bytes) ? (decoded() ?? parsed()) : (parsed() ?? decoded());
  return found ?? attempt(() => photoshopThumbnail(bytes)) ?? useless(bytes);
}

const isDeep = (bytes: Buffer): boolean => bytes.readUInt16BE(22) === 16;

function composite({ imageData, width, height }: Psd): Pixels | undefined {
  return imageData && { data: eightBits(imageData.data), width, height, channels: 4 };
}

/** Sixteen bits are cut to eight; floating point counts light, so it is bent to how screens show it. */
function eightBits(data: Uint8ClampedArray | Uint8Array | Uint16Array | Float32Array): Buffer {
  if (data instanceof Uint16Array) return Buffer.from(data.map((value) => value >> 8));
  if (data instanceof Float32Array)
    return Buffer.from(Uint8ClampedArray.from(data, (value, at) => 255 * (at % 4 === 3 ? value : Math.max(0, value) ** (1 / 2.2))));
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

/** Nothing is to be seen: bytes are missing, or their encoding is unknown. */
function useless(bytes: Buffer): never {
  try {
    photoshopComposite(bytes);
  } catch (cause) {
    throw new InspectionError('damaged', { cause });
  }
  throw new InspectionError('unsupported_format');
}

import { readFile, stat } from 'node:fs/promises';
import exifr from 'exifr';
import sharp, { type Sharp, type SharpOptions } from 'sharp';
import { bitmapSize, decodeBitmap, type Pixels } from './bitmap-decoder';
import { InspectionError } from './inspection';
import { decodeJpeg2000, readJpeg2000 } from './jpeg2000';
import { pipelineOf } from './picture-features';
import { photoshopPicture, photoshopSize } from './photoshop-picture';
import { rawPreview } from './raw-preview';
import { drawnScale } from './svg-budget';
import { selfContainedSvg } from './svg-safety';

/** Largest picture that is decoded, in pixels. */
const LARGEST_PICTURE = 268_000_000;
/** Formats without a sequential decoder are held in memory whole, so they may be less large. */
const LARGEST_PICTURE_IN_MEMORY = 120_000_000;
/** The renderer of documents decodes no larger ones. */
const LARGEST_DOCUMENT_IMAGE = 64_000_000;
const LARGEST_FILE_IN_MEMORY = 512 * 1024 * 1024;

/** A picture before its pixels are read: what its header says, and pipelines that begin at its first byte. */
export interface PictureSource {
  /** As seen upright. */
  readonly width: number;
  readonly height: number;
  readonly pages?: number;
  openPicture(strictness: 'error' | 'none'): Promise<Sharp>;
}

sharp.cache(false);
sharp.concurrency(1);
// Only what is expected may be decoded: a decoder nobody asked for is one more way in for hostile bytes.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Tiff', 'Nsgif', 'Svg', 'Heif'].map((format) => `VipsForeignLoad${format}`),
});

const VECTOR = 'image/svg+xml';
const PHOTOSHOP = 'image/vnd.adobe.photoshop';
/** Dots an inch at which a drawing is as large as it says. */
const SCREEN_DENSITY = 72;
const RAW = /^image\/x-(adobe-dng|canon-cr[23]|nikon-nef|sony-arw|olympus-orf|panasonic-rw2|fujifilm-raf)$/;
const JPEG_2000 = /^image\/(jp2|jpx|j2c)$/;
const DECODED_BY_SHARP = /^image\/(jpeg|png|apng|webp|tiff|gif|avif)$/;

/** Opens a picture for rendering; refuses what is too large to decode before any pixel is read. */
export async function openPicture(path: string, type: string): Promise<PictureSource> {
  if (type === VECTOR) return fromVector(await selfContainedSvg(path));
  if (/^image\/hei[cf](-sequence)?$/.test(type)) return fromHeic(path);
  if (type === PHOTOSHOP) return fromPhotoshop(path);
  if (RAW.test(type)) return fromRaw(path);
  if (JPEG_2000.test(type)) return fromJpeg2000(path);
  if (type === 'image/bmp') return fromBitmap(path);
  if (!DECODED_BY_SHARP.test(type)) throw new InspectionError('unsupported_format');
  if (type === 'image/tiff') return fromTiff(path);
  return fromSharp(path);
}

const options = (failOn: 'error' | 'none'): SharpOptions => ({
  failOn,
  limitInputPixels: LARGEST_PICTURE,
  sequentialRead: true,
  animated: false,
});

/** A drawing is drawn no larger than its largest rendition, however large it says it is. */
async function fromVector(drawing: Buffer): Promise<PictureSource> {
  const source = await fromSharp(drawing);
  const density = Math.max(1, SCREEN_DENSITY * drawnScale(source.width, source.height));
  return { ...source, openPicture: async (strictness) => sharp(drawing, { ...options(strictness), density }) };
}

/** A camera's own format may be a TIFF in all but its pixels. */
const fromTiff = (path: string): Promise<PictureSource> =>
  fromSharp(path, true).catch((fault: unknown) => fromRaw(path).catch(() => Promise.reject(fault as Error)));

async function fromSharp(input: string | Buffer, paged = false): Promise<PictureSource> {
  const header = await sharp(input, { ...options('none'), limitInputPixels: false })
    .metadata()
    .catch(unreadable);
  const { width, height } = header.autoOrient;
  checkPixels(width, height, LARGEST_PICTURE);
  return {
    width,
    height,
    pages: paged ? header.pages : undefined,
    // A JPEG is given up after many faults unless it is said to be unlimited; pixels, memory and time are bounded all the same.
    openPicture: async (strictness) =>
      sharp(input, { ...options(strictness), unlimited: strictness === 'none' && header.format === 'jpeg' }).autoOrient(),
  };
}

/** The decoder turns and mirrors by the container's own properties, so what it hands over is upright already. */
async function fromHeic(path: string): Promise<PictureSource> {
  const { default: heic } = await import('heic-decode');
  const images = await heic.all({ buffer: await wholeFile(path) }).catch(unreadable);
  const [first] = images;
  if (!first) throw new InspectionError('unreadable');
  const { width, height } = first;
  checkPixels(width, height, LARGEST_PICTURE_IN_MEMORY);
  return {
    width,
    height,
    openPicture: async () => {
      const { data } = await first.decode();
      return fromPixels({ data: Buffer.from(data.buffer, data.byteOffset, data.byteLength), width, height, channels: 4 });
    },
  };
}

async function fromPhotoshop(path: string): Promise<PictureSource> {
  const bytes = await wholeFile(path);
  const { width, height } = photoshopSize(bytes);
  checkPixels(width, height, LARGEST_PICTURE_IN_MEMORY);
  const shown = await photoshopPicture(bytes);
  return {
    width,
    height,
    openPicture: async (strictness) => (Buffer.isBuffer(shown) ? sharp(shown, options(strictness)) : fromPixels(shown)),
  };
}

/** The preview has the orientation of the sensor; the orientation of the camera may be in the outer file only. */
async function fromRaw(path: string): Promise<PictureSource> {
  const preview = rawPreview(await wholeFile(path));
  const inner = await fromSharp(preview);
  const { orientation } = await sharp(preview).metadata();
  const turned = orientation === undefined ? ((await exifr.rotation(path).catch(() => undefined))?.deg ?? 0) : 0;
  if (turned === 0) return inner;
  const [width, height] = turned === 180 ? [inner.width, inner.height] : [inner.height, inner.width];
  return { width, height, openPicture: async (strictness) => sharp(preview, options(strictness)).rotate(turned) };
}

async function fromJpeg2000(path: string): Promise<PictureSource> {
  const { width, height, bytes } = await readJpeg2000(path);
  checkPixels(width, height, LARGEST_DOCUMENT_IMAGE);
  return { width, height, openPicture: async () => pipelineOf(await decodeJpeg2000(bytes, { width, height })) };
}

async function fromBitmap(path: string): Promise<PictureSource> {
  const bytes = await wholeFile(path);
  const { width, height } = bitmapSize(bytes);
  checkPixels(width, height, LARGEST_PICTURE_IN_MEMORY);
  return { width, height, openPicture: async () => fromPixels(decodeBitmap(bytes)) };
}

const fromPixels = ({ data, width, height, channels }: Pixels): Sharp =>
  sharp(data, { raw: { width, height, channels }, limitInputPixels: LARGEST_PICTURE });

async function wholeFile(path: string): Promise<Buffer> {
  if ((await stat(path)).size > LARGEST_FILE_IN_MEMORY) throw new InspectionError('too_large');
  return readFile(path);
}

/** A picture over the limit says how large it claims to be. */
export class OversizedPicture extends InspectionError {
  constructor(
    readonly width: number,
    readonly height: number,
  ) {
    super('too_many_pixels');
  }
}

function checkPixels(width: number, height: number, largest: number): void {
  if (width * height > largest) throw new OversizedPicture(width, height);
}

function unreadable(cause: unknown): never {
  throw new InspectionError('unreadable', { cause });
}

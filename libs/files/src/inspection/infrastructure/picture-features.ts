import sharp from 'sharp';
import type { Orientation } from './inspection';

/** An upright picture in memory: sRGB of eight bits, no edge longer than the largest rendition. */
export interface UprightPicture {
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
  readonly channels: 1 | 2 | 3 | 4;
  /** Whether any pixel lets the background through. */
  readonly transparent: boolean;
}

export const pipelineOf = ({ data, width, height, channels }: UprightPicture): sharp.Sharp =>
  sharp(data, { raw: { width, height, channels } });

/** Twice as wide as high is a panorama; edges within one percent of each other make a square. */
export function orientationOf(width: number, height: number): Orientation {
  if (width >= height * 2) return 'panorama';
  if (Math.abs(width - height) <= Math.max(width, height) * 0.01) return 'square';
  return width > height ? 'landscape' : 'portrait';
}

/** Raw RGBA pixels of the picture squeezed to a small size, whatever its proportions. */
export const squeezePixels = (picture: UprightPicture, width: number, height: number): Promise<Buffer> =>
  pipelineOf(picture).resize(width, height, { fit: 'fill' }).toColourspace('srgb').ensureAlpha().raw().toBuffer();

/**
 * The difference hash: 9 × 8 gray pixels, each bit is set when a pixel is darker than its right neighbor.
 * Scaling, encoding and brightness hardly change it.
 */
export async function perceptualHash(picture: UprightPicture): Promise<string> {
  const gray = await pipelineOf(picture).flatten({ background: '#ffffff' }).resize(9, 8, { fit: 'fill' }).greyscale().raw().toBuffer();
  let hash = 0n;
  for (let y = 0; y < 8; y++) {
    for (let x = 0; x < 8; x++) {
      const here = gray[y * 9 + x] ?? 0;
      const right = gray[y * 9 + x + 1] ?? 0;
      hash = (hash << 1n) | (here < right ? 1n : 0n);
    }
  }
  return hash.toString(16).padStart(16, '0');
}

/**
 * How much of its pixels a picture needs for what it shows: 1 for one that is sharp throughout, a quarter for one that was
 * enlarged to twice its width. What changes from pixel to pixel is compared with what changes over two of them; where nothing
 * is finer than that, the one is a quarter of the other.
 */
export async function detailOf(picture: UprightPicture): Promise<number> {
  const { data, info } = await pipelineOf(picture)
    .flatten({ background: '#ffffff' })
    .greyscale()
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const [near, far] = [changeOver(1, data, info), changeOver(2, data, info)];
  return far === 0 ? 1 : Math.round(Math.min(1, Math.max(0.01, 4 * (near / far) - 1)) * 1000) / 1000;
}

/** The mean square of the difference between pixels so far from each other. */
function changeOver(distance: number, gray: Buffer, { width, height }: { readonly width: number; readonly height: number }): number {
  let sum = 0;
  for (let y = 0; y + distance < height; y++) {
    for (let x = 0, at = y * width; x + distance < width; x++, at++) {
      const here = gray[at] ?? 0;
      sum += ((gray[at + distance] ?? 0) - here) ** 2 + ((gray[at + distance * width] ?? 0) - here) ** 2;
    }
  }
  return sum / Math.max(1, (height - distance) * (width - distance));
}

/** A placeholder of some 25 bytes, in base64, that clients draw until the picture is there. */
export async function makePlaceholder(picture: UprightPicture): Promise<string> {
  const { rgbaToThumbHash } = await import('thumbhash');
  const { data, info } = await pipelineOf(picture)
    .resize(100, 100, { fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return Buffer.from(rgbaToThumbHash(info.width, info.height, data)).toString('base64');
}

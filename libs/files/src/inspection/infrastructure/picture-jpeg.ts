import { writeFile } from 'node:fs/promises';
import { InspectionError, type JpegAnswer, type JpegTask } from './inspection';
import { openPicture, type PictureSource } from './picture-source';

/** Longest edge that a JPEG can have. */
const LONGEST_EDGE = 65_500;
const WHITE = '#ffffff';
/** A picture that has too many bytes is made smaller, so many times at most. */
const TRIES = 5;
/** Bytes fall a little slower than pixels. */
const MARGIN = 0.95;

/** A picture as an upright JPEG within bounds: transparency shows white, and nothing that cameras and people noted is in it. */
export async function uprightJpeg(task: JpegTask): Promise<JpegAnswer> {
  try {
    return await renderWithin(await openPicture(task.path, task.type), task);
  } catch (error) {
    if (!(error instanceof InspectionError)) throw error;
    return { fault: error.fault };
  }
}

async function renderWithin(source: PictureSource, task: JpegTask): Promise<JpegAnswer> {
  let scale = Math.min(
    1,
    Math.sqrt(task.mostPixels / (source.width * source.height)),
    LONGEST_EDGE / Math.max(source.width, source.height),
  );
  for (let tries = 0; tries < TRIES; tries++) {
    const [width, height] = [scaled(source.width, scale), scaled(source.height, scale)];
    const bytes = await jpegOf(source, { width, height, quality: task.quality });
    if (bytes.length <= task.mostBytes) {
      await writeFile(task.jpegPath, bytes);
      return { width, height, size: bytes.length };
    }
    scale *= Math.sqrt(task.mostBytes / bytes.length) * MARGIN;
  }
  throw new InspectionError('too_large');
}

const scaled = (edge: number, scale: number): number => Math.max(1, Math.floor(edge * scale));

async function jpegOf(
  source: PictureSource,
  { width, height, quality }: { readonly width: number; readonly height: number; readonly quality: number },
): Promise<Buffer> {
  const picture = await source.openPicture('error');
  return picture
    .resize(width, height, { fit: 'fill' })
    .flatten({ background: WHITE })
    .toColourspace('srgb')
    .jpeg({ quality })
    .toBuffer()
    .catch((cause: unknown) => {
      throw new InspectionError('damaged', { cause });
    });
}

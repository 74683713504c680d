import sharp from 'sharp';
import { TURN_TO_STORE, withCameraNotes, type CameraNotes } from './drawn-pictures';
import { texturedPicture, type TexturedPicture } from './textured-picture';

export interface Photograph extends TexturedPicture, CameraNotes {}

/** Computed no larger than this: what a larger one has beyond it is the grain of its sensor. */
const COMPUTED_EDGE = 640;
const GRAIN = 24;

/** What a camera saves: a JPEG as rough and grainy as photographs are, of some megabytes at full size, with its notes in EXIF. */
export async function photograph({ width, height, seed, ...notes }: Photograph): Promise<Buffer> {
  const shrunk = Math.min(1, COMPUTED_EDGE / Math.max(width, height));
  const scene = await texturedPicture({ width: Math.round(width * shrunk), height: Math.round(height * shrunk), seed });
  const grain = await sharp({
    create: { width, height, channels: 3, background: '#808080', noise: { type: 'gaussian', mean: 128, sigma: GRAIN } },
  })
    .raw()
    .toBuffer();
  const seen = await sharp(scene)
    .resize(width, height, { kernel: 'lanczos3' })
    .composite([{ input: grain, blend: 'overlay', raw: { width, height, channels: 3 } }])
    .removeAlpha()
    .raw()
    .toBuffer();
  return withCameraNotes(sharp(seen, { raw: { width, height, channels: 3 } }).rotate(TURN_TO_STORE[notes.orientation ?? 1]), notes)
    .jpeg({ quality: 93 })
    .toBuffer();
}

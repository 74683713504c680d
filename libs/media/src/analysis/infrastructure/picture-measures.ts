import { Injectable } from '@nestjs/common';
import type { JsonObject } from '@atrium/platform/kernel';
import type { Measure } from '../domain/analysis-field';

export type Measures = Readonly<Record<Measure, string | number | boolean>>;

const EDGE = 512;
const CELL = 8;
/** A cell may be writing when brightness goes up and down so often in it, by so much. */
const STROKES = 6;
const STROKE = 48;
const SQUARE_WITHIN = 0.02;
/** A picture in focus has about this spread of its second derivative. */
const FOCUSED = 5;
const MOST_PIXELS = 64_000_000;

/** Measures pictures themselves, without a model: orientation, brightness, sharpness, and the share that resembles writing. */
@Injectable()
export class PictureMeasures {
  /** `system` is what was found when the file came; the palette is taken from there. */
  async measurePicture(bytes: Buffer, system: JsonObject): Promise<Measures> {
    const { default: sharp } = await import('sharp');
    const picture = sharp(bytes, { limitInputPixels: MOST_PIXELS, failOn: 'none' }).rotate();
    const [{ width, height }, stats, grey] = await Promise.all([
      picture
        .clone()
        .toBuffer({ resolveWithObject: true })
        .then(({ info }) => info),
      sharp(bytes, { limitInputPixels: MOST_PIXELS, failOn: 'none' }).stats(),
      picture
        .clone()
        .flatten({ background: '#ffffff' })
        .resize(EDGE, EDGE, { fit: 'inside', withoutEnlargement: true })
        .greyscale()
        .raw()
        .toBuffer({ resolveWithObject: true }),
    ]);
    const { r, g, b } = stats.dominant;
    return {
      orientation:
        Math.abs(width - height) <= SQUARE_WITHIN * Math.max(width, height) ? 'square' : width > height ? 'landscape' : 'portrait',
      dominant_color: paletteOf(system) ?? `#${[r, g, b].map((part) => part.toString(16).padStart(2, '0')).join('')}`,
      sharpness: rounded(stats.sharpness / (stats.sharpness + FOCUSED)),
      brightness: rounded(mean(grey.data) / 255),
      has_alpha: !stats.isOpaque,
      text_density: rounded(writingIn(grey.data, grey.info)),
    };
  }
}

const rounded = (value: number): number => Math.round(value * 1_000) / 1_000;

const mean = (pixels: Uint8Array): number => (pixels.length === 0 ? 0 : pixels.reduce((sum, value) => sum + value, 0) / pixels.length);

/** The color that takes most of the picture, as it was found when the file came. */
function paletteOf({ colors }: JsonObject): string | null {
  const [first] = Array.isArray(colors) ? (colors as readonly JsonObject[]) : [];
  return typeof first?.hex === 'string' ? first.hex : null;
}

/** The share of cells whose rows go from dark to light and back as often as rows of letters do. */
function writingIn(
  pixels: Uint8Array,
  { width, height, channels }: { readonly width: number; readonly height: number; readonly channels: number },
): number {
  let cells = 0;
  let writing = 0;
  for (let top = 0; top + CELL <= height; top += CELL) {
    for (let left = 0; left + 2 * CELL <= width; left += 2 * CELL) {
      cells++;
      if (strokesIn(pixels, { top, left, width, channels }) >= STROKES) writing++;
    }
  }
  return cells === 0 ? 0 : writing / cells;
}

/** Turns of brightness in the most lively row of a cell. */
function strokesIn(
  pixels: Uint8Array,
  { top, left, width, channels }: { readonly top: number; readonly left: number; readonly width: number; readonly channels: number },
): number {
  let most = 0;
  for (let row = top; row < top + CELL; row++) {
    let turns = 0;
    let direction = 0;
    let from = pixels[(row * width + left) * channels] ?? 0;
    for (let column = left + 1; column < left + 2 * CELL; column++) {
      const value = pixels[(row * width + column) * channels] ?? 0;
      if (Math.abs(value - from) < STROKE) continue;
      const now = value > from ? 1 : -1;
      if (now !== direction) turns++;
      direction = now;
      from = value;
    }
    most = Math.max(most, turns);
  }
  return most;
}

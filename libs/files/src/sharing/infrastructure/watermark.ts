import { readFile } from 'node:fs/promises';
import { onceForAll } from '@atrium/platform/kernel';
import type { Font } from 'fontkit';
import type { OverlayOptions } from 'sharp';
import type { RenditionName } from '../../blobs/domain/renditions';
import { RENDITION_EDGES } from '../../inspection/infrastructure/inspection';

/** A text, or the bytes of a picture. */
export type Mark = { readonly text: string } | { readonly picture: Buffer };

export interface MarkedPicture {
  readonly name: RenditionName;
  readonly bytes: Buffer;
  readonly width: number;
  readonly height: number;
}

const QUALITY = 80;
/** Rows of text across the shorter side. */
const TEXT_SHARE = 1 / 14;
const TILE_SHARE = 1 / 5;
const TILE_OPACITY = 0.42;

/** Lays a mark over all of a picture, again and again, and makes the three sizes of it. */
export async function markPicture(picture: Buffer, mark: Mark): Promise<MarkedPicture[]> {
  const { default: sharp } = await import('sharp');
  const { width, height } = await sharp(picture).metadata();
  const overlay = 'text' in mark ? await textOverlay(mark.text, width, height) : await tileOverlay(mark.picture, Math.min(width, height));
  const { data, info } = await sharp(picture).composite([overlay]).raw().toBuffer({ resolveWithObject: true });
  const made: MarkedPicture[] = [];
  for (const name of ['large', 'medium', 'small'] as const) {
    const edge = RENDITION_EDGES[name];
    const sized = await sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } })
      .resize(edge, edge, { fit: 'inside', withoutEnlargement: true })
      .webp({ quality: QUALITY })
      .toBuffer({ resolveWithObject: true });
    made.push({ name, bytes: sized.data, width: sized.info.width, height: sized.info.height });
  }
  return made;
}

/** Bright letters with a dark rim, slanted: to be seen on light and dark pictures alike. */
async function textOverlay(text: string, width: number, height: number): Promise<OverlayOptions> {
  const size = Math.max(12, Math.round(Math.min(width, height) * TEXT_SHARE));
  const { shape, advance } = await outlined(text, size);
  const across = Math.ceil(advance + size * 2);
  const down = size * 4;
  const style = 'fill="#ffffff" fill-opacity="0.38" stroke="#000000" stroke-opacity="0.28"';
  return {
    input: Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><defs>` +
        `<pattern id="mark" width="${across}" height="${down}" patternUnits="userSpaceOnUse" patternTransform="rotate(-28)">` +
        `<g ${style} stroke-width="${Math.max(0.6, size / 40)}"><g transform="translate(${size / 2} ${size * 1.4})">${shape}</g><g transform="translate(${size / 2 - across / 2} ${size * 3.4})">${shape}</g><g transform="translate(${size / 2 + across / 2} ${size * 3.4})">${shape}</g></g>` +
        `</pattern></defs><rect width="100%" height="100%" fill="url(#mark)"/></svg>`,
    ),
  };
}

/** The text as curves of a font that comes with the service; letters it has not are left to the fonts of the machine. */
async function outlined(text: string, size: number): Promise<{ shape: string; advance: number }> {
  const font = await loadFont();
  const run = font.layout(text);
  if (run.glyphs.some(({ id }) => id === 0))
    return {
      shape: `<text font-family="sans-serif" font-weight="bold" font-size="${size}">${escaped(text)}</text>`,
      advance: [...text].length * size,
    };
  const scale = size / font.unitsPerEm;
  let at = 0;
  const glyphs = run.glyphs.map((glyph, index) => {
    const placed = `<path transform="translate(${at * scale} 0) scale(${scale} ${-scale})" vector-effect="non-scaling-stroke" d="${glyph.path.toSVG()}"/>`;
    at += run.positions[index]?.xAdvance ?? glyph.advanceWidth;
    return placed;
  });
  return { shape: glyphs.join(''), advance: at * scale };
}

const loadFont = onceForAll(async (): Promise<Font> => {
  const [{ create }, bytes] = await Promise.all([
    import('fontkit'),
    readFile(require.resolve('pdfjs-dist/standard_fonts/LiberationSans-Bold.ttf')),
  ]);
  const made = create(bytes);
  if ('fonts' in made) throw new Error('The font of watermarks is no single font.');
  return made;
});

/** The picture, faint and with room around it, to be repeated. */
async function tileOverlay(picture: Buffer, shorter: number): Promise<OverlayOptions> {
  const { default: sharp } = await import('sharp');
  const edge = Math.max(16, Math.round(shorter * TILE_SHARE));
  const room = Math.max(1, Math.round(edge / 3));
  const veil = {
    input: Buffer.from([255, 255, 255, Math.round(255 * TILE_OPACITY)]),
    raw: { width: 1, height: 1, channels: 4 as const },
    tile: true,
    blend: 'dest-in' as const,
  };
  const faint = await sharp(picture).resize(edge, edge, { fit: 'inside' }).ensureAlpha().composite([veil]).png().toBuffer();
  const tile = await sharp(faint)
    .extend({ top: room, bottom: room, left: room, right: room, background: { r: 0, g: 0, b: 0, alpha: 0 } })
    .resize({ width: Math.min(edge + 2 * room, shorter), height: Math.min(edge + 2 * room, shorter), fit: 'inside' })
    .png()
    .toBuffer();
  return { input: tile, tile: true };
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? '');

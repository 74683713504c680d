import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { captureFacts } from './capture-facts';
import { InspectionError, RENDITION_EDGES, type Inspection, type InspectionTask, type Rendition, type RenditionName, type SystemMetadata } from './inspection';
import { paletteOf } from './palette';
import { orientationOf, perceptualHash, pipelineOf, placeholder, squeezed, type UprightPicture } from './picture-features';
import { openPicture, OversizedPicture, type PictureSource } from './picture-source';

/**
 * Renders a picture and describes it. The original is decoded once, to the largest rendition; everything else is made
 * from that. A picture smaller than a size is not enlarged: that rendition then has the original's own dimensions.
 */
export async function inspectPicture({ path, type, outputDir }: InspectionTask): Promise<Inspection> {
  const system: SystemMetadata = {};
  try {
    const source = await openPicture(path, type);
    Object.assign(system, await headerFacts(source, path, type));
    const { picture, damaged } = await uprightPicture(source);
    if (damaged) system.error = 'damaged';
    const renditions = await render(picture, outputDir);
    return { renditions, system: { ...system, ...(await looks(picture)) } };
  } catch (error) {
    if (!(error instanceof InspectionError)) throw error;
    if (error instanceof OversizedPicture) Object.assign(system, sizeFacts(error.width, error.height));
    return { renditions: [], system: { ...system, error: error.fault } };
  }
}

async function headerFacts(source: PictureSource, path: string, type: string): Promise<SystemMetadata> {
  const facts: SystemMetadata = sizeFacts(source.width, source.height);
  if (source.pages !== undefined && source.pages > 1) facts.pages = source.pages;
  return { ...facts, ...(await captureFacts(type === 'image/webp' ? source.exif : path)) };
}

const sizeFacts = (width: number, height: number): SystemMetadata => ({ width, height, orientation: orientationOf(width, height) });

/** Decodes strictly first; a picture with missing or wrong bytes is decoded as far as it goes. */
async function uprightPicture(source: PictureSource): Promise<{ picture: UprightPicture; damaged: boolean }> {
  try {
    return { picture: await decode(source, 'error'), damaged: false };
  } catch {
    const picture = await decode(source, 'none').catch((cause: unknown) => {
      throw new InspectionError('damaged', { cause });
    });
    return { picture, damaged: true };
  }
}

async function decode(source: PictureSource, strictness: 'error' | 'none'): Promise<UprightPicture> {
  const pipeline = await source.open(strictness);
  const { data, info } = await pipeline
    .resize(RENDITION_EDGES.large, RENDITION_EDGES.large, { fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height, transparent: letsThrough(data) };
}

function letsThrough(rgba: Buffer): boolean {
  for (let at = 3; at < rgba.length; at += 4) if ((rgba[at] ?? 255) < 255) return true;
  return false;
}

async function render(picture: UprightPicture, outputDir: string): Promise<Rendition[]> {
  const renditions: Rendition[] = [];
  for (const name of ['large', 'medium', 'small'] as const) renditions.push(await renderOne(picture, name, join(outputDir, `${name}.webp`)));
  return renditions;
}

async function renderOne(picture: UprightPicture, name: RenditionName, path: string): Promise<Rendition> {
  const edge = RENDITION_EDGES[name];
  const sized = pipelineOf(picture).resize(edge, edge, { fit: 'inside', withoutEnlargement: true });
  const { data, info } = await (picture.transparent ? sized : sized.removeAlpha()).webp({ quality: 80 }).toBuffer({ resolveWithObject: true });
  await writeFile(path, data);
  return { name, path, width: info.width, height: info.height, size: data.length, type: 'image/webp' };
}

async function looks(picture: UprightPicture): Promise<SystemMetadata> {
  return {
    alpha: picture.transparent,
    colors: paletteOf(await squeezed(picture, 64, 64)),
    thumbhash: await placeholder(picture),
    phash: await perceptualHash(picture),
  };
}

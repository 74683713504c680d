import { captureFacts } from './capture-facts';
import { embeddedFacts } from './embedded-facts';
import { InspectionError, RENDITION_EDGES, type Inspection, type InspectionTask, type SystemMetadata } from './inspection';
import { orientationOf, pipelineOf, type UprightPicture } from './picture-features';
import { pictureNotes } from './picture-notes';
import { pictureParts } from './picture-parts';
import { openPicture, OversizedPicture, type PictureSource } from './picture-source';

/**
 * Renders a picture and describes it. The original is decoded once, to the largest rendition; everything else is made
 * from that.
 */
export async function inspectPicture({ path, type, outputDir }: InspectionTask): Promise<Inspection> {
  const system: SystemMetadata = {};
  try {
    const source = await openPicture(path, type);
    Object.assign(system, await headerFacts(source, path, type));
    const { picture, damaged } = await uprightPicture(source);
    if (damaged) system.error = 'damaged';
    const { renditions, appearance: looks } = await pictureParts(picture, outputDir);
    return { renditions, system: { ...system, ...looks } };
  } catch (error) {
    if (!(error instanceof InspectionError)) throw error;
    if (error instanceof OversizedPicture) Object.assign(system, sizeFacts(error.width, error.height));
    return { renditions: [], system: { ...system, error: error.fault } };
  }
}

async function headerFacts(source: PictureSource, path: string, type: string): Promise<SystemMetadata> {
  const facts: SystemMetadata = sizeFacts(source.width, source.height);
  if (source.pages !== undefined && source.pages > 1) facts.pages = source.pages;
  const notes = await pictureNotes(path, type);
  return { ...facts, ...captureFacts(notes), embedded: embeddedFacts(notes) };
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
  const pipeline = await source.openPicture(strictness);
  const { data, info } = await pipeline
    .resize(RENDITION_EDGES.large, RENDITION_EDGES.large, { fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  if (info.channels !== 4) return { data, width: info.width, height: info.height, channels: info.channels, transparent: false };
  const transparent = letsThrough(data);
  const picture: UprightPicture = { data, width: info.width, height: info.height, channels: 4, transparent };
  return transparent ? picture : { ...picture, data: await pipelineOf(picture).removeAlpha().raw().toBuffer(), channels: 3 };
}

function letsThrough(rgba: Buffer): boolean {
  for (let at = 3; at < rgba.length; at += 4) if ((rgba[at] ?? 255) < 255) return true;
  return false;
}

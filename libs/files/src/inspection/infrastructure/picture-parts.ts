import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RENDITION_EDGES, type Rendition, type RenditionName, type SystemMetadata } from './inspection';
import { paletteOf } from './palette';
import { detailOf, perceptualHash, pipelineOf, makePlaceholder, squeezePixels, type UprightPicture } from './picture-features';
import { viewsOf } from './picture-views';

/** What a picture looks like, in few bytes. */
export type PictureAppearance = Required<Pick<SystemMetadata, 'alpha' | 'colors' | 'thumbhash' | 'phash' | 'detail'>> &
  Pick<SystemMetadata, 'views'>;

/**
 * The renditions of an upright picture, and its looks. Each size is made of the next larger one, so that the large pixels
 * are gone through once; a picture smaller than a size is not enlarged.
 */
export async function pictureParts(
  large: UprightPicture,
  outputDir: string,
): Promise<{ renditions: Rendition[]; appearance: PictureAppearance }> {
  const medium = await scaled(large, 'medium');
  const small = await scaled(medium, 'small');
  const renditions: Rendition[] = [];
  for (const [name, picture] of [
    ['large', large],
    ['medium', medium],
    ['small', small],
  ] as const)
    renditions.push(await rendition(picture, name, outputDir));
  return { renditions, appearance: { ...(await looksOf(small)), detail: await detailOf(large) } };
}

async function scaled(picture: UprightPicture, name: RenditionName): Promise<UprightPicture> {
  const edge = RENDITION_EDGES[name];
  if (Math.max(picture.width, picture.height) <= edge) return picture;
  const { data, info } = await pipelineOf(picture).resize(edge, edge, { fit: 'inside' }).raw().toBuffer({ resolveWithObject: true });
  return { ...picture, data, width: info.width, height: info.height };
}

async function rendition(picture: UprightPicture, name: RenditionName, outputDir: string): Promise<Rendition> {
  const path = join(outputDir, `${name}.webp`);
  const bytes = await pipelineOf(picture).webp({ quality: 80 }).toBuffer();
  await writeFile(path, bytes);
  return { name, path, width: picture.width, height: picture.height, size: bytes.length, type: 'image/webp' };
}

async function looksOf(picture: UprightPicture): Promise<Omit<PictureAppearance, 'detail'>> {
  return {
    alpha: picture.transparent,
    colors: paletteOf(await squeezePixels(picture, 64, 64)),
    thumbhash: await makePlaceholder(picture),
    phash: await perceptualHash(picture),
    views: await viewsOf(picture),
  };
}

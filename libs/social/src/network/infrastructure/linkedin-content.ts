import type { JsonObject } from '@atrium/platform/kernel';
import type { MediaPlan, PlannedFile } from '../domain/media-rules';
import { SocialFailure } from '../domain/social-failure';

const withAlt = (id: string, alt: string | null): JsonObject => ({ id, ...(alt ? { altText: alt } : {}) });

/** The member `content` of a post; null for text alone. Titles and alternative texts are plain text. */
export function contentOf(media: MediaPlan, assets: Readonly<Record<string, string>>): JsonObject | null {
  const assetOf = ({ file_id }: PlannedFile): string => {
    const asset = assets[file_id];
    if (!asset) throw new SocialFailure('unavailable', 'A file of the post was not uploaded.');
    return asset;
  };
  if (media.kind === 'images') return { multiImage: { images: media.files.map((file) => withAlt(assetOf(file), file.alt)) } };
  if (media.kind === 'article' && media.link) {
    const { source, title, description, image } = media.link;
    return { article: { source, title, ...(description ? { description } : {}), ...(image ? { thumbnail: assetOf(image) } : {}) } };
  }
  const [file] = media.files;
  if (!file) return null;
  const titled: JsonObject = file.title ? { title: file.title } : {};
  return { media: { ...withAlt(assetOf(file), media.kind === 'image' ? file.alt : null), ...titled } };
}

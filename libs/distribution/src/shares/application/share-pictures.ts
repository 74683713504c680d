import { Injectable } from '@nestjs/common';
import {
  closestRendition,
  RENDITIONS,
  SharedFiles,
  Watermarks,
  type ArchivedFile,
  type Rendition,
  type RenditionName,
  type Renditions,
  type SharedFile,
  type Watermark,
} from '@atrium/files';
import { extensionOf } from '@atrium/files';
import { Database } from '@atrium/platform/database';
import { accessDenied, notFound, Problem, SECOND } from '@atrium/platform/kernel';
import type { ShareSize } from '../domain/share-options';
import { ShareAddresses } from './share-addresses';
import { ShareContents } from './share-contents';
import type { OpenShare } from './share-gate';
import { ShareSecrets } from './share-secrets';

const MARK_WAIT_MS = 6 * SECOND;
/** No compressed picture takes more than its bare pixels. */
const MOST_BYTES_A_PIXEL = 3;

/** Whose pictures: the link, and the rights it lends. */
type LinkRights = Pick<OpenShare, 'link' | 'member'>;

/** What goes into an archive; `awaited`: its marked picture is still to be made and takes so many bytes at most. */
export type PackedPart = { readonly entry: ArchivedFile } | { readonly awaited: number };

const isPicture = (size: ShareSize): size is RenditionName => size !== 'original';

/** Which picture of a file a visitor gets: as large as the link allows, marked where it asks for marks, and never another one. */
@Injectable()
export class SharePictures {
  constructor(
    private readonly db: Database,
    private readonly files: SharedFiles,
    private readonly contents: ShareContents,
    private readonly watermarks: Watermarks,
    private readonly secrets: ShareSecrets,
    private readonly addresses: ShareAddresses,
  ) {}

  /** Within a unit of work. */
  markOf({ member, link }: LinkRights): Promise<Watermark | null> {
    return this.contents.markOf(member, link);
  }

  /** Whether pictures with the mark are still to be made. */
  hasPendingPictures(file: SharedFile, mark: Watermark | null): boolean {
    return mark !== null && this.watermarks.hasPendingPictures(file, mark);
  }

  /** The pictures that may be shown; none while marked ones are being made, and where they could not be. */
  getShownPictures(file: SharedFile, mark: Watermark | null): Renditions {
    return mark ? this.watermarks.markedRenditions(file, mark) : file.blob_replicas;
  }

  /** Asks for marked pictures that are missing; within a writing unit of work. */
  queueWatermarks(files: readonly SharedFile[], mark: Watermark): void {
    this.watermarks.queueWatermarks(files, mark);
  }

  /** Asks for marked pictures of these files as far as one has none; in a unit of work of its own. */
  async orderMissing(files: readonly SharedFile[], mark: Watermark | null): Promise<void> {
    if (mark && files.some((file) => this.hasPendingPictures(file, mark)))
      await this.db.write(() => Promise.resolve(this.queueWatermarks(files, mark)));
  }

  /** Waits a little for marked pictures; then says when to ask again. */
  async awaitShownPictures(file: SharedFile, mark: Watermark | null): Promise<Renditions> {
    if (!mark || !this.hasPendingPictures(file, mark)) return this.getShownPictures(file, mark);
    const made = await this.watermarks.awaitWatermarks(file, mark, MARK_WAIT_MS);
    if (made === null)
      throw new Problem('service_unavailable', 'The picture is being prepared. Try again in a moment.', {
        headers: { 'Retry-After': '2' },
      });
    return made;
  }

  /** Sizes of pictures that a visitor may see. */
  previewSizes({ link }: Pick<LinkRights, 'link'>): RenditionName[] {
    const allowed = link.options.sizes.filter(isPicture);
    return allowed.length > 0 ? allowed : ['small'];
  }

  /** The size that is asked for, if it is allowed; without one the largest preview there may be. */
  choosePreview(share: OpenShare, wanted: RenditionName | undefined): RenditionName {
    const allowed = this.previewSizes(share);
    if (wanted !== undefined && !allowed.includes(wanted)) throw accessDenied(`This link shows only these sizes: ${allowed.join(', ')}.`);
    return wanted ?? RENDITIONS.findLast((name) => allowed.includes(name)) ?? 'small';
  }

  /** The size that is to be fetched, if the link lets fetch it at all. */
  chooseDownload({ link }: OpenShare, wanted: ShareSize | undefined): ShareSize {
    const { allow_download, sizes } = link.options;
    if (!allow_download) throw accessDenied('This link does not allow downloads.');
    if (wanted !== undefined && !sizes.includes(wanted))
      throw accessDenied(`This link allows downloads only in these sizes: ${sizes.join(', ')}.`);
    return wanted ?? (sizes.includes('original') ? 'original' : (RENDITIONS.findLast((name) => sizes.includes(name)) ?? 'small'));
  }

  /** A picture of about the size, never one larger than the allowed ones. */
  pickRendition(pictures: Renditions, size: RenditionName, allowed: readonly RenditionName[]): Rendition {
    const found = closest(pictures, size, allowed);
    if (!found) throw notFound('preview of this file');
    return found;
  }

  /** What of a file goes into an archive: the picture, or where it has none the bytes themselves if originals are handed out. Null: nothing of it. */
  findPackedPart(
    share: LinkRights,
    file: SharedFile,
    { size, mark }: { readonly size: ShareSize; readonly mark: Watermark | null },
  ): PackedPart | null {
    const named = this.publicFile(share, file);
    const hasPictures = Object.keys(file.blob_replicas).length > 0;
    if (size === 'original' || !hasPictures) {
      const mayBe = share.link.options.sizes.includes('original') && file.file_hash !== null;
      return mayBe ? { entry: this.files.toEntry(named, null) } : null;
    }
    const shown = this.getShownPictures(file, mark);
    const isAwaited = this.hasPendingPictures(file, mark);
    const picture = closest(isAwaited ? file.blob_replicas : shown, size, this.previewSizes(share));
    if (!picture) return null;
    return isAwaited ? { awaited: picture.w * picture.h * MOST_BYTES_A_PIXEL } : { entry: this.files.toEntry(named, picture) };
  }

  /** The picture of a file in a list: small, or larger where the link shows it so. */
  findThumbnail(share: OpenShare, pictures: Renditions, size: RenditionName): Rendition | null {
    if (size === 'small') return pictures.small ?? pictures.medium ?? null;
    return Object.keys(pictures).length === 0 ? null : this.pickRendition(pictures, size, this.previewSizes(share));
  }

  /** The address of a picture of about the size, for a short time: a thumb or preview to be shown, or one that was taken. */
  pictureAddress({ link }: OpenShare, { file_id }: SharedFile, size: RenditionName, what: 'thumb' | 'picture' | 'taken'): string {
    return this.addresses.sealAddress(link, { what, file_id, size });
  }

  originalAddress({ link }: OpenShare, { file_id }: SharedFile): string {
    return this.addresses.sealAddress(link, { what: 'original', file_id });
  }

  /** The file under the name that visitors may know. */
  publicFile({ link }: Pick<LinkRights, 'link'>, file: SharedFile): SharedFile {
    if (link.options.show_names) return file;
    const extension = extensionOf(file.file_name);
    return { ...file, file_name: `${this.secrets.publicId(link.share_id, file.file_id).slice(0, 8)}${extension ? `.${extension}` : ''}` };
  }
}

function closest(pictures: Renditions, size: RenditionName, allowed: readonly RenditionName[]): Rendition | undefined {
  const permitted = Object.fromEntries(Object.entries(pictures).filter(([name]) => allowed.includes(name as RenditionName))) as Renditions;
  return (
    closestRendition(permitted, size)?.rendition ?? RENDITIONS.map((name) => permitted[name]).findLast((picture) => picture !== undefined)
  );
}

import { Injectable } from '@nestjs/common';
import { SharedFiles } from '@atrium/files';
import { SharedAlbums } from '@atrium/media';
import { ShareLinksRepository } from '../infrastructure/share-links.repository';
import type { OpenShare } from './share-gate';
import { ShareSecrets } from './share-secrets';

/** An album a visitor may choose. */
export interface TargetAlbum {
  readonly album_id: string;
  readonly album_name: string;
}

const MOST_COUNTED = 10_000;

/** What a link leads to, in numbers and names: how many files it shows, what may be sent by it. Within a unit of work. */
@Injectable()
export class ShareTargets {
  constructor(
    private readonly links: ShareLinksRepository,
    private readonly files: SharedFiles,
    private readonly albums: SharedAlbums,
    private readonly secrets: ShareSecrets,
  ) {}

  /** Files there are, counted as far as 10,000; status and rights apart. */
  async countFiles({ member, link, selection }: OpenShare): Promise<number | null> {
    return (
      selection &&
      this.files.countFiles(member, selection, { action: link.share_type === 'files' ? 'download' : 'view', most: MOST_COUNTED })
    );
  }

  async uploadOffer({ link }: OpenShare): Promise<{
    max_files: number | null;
    left: number | null;
    max_size: number | null;
    may_tag: boolean;
    albums: TargetAlbum[];
  }> {
    const { share_max_files: max_files, share_max_size: max_size, share_allow_change_tags: may_tag } = link;
    const albums = link.share_allow_change_albums ? await this.albums.findAlbums(link.share_album_ids) : [];
    return {
      max_files,
      left: max_files === null ? null : Math.max(0, max_files - (await this.links.countUploads(link.share_id))),
      max_size,
      may_tag,
      albums: albums.map(({ album_id, album_name }) => ({ album_id: this.secrets.outsideId(link.share_id, album_id), album_name })),
    };
  }
}

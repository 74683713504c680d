import { Injectable, type OnModuleInit } from '@nestjs/common';
import { GuestArchives, type GuestArchive } from '@atrium/files';
import type { ShareSize } from '../domain/share-options';
import { ShareDownloadRows } from '../infrastructure/share-downloads.rows';
import { ShareLinksRepository } from '../infrastructure/share-links.repository';
import { ShareFiles } from './share-files';
import { ShareCreators } from './share-creators';
import { SharePictures } from './share-pictures';
import { ShareSecrets } from './share-secrets';

const SHORT = 8;

/** Says what goes into the archive that somebody ordered by a link: what the link lends when it is packed, as it shows it, and no more than its maker may do then. */
@Injectable()
export class SharePacking implements OnModuleInit {
  constructor(
    private readonly rows: ShareDownloadRows,
    private readonly archives: GuestArchives,
    private readonly links: ShareLinksRepository,
    private readonly makers: ShareCreators,
    private readonly shown: ShareFiles,
    private readonly pictures: SharePictures,
    private readonly secrets: ShareSecrets,
  ) {}

  onModuleInit(): void {
    this.archives.register((job_id, size) => this.of(job_id, size));
  }

  private async of(job_id: string, size: ShareSize): Promise<GuestArchive | null> {
    const share_id = await this.rows.findShare(job_id);
    const link = share_id === null ? null : await this.links.findRow(share_id);
    const member = link && (await this.makers.findMember(link.share_created_by));
    if (!link || !member?.permissions.has('media:share')) return null;
    const share = { link, member };
    const mark = size === 'original' ? null : await this.pictures.markOf(share);
    return {
      mark,
      findFiles: (ids) => this.shown.filterPackable(share, ids),
      toEntry: (file) => {
        const part = this.pictures.findPackedPart(share, file, { size, mark });
        return part && 'entry' in part ? part.entry : null;
      },
      nameOf: (file_id) => this.secrets.publicId(link.share_id, file_id).slice(0, SHORT),
    };
  }
}

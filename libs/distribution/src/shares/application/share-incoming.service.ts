import { Injectable } from '@nestjs/common';
import { FileSummaries, Trash, type FilePreview } from '@atrium/files';
import { SharedAlbums } from '@atrium/media';
import type { Principal } from '@atrium/platform/access';
import { Database, type ListParameters, type Page } from '@atrium/platform/database';
import { invalidFields, notFound } from '@atrium/platform/kernel';
import { ShareLinksRepository } from '../infrastructure/share-links.repository';
import { ShareUploadsRepository, type ShareUploadRow } from '../infrastructure/share-uploads.repository';
import { ShareJournal } from './share-journal';
import { ShareLinks } from './share-links.service';

/** A file that came in; without one while it is on its way. */
export type IncomingFile = ShareUploadRow & { readonly su_preview: FilePreview | null };

export interface ReviewOrder {
  readonly accept?: readonly string[];
  readonly reject?: readonly string[];
}

export interface Reviewed {
  readonly accepted: number;
  readonly rejected: number;
  /** Files that do not wait for a decision by this link. */
  readonly skipped: number;
}

/** Files that came in by a link, and what its maker decides on them. */
@Injectable()
export class ShareIncoming {
  constructor(
    private readonly db: Database,
    private readonly own: ShareLinks,
    private readonly links: ShareLinksRepository,
    private readonly rows: ShareUploadsRepository,
    private readonly summaries: FileSummaries,
    private readonly albums: SharedAlbums,
    private readonly trash: Trash,
    private readonly journal: ShareJournal,
  ) {}

  listIncoming(caller: Principal, id: string, query: ListParameters): Promise<Page<IncomingFile>> {
    return this.db.read(async () => {
      const link = await this.links.findRow(id);
      if (link?.share_created_by !== caller.user_id) throw notFound('share link');
      const page = await this.rows.listUploads(id, query);
      const files = await this.summaries.findSummaries(page.data.flatMap(({ su_file }) => su_file ?? []));
      return {
        ...page,
        data: page.data.map((row) => ({ ...row, su_preview: (row.su_file ? files.get(row.su_file)?.preview : null) ?? null })),
      };
    });
  }

  /** Accepted files join the albums they were sent for; rejected ones go to the trash. What was decided stays so. */
  reviewFiles(caller: Principal, id: string, { accept = [], reject = [] }: ReviewOrder): Promise<Reviewed> {
    const both = accept.filter((file) => reject.includes(file));
    if (accept.length + reject.length === 0)
      throw invalidFields([{ path: 'accept', code: 'required', message: 'must contain files if reject does not' }]);
    if (both.length > 0)
      throw invalidFields([{ path: 'reject', code: 'conflict', message: 'must not contain files that accept contains' }]);
    return this.db.write(async () => {
      const link = await this.own.lockOwn(caller, id);
      const accepted = await this.rows.reviewUploads(id, accept, 'accepted');
      for (const { su_file, su_albums } of accepted) for (const album of su_albums) await this.albums.addFiles(caller, album, [su_file]);
      const rejected = await this.rows.reviewUploads(id, reject, 'rejected');
      await this.trash.trashUnchecked(
        rejected.map(({ su_file }) => su_file),
        caller.user_id,
      );
      const reviewed = {
        accepted: accepted.length,
        rejected: rejected.length,
        skipped: accept.length + reject.length - accepted.length - rejected.length,
      };
      this.journal.recordReviewed(
        link,
        accepted.map(({ su_file }) => su_file),
        rejected.map(({ su_file }) => su_file),
      );
      return reviewed;
    });
  }
}

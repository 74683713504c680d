import { Injectable } from '@nestjs/common';
import { SharedFiles, type SharedFile } from '@atrium/files';
import { Database } from '@atrium/platform/database';
import { type JsonObject, notYet } from '@atrium/platform/kernel';
import { Outbox } from '@atrium/platform/messaging';
import type { ShareSize } from '../domain/share-options';
import { ShareEvents } from '../infrastructure/share-events.rows';
import { ShareLinksRepository } from '../infrastructure/share-links.repository';
import type { ShareCall } from './share-call';
import { ShareFiles } from './share-files';
import { linkExhausted, ShareGate, type OpenShare } from './share-gate';
import { SharePictures } from './share-pictures';

/** What visitors fetch by a link: every download is counted, and none is handed out beyond the last one. */
@Injectable()
export class ShareDownloads {
  constructor(
    private readonly db: Database,
    private readonly gate: ShareGate,
    private readonly links: ShareLinksRepository,
    private readonly shown: ShareFiles,
    private readonly pictures: SharePictures,
    private readonly files: SharedFiles,
    private readonly events: ShareEvents,
    private readonly outbox: Outbox,
  ) {}

  /** Takes one download; the last one uses the link up. */
  async downloadUrl(token: string, public_id: string, call: ShareCall, wanted?: ShareSize): Promise<string> {
    const share = await this.gate.enterShare(token, call);
    const size = this.pictures.chooseDownload(share, wanted);
    const [file, mark] = await this.db.read(
      async () =>
        [await this.shown.requireFetchable(share, this.shown.findFileId(share, public_id)), await this.pictures.markOf(share)] as const,
    );
    if (size === 'original' && file.file_hash === null) throw notYet('The file is still being processed. Try again in a moment.', 2);
    if (size === 'original') {
      await this.consumeDownload(share, [file], { size });
      return this.pictures.originalAddress(share, file);
    }
    await this.pictures.orderMissing([file], mark);
    this.pictures.pickRendition(await this.pictures.awaitShownPictures(file, mark), size, this.pictures.previewSizes(share));
    await this.consumeDownload(share, [file], { size });
    return this.pictures.pictureAddress(share, file, size, 'taken');
  }

  /** Counts one download, for however many files, or answers 410 when none is left. */
  async consumeDownload(share: OpenShare, files: readonly SharedFile[], details: JsonObject, archive = false): Promise<void> {
    const { link, visitor, access } = share;
    await this.db.write(async () => {
      const taken = await this.links.consumeDownload(link.share_id);
      if (taken === null) throw linkExhausted();
      const only = files.length === 1 ? files[0] : undefined;
      await this.events.insertEvent(link.share_id, visitor, {
        se_type: archive ? 'zip' : 'download',
        se_file: only?.file_id ?? null,
        se_name: access?.name ?? null,
        se_email: access?.email ?? null,
        se_details: { ...details, ...(archive ? { files: files.length } : {}) },
      });
      await this.files.recordHistory(files, 'downloaded', { ...details, share_id: link.share_id, ...(archive ? { archive: true } : {}) });
      if (taken === link.options.max_downloads)
        this.outbox.emitEvent({ name: 'share.exhausted', subject_id: link.share_id, payload: { limit: 'max_downloads' } });
    });
  }
}

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
import { exhausted, ShareGate, type OpenShare } from './share-gate';
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
    const share = await this.gate.entered(token, call);
    const size = this.pictures.download(share, wanted);
    const [file, mark] = await this.db.read(
      async () => [await this.shown.fetchable(share, this.shown.idOf(share, public_id)), await this.pictures.markOf(share)] as const,
    );
    if (size === 'original' && file.file_hash === null) throw notYet('The file is still being processed. Try again in a moment.', 2);
    if (size === 'original') {
      await this.take(share, [file], { size });
      return this.pictures.original(share, file);
    }
    await this.pictures.orderMissing([file], mark);
    this.pictures.pick(await this.pictures.whenShown(file, mark), size, this.pictures.previews(share));
    await this.take(share, [file], { size });
    return this.pictures.address(share, file, size, 'taken');
  }

  /** Counts one download, for however many files, or answers 410 when none is left. */
  async take(share: OpenShare, files: readonly SharedFile[], details: JsonObject, archive = false): Promise<void> {
    const { link, visitor, access } = share;
    await this.db.write(async () => {
      const taken = await this.links.takeDownload(link.share_id);
      if (taken === null) throw exhausted();
      const only = files.length === 1 ? files[0] : undefined;
      await this.events.add(link.share_id, visitor, {
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

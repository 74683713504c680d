import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '@atrium/platform/database';
import type { DownloadJob } from '../../downloads/domain/download-job';
import type { ArchiveItem } from '../../downloads/application/archive-contents';
import { DownloadContents } from '../../downloads/application/download-contents';
import { GuestArchives, type GuestArchive } from './guest-archives';
import type { SharedFile } from '../infrastructure/shared-files.rows';
import { WatermarkMaking } from './watermark-making';
import { Watermarks } from './watermarks';

const BATCH = 25;

/**
 * What goes into an archive that a guest ordered: only what may be handed out when it is packed, and no picture without
 * the watermark it needs; one without it gets it during packing. What is left out shows no id of the workspace.
 */
@Injectable()
export class GuestPacking implements OnModuleInit {
  constructor(
    private readonly db: Database,
    private readonly downloads: DownloadContents,
    private readonly archives: GuestArchives,
    private readonly watermarks: Watermarks,
    private readonly making: WatermarkMaking,
  ) {}

  onModuleInit(): void {
    this.downloads.registerGuests((job) => this.listItems(job));
  }

  async *listItems({ job_id, file_ids, size }: Pick<DownloadJob, 'job_id' | 'file_ids' | 'size'>): AsyncGenerator<ArchiveItem, void> {
    const archive = await this.db.read(() => this.archives.findArchive(job_id, size));
    if (!archive) throw new Error('Nobody hands out the files of this archive any more.');
    for (let at = 0; at < file_ids.length; at += BATCH) {
      const batch = file_ids.slice(at, at + BATCH);
      const files = new Map((await this.db.read(() => archive.findFiles(batch))).map((file) => [file.file_id, file]));
      for (const file_id of batch)
        yield (await this.item(archive, files.get(file_id))) ?? { file_id, reason: 'unavailable', name: archive.nameOf(file_id) };
    }
  }

  private async item(archive: GuestArchive, file: SharedFile | undefined): Promise<ArchiveItem | null> {
    const marked = file && (await this.marked(archive, file));
    return marked ? archive.toEntry(marked) : null;
  }

  private async marked(archive: GuestArchive, file: SharedFile): Promise<SharedFile | undefined> {
    const { mark } = archive;
    if (!mark || Object.keys(file.blob_replicas).length === 0 || Object.keys(this.watermarks.markedRenditions(file, mark)).length > 0)
      return file;
    await this.making.makeWatermark(this.watermarks.watermarkJob(file, mark));
    return (await this.db.read(() => archive.findFiles([file.file_id])))[0];
  }
}

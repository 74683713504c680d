import { Injectable } from '@nestjs/common';
import type { DownloadJob } from '../domain/download-job';
import { ArchiveContents, type ArchiveItem } from './archive-contents';
import { DownloadRuns } from './download-runs';

type Ordered = Pick<DownloadJob, 'job_id' | 'file_ids' | 'size' | 'job_created_by' | 'job_key'>;

const BATCH = 25;

/** What goes into an archive that a guest ordered, as it is when the archive is packed. */
export type GuestContents = (job: Ordered) => AsyncIterable<ArchiveItem>;

/**
 * What goes into the archive of a download job: the files that its member may still download when they are packed, or what is
 * handed to its guest. The area of sharing knows the latter and registers when a worker starts.
 */
@Injectable()
export class DownloadContents {
  private guests: GuestContents | undefined;

  constructor(
    private readonly contents: ArchiveContents,
    private readonly runs: DownloadRuns,
  ) {}

  registerGuests(guests: GuestContents): void {
    this.guests = guests;
  }

  listItems(job: Ordered): AsyncIterable<ArchiveItem> {
    if (job.job_created_by !== null) return this.itemsOfMember(job);
    if (!this.guests) throw new Error('Nobody packs the archives of guests in this process.');
    return this.guests(job);
  }

  /** With the rights of this moment: days may pass between the order and a batch. */
  private async *itemsOfMember(job: Ordered): AsyncGenerator<ArchiveItem, void> {
    const { file_ids, size } = job;
    for (let at = 0; at < file_ids.length; at += BATCH) {
      const asker = await this.runs.findAsker(job);
      yield* await this.contents.findItems(asker, file_ids.slice(at, at + BATCH), size);
    }
  }
}

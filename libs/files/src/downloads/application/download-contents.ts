import { Injectable } from '@nestjs/common';
import type { DownloadJob } from '../domain/download-job';
import { ArchiveContents, type ArchiveItem } from './archive-contents';

type Ordered = Pick<DownloadJob, 'job_id' | 'file_ids' | 'size' | 'job_created_by'>;

/** What goes into an archive that a guest ordered, as it is when the archive is packed. */
export type GuestContents = (job: Ordered) => AsyncIterable<ArchiveItem>;

/**
 * What goes into the archive of a download job: the files of its member that can still be had, or what is handed to its
 * guest. The area of sharing knows the latter and registers when a worker starts.
 */
@Injectable()
export class DownloadContents {
  private guests: GuestContents | undefined;

  constructor(private readonly contents: ArchiveContents) {}

  forGuests(guests: GuestContents): void {
    this.guests = guests;
  }

  itemsOf(job: Ordered): AsyncIterable<ArchiveItem> {
    if (job.job_created_by !== null) return this.contents.readAvailableItems(job.file_ids, job.size);
    if (!this.guests) throw new Error('Nobody packs the archives of guests in this process.');
    return this.guests(job);
  }
}

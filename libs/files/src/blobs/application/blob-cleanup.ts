import { Injectable } from '@nestjs/common';
import { Database } from '@atrium/platform/database';
import { DAY } from '@atrium/platform/kernel';
import { planJob, Outbox } from '@atrium/platform/messaging';
import { ObjectStore } from '@atrium/platform/storage';
import type { Blob } from '../domain/blob';
import { BlobsRepository } from '../infrastructure/blobs.repository';
import { discarded, MOST_DISCARDED } from '../jobs/discarded.jobs';
import { BlobObjects } from './blob-objects';

/**
 * What runs left in storage that were cut off while another one described the same bytes: nobody wins after them, so nobody
 * tidies. It may belong to a run that is still at work and will be named; a day later every such run has ended.
 */
@Injectable()
export class BlobCleanup {
  constructor(
    private readonly db: Database,
    private readonly blobs: BlobsRepository,
    private readonly objects: BlobObjects,
    private readonly outbox: Outbox,
    private readonly store: ObjectStore,
  ) {}

  /** Has what no row names now removed later. */
  async removeLater(blob_id: string): Promise<void> {
    const blob = await this.find(blob_id);
    const keys = blob ? await this.objects.listUnnamed(blob) : [];
    if (keys.length === 0) return;
    await this.db.write(async () => {
      for (let at = 0; at < keys.length; at += MOST_DISCARDED)
        this.outbox.addJob(planJob(discarded, { keys: keys.slice(at, at + MOST_DISCARDED), blob_id }, { delayMs: DAY }));
    });
  }

  /** Removes those of the objects that the row of the blob does not name by now. */
  async removeUnnamed(blob_id: string, keys: readonly string[]): Promise<void> {
    const blob = await this.find(blob_id);
    const unnamed = new Set(blob ? await this.objects.listUnnamed(blob) : keys);
    const left = keys.filter((key) => unnamed.has(key));
    if (left.length > 0) await this.store.delete(left);
  }

  private find(blob_id: string): Promise<Blob | undefined> {
    return this.db.read(() => this.blobs.findBlob(blob_id));
  }
}

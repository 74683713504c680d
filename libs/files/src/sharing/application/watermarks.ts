import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Database } from '@atrium/platform/database';
import { Clock } from '@atrium/platform/kernel';
import { planJob, Outbox } from '@atrium/platform/messaging';
import { createHash } from 'node:crypto';
import { isMade, picturesIn } from '../../blobs/domain/blob';
import type { Renditions } from '../../blobs/domain/renditions';
import { BlobsRepository } from '../../blobs/infrastructure/blobs.repository';
import { watermark, type WatermarkPayload } from '../jobs/watermark.jobs';
import type { SharedFile } from '../infrastructure/shared-files.rows';

/** What is laid over a picture: a text, or the picture of a blob. */
export type Watermark = { readonly text: string } | { readonly blob_id: string };

/** Equal marks make equal pictures, so each is made once for a blob. */
export const digestOf = (mark: Watermark): string =>
  createHash('sha256')
    .update('text' in mark ? `text:${mark.text}` : `blob:${mark.blob_id}`)
    .digest('hex')
    .slice(0, 16);

const LOOK_AGAIN_MS = 100;

type Markable = Pick<SharedFile, 'blob_id' | 'blob_replicas' | 'blob_marked'>;

/**
 * Pictures with a mark: each is made once for a blob and a mark, in the background, and goes with the blob. Who shows
 * marked pictures asks here and shows no others.
 */
@Injectable()
export class Watermarks {
  constructor(
    private readonly db: Database,
    private readonly blobs: BlobsRepository,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  /** The marked pictures there are; none while they are being made. */
  markedRenditions({ blob_marked }: Markable, mark: Watermark): Renditions {
    return picturesIn(blob_marked[digestOf(mark)]);
  }

  /** Whether marked pictures are still to be made; those that no job could make are not, for a day. */
  hasPendingPictures({ blob_marked, blob_replicas }: Markable, mark: Watermark): boolean {
    return Object.keys(blob_replicas).length > 0 && !isMade(blob_marked[digestOf(mark)], this.clock.now());
  }

  /** Asks for what is missing; within a writing unit of work. */
  queueWatermarks(files: readonly Markable[], mark: Watermark): void {
    const missing = new Set(files.filter((file) => this.hasPendingPictures(file, mark)).map(({ blob_id }) => blob_id));
    for (const blob_id of missing) this.outbox.addJob(planJob(watermark, this.watermarkJob({ blob_id }, mark)));
  }

  /** What has them made. */
  watermarkJob({ blob_id }: Pick<Markable, 'blob_id'>, mark: Watermark): WatermarkPayload {
    return { blob_id, digest: digestOf(mark), ...('text' in mark ? { text: mark.text } : { picture: mark.blob_id }) };
  }

  /** The marked pictures as soon as they are made, none where they cannot be; waited for so long, then null. Never called within a unit of work. */
  async awaitWatermarks({ blob_id }: Markable, mark: Watermark, milliseconds: number): Promise<Renditions | null> {
    const until = performance.now() + milliseconds;
    for (;;) {
      const marked = (await this.db.read(() => this.blobs.findMarkedSet(blob_id, digestOf(mark)))) ?? undefined;
      if (isMade(marked, this.clock.now())) return picturesIn(marked);
      if (performance.now() > until) return null;
      await pause(LOOK_AGAIN_MS);
    }
  }
}

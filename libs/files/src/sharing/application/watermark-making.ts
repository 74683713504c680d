import { Injectable } from '@nestjs/common';
import { Database, requireScope } from '@atrium/platform/database';
import { Clock, Ids } from '@atrium/platform/kernel';
import { ObjectStore } from '@atrium/platform/storage';
import { isMade, keysOf, markedKey, providerOf, type Blob } from '../../blobs/domain/blob';
import { RENDITIONS, type Rendition, type Renditions } from '../../blobs/domain/renditions';
import { BlobsRepository } from '../../blobs/infrastructure/blobs.repository';
import { markPicture, type Mark } from '../infrastructure/watermark';
import type { WatermarkPayload } from '../jobs/watermark.jobs';
import { PictureAccount } from '../../blobs/application/picture-account';

/** Makes marked pictures of the renditions of a blob, never of its original: what is decoded here was made by the service itself, within its limits. */
@Injectable()
export class WatermarkMaking {
  constructor(
    private readonly db: Database,
    private readonly store: ObjectStore,
    private readonly blobs: BlobsRepository,
    private readonly account: PictureAccount,
    private readonly ids: Ids,
    private readonly clock: Clock,
  ) {}

  async makeWatermark(order: WatermarkPayload): Promise<void> {
    const { blob_id, digest, text, picture } = order;
    const [blob, marking] = await this.db.read(
      async () => [await this.blobs.findBlob(blob_id), picture ? await this.blobs.findBlob(picture) : undefined] as const,
    );
    if (!blob || isMade(blob.blob_marked[digest], this.clock.now())) return;
    const source = largest(blob.blob_replicas);
    const mark = await this.markOf(text, marking);
    if (!source || !mark) {
      // Pictures of bytes that are still to be read may come; all others do not come by themselves.
      const isAwaited = source ? marking?.blob_system === null : blob.blob_system === null;
      return isAwaited ? undefined : this.giveUp(order);
    }
    const marked = await this.keep(blob, digest, await markPicture(await this.read(source.key), mark));
    const outcome = await this.db.write(async () => {
      const outcome = await this.blobs.saveMarkedPictures(blob_id, digest, marked);
      if (outcome === 'kept') this.account.countMarked({ blob_key: blob.blob_key, blob_marked: { [digest]: marked } });
      return outcome;
    });
    if (outcome !== 'kept') await this.store.delete(keysOf({ [digest]: marked }));
  }

  /** No run can make them now: for a day the blob has no pictures with this mark, and nobody asks for them. */
  async giveUp({ blob_id, digest }: WatermarkPayload): Promise<void> {
    await this.db.write(() => this.blobs.saveMarkedPictures(blob_id, digest, { failed: this.clock.now().toISOString() }));
  }

  /** A mark whose picture is gone is none; then nothing is shown at all. */
  private async markOf(text: string | undefined, marking: Blob | undefined): Promise<Mark | null> {
    if (text !== undefined) return { text };
    const source = marking && (marking.blob_replicas.medium ?? largest(marking.blob_replicas));
    return source ? { picture: await this.read(source.key) } : null;
  }

  private async keep({ blob_id, blob_key }: Blob, digest: string, pictures: Awaited<ReturnType<typeof markPicture>>): Promise<Renditions> {
    const run = this.ids.next();
    const kept: [string, Rendition][] = [];
    for (const { name, bytes, width, height } of pictures) {
      const key = markedKey(requireScope().tenant_id, blob_id, { digest, name, run, provider: providerOf(blob_key) });
      await this.store.putObject(key, bytes, { size: bytes.length, contentType: 'image/webp' });
      kept.push([name, { key, w: width, h: height, size: bytes.length, type: 'image/webp' }]);
    }
    return Object.fromEntries(kept);
  }

  private async read(key: string): Promise<Buffer> {
    const chunks: Buffer[] = [];
    for await (const chunk of await this.store.get(key)) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks);
  }
}

const largest = (pictures: Renditions): Rendition | undefined =>
  RENDITIONS.map((name) => pictures[name]).findLast((picture) => picture !== undefined);

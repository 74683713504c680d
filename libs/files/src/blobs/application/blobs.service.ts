import { createHash } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { WorkspaceStores } from '@atrium/governance';
import { Database, requireScope } from '@atrium/platform/database';
import { Ids } from '@atrium/platform/kernel';
import { ObjectStore } from '@atrium/platform/storage';
import { blobKey, type Blob } from '../domain/blob';
import { BlobsRepository } from '../infrastructure/blobs.repository';
import { BlobObjects } from './blob-objects';
import { PictureAccount } from './picture-account';

const NOT_SHARED = Symbol('no equal bytes');

/**
 * Bytes that the service itself makes or removes. Equal bytes of a workspace are stored once; every object in storage
 * has a row before it exists, so a crash leaves an orphan for the sweeper and never bytes that nobody knows of.
 */
@Injectable()
export class BlobStore {
  private readonly log = new Logger(BlobStore.name);

  constructor(
    private readonly db: Database,
    private readonly store: ObjectStore,
    private readonly blobs: BlobsRepository,
    private readonly objects: BlobObjects,
    private readonly stores: WorkspaceStores,
    private readonly pictures: PictureAccount,
    private readonly ids: Ids,
  ) {}

  /**
   * Runs the work in a writing unit of work in which the bytes are a blob with one more reference, for the version that
   * the work makes. Called outside of one, after the caller's rights were checked: storage may be spoken to first.
   */
  async useStoredBlob<T>(bytes: Buffer, type: string, work: (blob: Blob) => Promise<T>): Promise<T> {
    const hash = createHash('sha256').update(bytes).digest('hex');
    // The result itself is what the transaction ends with, so that it is kept with it for a repeated request.
    const shared = await this.db.write(async () => {
      const blob = await this.blobs.reuseBlob(hash, bytes.length);
      return blob ? work(blob) : NOT_SHARED;
    });
    if (shared !== NOT_SHARED) return shared;
    const reserved = await this.reserve(bytes, type);
    return this.db.write(async () => work(await this.settle(reserved, hash)));
  }

  /** Deletes the objects of blobs that lost to equal bytes or to nobody; what fails is left to the sweeper. */
  async discardObjects(blobIds: readonly string[]): Promise<void> {
    for (const blob_id of blobIds) {
      await this.removeOrphan(blob_id).catch((error: unknown) =>
        this.log.warn({ msg: 'an orphaned blob is left to the sweeper', blob_id, err: error }),
      );
    }
  }

  /** Deletes an orphan for good: out of reach first, then its objects, then its row. False when it is wanted again. */
  async removeOrphan(blob_id: string): Promise<boolean> {
    const doomed = await this.db.write(() => this.blobs.retireOrphan(blob_id));
    if (!doomed) return false;
    await this.store.delete(await this.objects.listObjects(doomed));
    await this.db.write(async () => this.pictures.uncountMarked(await this.blobs.deleteBlob(blob_id)));
    return true;
  }

  private async reserve(bytes: Buffer, type: string): Promise<Blob> {
    const blob_id = this.ids.next();
    const reserved = await this.db.write(async () => {
      const blob_key = blobKey(requireScope().tenant_id, blob_id, await this.stores.findHomeProvider());
      return this.blobs.insertBlob({ blob_id, blob_key, blob_size: bytes.length, blob_type: type }, 0);
    });
    await this.store.putObject(reserved.blob_key, bytes, { size: bytes.length, contentType: type });
    return reserved;
  }

  /** Equal bytes that came in the meantime win; the reserved blob then stays an orphan. */
  private async settle(reserved: Blob, blob_hash: string): Promise<Blob> {
    await this.blobs.lockHash(blob_hash);
    const equal = await this.blobs.reuseBlob(blob_hash, reserved.blob_size);
    if (equal) return equal;
    await this.blobs.saveContent(reserved.blob_id, { ...reserved, blob_hash });
    return (await this.blobs.reuseBlob(blob_hash, reserved.blob_size)) ?? { ...reserved, blob_hash };
  }
}

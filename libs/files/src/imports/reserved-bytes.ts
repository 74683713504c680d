import { Readable } from 'node:stream';
import { Injectable, Logger } from '@nestjs/common';
import { WorkspaceStores } from '@atrium/governance';
import { Settings } from '@atrium/platform/config';
import { requireScope } from '@atrium/platform/database';
import { Ids, Problem } from '@atrium/platform/kernel';
import { ObjectStore } from '@atrium/platform/storage';
import { blobKey, type Blob } from '../blobs/domain/blob';
import { BlobsRepository } from '../blobs/infrastructure/blobs.repository';
import { BlobStore } from '../blobs/application/blobs.service';

/** Bytes of an import on their way into storage: a row is reserved for them before they come, and goes when they do not. */
@Injectable()
export class ReservedBytes {
  private readonly log = new Logger(ReservedBytes.name);

  constructor(
    private readonly objects: ObjectStore,
    private readonly stores: WorkspaceStores,
    private readonly blobs: BlobsRepository,
    private readonly blobStore: BlobStore,
    private readonly settings: Settings,
    private readonly ids: Ids,
  ) {}

  /** A row for bytes that are to come, within a writing unit of work. */
  async reserve(blob_type: string): Promise<Blob> {
    const blob_id = this.ids.next();
    return this.blobs.insert(
      { blob_id, blob_key: blobKey(requireScope().tenant_id, blob_id, await this.stores.home()), blob_size: 0, blob_type },
      0,
    );
  }

  /** Puts the bytes where they were reserved and does the work with their size; what fails leaves nothing in storage, and what cannot be removed is left to the sweeper. */
  async store<T>(reserved: Blob, stream: Readable, work: (size: number) => Promise<T>): Promise<T> {
    try {
      const { size } = await this.objects.put(reserved.blob_key, capped(stream, this.settings.UPLOAD_MAX_BYTES), {
        contentType: reserved.blob_type,
      });
      return await work(size);
    } catch (error) {
      await this.blobStore
        .remove(reserved.blob_id)
        .catch((failure: unknown) => this.log.warn({ msg: 'bytes of a failed import are left to the sweeper', err: failure }));
      throw error;
    }
  }

  /** The reserved bytes become those of a version; within a writing unit of work. */
  async adopt({ blob_id }: Blob, size: number): Promise<Blob> {
    const blob = await this.blobs.adopt(blob_id, size);
    if (!blob) throw new Error('The bytes of an import were swept away.');
    return blob;
  }
}

/** Ends with a problem as soon as there are too many bytes. */
function capped(stream: Readable, most: number): Readable {
  let size = 0;
  const bounded = async function* (): AsyncGenerator<Buffer, void> {
    for await (const chunk of stream) {
      size += (chunk as Buffer).length;
      if (size > most) throw new Problem('unprocessable_content', `The file exceeds ${most} bytes, the maximum for imports.`);
      yield chunk as Buffer;
    }
  };
  return Readable.from(bounded(), { objectMode: false });
}

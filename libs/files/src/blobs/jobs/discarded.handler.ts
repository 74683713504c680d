import { Injectable } from '@nestjs/common';
import { Handles } from '@atrium/platform/messaging';
import { ObjectStore } from '@atrium/platform/storage';
import { BlobCleanup } from '../application/blob-cleanup';
import { discarded, type DiscardedPayload } from './discarded.jobs';

/** Runs `files.discarded`. */
@Injectable()
export class DiscardedHandler {
  constructor(
    private readonly store: ObjectStore,
    private readonly leftovers: BlobCleanup,
  ) {}

  @Handles(discarded)
  removeDiscarded({ keys, blob_id }: DiscardedPayload): Promise<void> {
    return blob_id === undefined ? this.store.delete(keys) : this.leftovers.removeUnnamed(blob_id, keys);
  }
}

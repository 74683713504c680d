import { Injectable } from '@nestjs/common';
import { Handles } from '@atrium/platform/messaging';
import { ObjectStore } from '@atrium/platform/storage';
import { BlobLeftovers } from '../application/blob-leftovers';
import { discarded, type DiscardedPayload } from './discarded.jobs';

/** Runs `files.discarded`. */
@Injectable()
export class DiscardedHandler {
  constructor(
    private readonly store: ObjectStore,
    private readonly leftovers: BlobLeftovers,
  ) {}

  @Handles(discarded)
  remove({ keys, blob_id }: DiscardedPayload): Promise<void> {
    return blob_id === undefined ? this.store.delete(keys) : this.leftovers.remove(blob_id, keys);
  }
}

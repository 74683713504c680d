import { Injectable } from '@nestjs/common';
import { Handles } from '@atrium/platform/messaging';
import { ObjectStore } from '@atrium/platform/storage';
import { discarded, type DiscardedPayload } from './discarded.jobs';

/** Runs `files.discarded`. */
@Injectable()
export class DiscardedHandler {
  constructor(private readonly store: ObjectStore) {}

  @Handles(discarded)
  remove({ keys }: DiscardedPayload): Promise<void> {
    return this.store.delete(keys);
  }
}

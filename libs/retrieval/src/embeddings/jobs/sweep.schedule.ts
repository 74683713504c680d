import { Injectable } from '@nestjs/common';
import { DAY, HOUR, SECOND } from '@atrium/platform/kernel';
import { Every, type ScheduledRun } from '@atrium/platform/messaging';
import { EmbeddingUpkeep } from '../application/embedding-upkeep';

/** Keeps the memory of bought embeddings small. */
@Injectable()
export class RetrievalSweep {
  constructor(private readonly upkeep: EmbeddingUpkeep) {}

  @Every(HOUR, 'retrieval.sweep')
  sweep({ signal }: ScheduledRun): Promise<void> {
    return this.upkeep.forgetUnused((90 * DAY) / SECOND, signal);
  }
}

import { Injectable } from '@nestjs/common';
import { Handles, type EventDelivery, type JobRun } from '@atrium/platform/messaging';
import { MemoryForgetting } from '../application/memory-forgetting';
import { MemoryVectors } from '../application/memory-vectors';
import { forgetCopies, holdsReleased, indexMemory, type ForgetCopiesPayload, type IndexMemoryPayload } from './memories.jobs';

/** Runs the jobs of memories. */
@Injectable()
export class MemoriesHandler {
  constructor(
    private readonly vectors: MemoryVectors,
    private readonly forgetting: MemoryForgetting,
  ) {}

  @Handles(indexMemory)
  index({ mem_id }: IndexMemoryPayload): Promise<void> {
    return this.vectors.index(mem_id);
  }

  @Handles(forgetCopies)
  async forget({ mem_user, mem_ids }: ForgetCopiesPayload, run: JobRun): Promise<void> {
    await this.forgetting.blankCopies(mem_user, mem_ids, run);
  }

  @Handles(holdsReleased)
  goOn(_event: EventDelivery): Promise<void> {
    return this.forgetting.goOn();
  }
}

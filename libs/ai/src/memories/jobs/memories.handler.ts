import { Injectable } from '@nestjs/common';
import { ActiveWorkspaces } from '@atrium/platform/database';
import { DAY } from '@atrium/platform/kernel';
import { Every, Handles, type EventDelivery, type JobRun, type ScheduledRun } from '@atrium/platform/messaging';
import { MemoryForgetting } from '../application/memory-forgetting';
import { MemoryVectors } from '../application/memory-vectors';
import { forgetCopies, holdsReleased, indexMemory, type ForgetCopiesPayload, type IndexMemoryPayload } from './memories.jobs';

/** Runs the jobs of memories. */
@Injectable()
export class MemoriesHandler {
  constructor(
    private readonly workspaces: ActiveWorkspaces,
    private readonly vectors: MemoryVectors,
    private readonly forgetting: MemoryForgetting,
  ) {}

  @Handles(indexMemory)
  indexMemory({ mem_id }: IndexMemoryPayload): Promise<void> {
    return this.vectors.indexMemory(mem_id);
  }

  @Handles(forgetCopies)
  async blankCopies(copies: ForgetCopiesPayload, run: JobRun): Promise<void> {
    await this.forgetting.blankBatch(copies, run);
  }

  @Handles(holdsReleased)
  resumeForgetting(_event: EventDelivery): Promise<void> {
    return this.forgetting.resumeForgetting();
  }

  /** What a job was given up with, and what a hold kept that ended in another way. */
  @Every(DAY, 'ai.forget')
  queueForgetting({ signal }: ScheduledRun): Promise<void> {
    return this.workspaces.runForEachWorkspace(() => this.forgetting.resumeForgetting(), {
      failure: 'the copies of memories that are gone in a workspace could not be put down for the day',
      signal,
    });
  }
}

import { Injectable } from '@nestjs/common';
import { Handles } from '@atrium/platform/messaging';
import { MemoryVectors } from '../application/memory-vectors';
import { indexMemory, type IndexMemoryPayload } from './memories.jobs';

/** Runs the jobs of memories. */
@Injectable()
export class MemoriesHandler {
  constructor(private readonly vectors: MemoryVectors) {}

  @Handles(indexMemory)
  index({ mem_id }: IndexMemoryPayload): Promise<void> {
    return this.vectors.index(mem_id);
  }
}

import { Injectable } from '@nestjs/common';
import { EmbeddingCacheRows } from '../infrastructure/embedding-cache.rows';

const BATCH = 1_000;

/** Forgets bought embeddings that nobody used for long. */
@Injectable()
export class EmbeddingUpkeep {
  constructor(private readonly cache: EmbeddingCacheRows) {}

  async forgetUnused(ageSeconds: number, signal: AbortSignal): Promise<void> {
    while (!signal.aborted && (await this.cache.evictVectors(ageSeconds, BATCH)) === BATCH);
  }
}

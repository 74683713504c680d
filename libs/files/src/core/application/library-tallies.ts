import { Injectable } from '@nestjs/common';
import { Database } from '@atrium/platform/database';

const BATCH = 5_000;

/**
 * Adds up what came to libraries and left them: files by day, words of names. Any number may run at once and be killed
 * anywhere: a batch moves whole, and who reads adds what is not moved yet.
 */
@Injectable()
export class LibraryTallies {
  constructor(private readonly db: Database) {}

  /** Answers how many rows it moved. */
  async rollUpTallies(signal?: AbortSignal): Promise<number> {
    for (let total = 0; ;) {
      const [row] = await this.db.queryAcrossTenants<{ moved: number }>('SELECT file_tallies_roll($1) AS moved', [BATCH]);
      const moved = row?.moved ?? 0;
      total += moved;
      if (moved < BATCH || signal?.aborted) return total;
    }
  }
}

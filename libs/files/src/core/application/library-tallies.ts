import { Injectable } from '@nestjs/common';
import { LibraryTallyRows } from '../infrastructure/library-tallies.rows';

const BATCH = 5_000;

/**
 * Adds up what came to libraries and left them: files by day, words of names. Any number may run at once and be killed
 * anywhere: a batch moves whole, and who reads adds what is not moved yet.
 */
@Injectable()
export class LibraryTallies {
  constructor(private readonly rows: LibraryTallyRows) {}

  /** Answers how many rows it moved. */
  async rollUpTallies(signal?: AbortSignal): Promise<number> {
    for (let total = 0; ;) {
      const moved = await this.rows.moveTallies(BATCH);
      total += moved;
      if (moved < BATCH || signal?.aborted) return total;
    }
  }
}

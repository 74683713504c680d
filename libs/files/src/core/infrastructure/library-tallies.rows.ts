import { Injectable } from '@nestjs/common';
import { Database } from '@atrium/platform/database';

/** What came to the libraries of all workspaces and left them, not yet added to the sums. */
@Injectable()
export class LibraryTallyRows {
  constructor(private readonly db: Database) {}

  /** Returns how many rows it moved. */
  async moveTallies(most: number): Promise<number> {
    const [row] = await this.db.queryAcrossTenants<{ moved: number }>('SELECT file_tallies_roll($1) AS moved', [most]);
    return row?.moved ?? 0;
  }
}

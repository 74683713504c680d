import { Injectable } from '@nestjs/common';
import { Database, sql } from '@atrium/platform/database';

/** Rows from the time when the log kept values by default, which are shaped page by page. */
@Injectable()
export class ScrubbedRows {
  constructor(private readonly db: Database) {}

  /** Shapes the next rows; how many were looked at, none when nothing is left to do for now. */
  async shapeNext(most: number): Promise<number> {
    const row = await this.db.acrossTenants((tx) => tx.first<{ seen: number }>(sql`SELECT access_log_scrub(${most}::integer) AS seen`));
    return row?.seen ?? 0;
  }
}

import { Injectable } from '@nestjs/common';
import { Database } from '@atrium/platform/database';
import type { AccessLogRow } from '../domain/access-log-row';

/** The table of the access log, across workspaces: only its two definer functions are used. */
@Injectable()
export class AccessLogRows {
  constructor(private readonly db: Database) {}

  /** Writes the rows in one statement; those that are there already stay as they are. */
  async append(rows: readonly AccessLogRow[]): Promise<void> {
    await this.db.acrossTenants((tx) => tx.query('SELECT access_log_append($1::jsonb)', [JSON.stringify(rows)]));
  }

  async prepare(keepDays: number): Promise<{ made: number; dropped: number }> {
    const counts = await this.db.acrossTenants((tx) => tx.first<{ made: number; dropped: number }>('SELECT made, dropped FROM access_log_prepare($1)', [keepDays]));
    return counts ?? { made: 0, dropped: 0 };
  }
}

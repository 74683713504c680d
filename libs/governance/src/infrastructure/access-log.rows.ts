import { Injectable } from '@nestjs/common';
import { Database } from '@atrium/platform/database';
import type { AccessLogRow } from '../domain/access-log-row';

/** The table of the access log, across workspaces: it is written through a definer function alone. */
@Injectable()
export class AccessLogRows {
  constructor(private readonly db: Database) {}

  /** Writes the rows in one statement; those that are there already stay as they are. */
  async append(rows: readonly AccessLogRow[]): Promise<void> {
    await this.db.acrossTenants((tx) => tx.query('SELECT access_log_append($1::jsonb)', [JSON.stringify(rows)]));
  }
}

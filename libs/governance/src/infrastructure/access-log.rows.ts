import { Injectable } from '@nestjs/common';
import { Database } from '@atrium/platform/database';

/** The table of the access log, across workspaces: it is written through a definer function alone. */
@Injectable()
export class AccessLogRows {
  constructor(private readonly db: Database) {}

  /** Writes rows, each as `AccessLogLines` makes it, in one statement; those that are there already stay as they are. */
  async append(lines: readonly string[]): Promise<void> {
    await this.db.acrossTenants((tx) => tx.query('SELECT access_log_write($1::access_log_line[])', [`{${lines.join(',')}}`]));
  }
}

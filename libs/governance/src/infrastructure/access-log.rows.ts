import { Injectable } from '@nestjs/common';
import { Database } from '@atrium/platform/database';
import type { AccessLogRow } from '../domain/access-log-row';
import { AccessLogLines } from './access-log-lines';

/** The table of the access log, across workspaces: it is written through a definer function alone. */
@Injectable()
export class AccessLogRows {
  private readonly lines = new AccessLogLines();

  constructor(private readonly db: Database) {}

  /** Writes the rows in one statement; those that are there already stay as they are. */
  async append(rows: readonly AccessLogRow[]): Promise<void> {
    const lines = `{${rows.map((row) => this.lines.of(row)).join(',')}}`;
    await this.db.acrossTenants((tx) => tx.query('SELECT access_log_write($1::access_log_line[])', [lines]));
  }
}

import { Injectable } from '@nestjs/common';
import { Database } from '@atrium/platform/database';

/** The outcomes that are stored under idempotency keys, across workspaces. */
@Injectable()
export class IdempotencyKeyRows {
  constructor(private readonly db: Database) {}

  /** Removes some of those whose day is over; how many. */
  async deleteExpired(most: number): Promise<number> {
    const row = await this.db.acrossTenants((tx) => tx.first<{ gone: number }>('SELECT idempotency_prune($1) AS gone', [most]));
    return row?.gone ?? 0;
  }
}

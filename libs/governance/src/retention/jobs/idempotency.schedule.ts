import { Injectable } from '@nestjs/common';
import { Database } from '@atrium/platform/database';
import { HOUR } from '@atrium/platform/kernel';
import { Every, type ScheduledRun } from '@atrium/platform/messaging';

const BATCH = 1_000;

/** Forgets the outcomes kept under idempotency keys once their day is over. */
@Injectable()
export class IdempotencySchedule {
  constructor(private readonly db: Database) {}

  @Every(HOUR, 'governance.idempotency')
  async pruneIdempotencyKeys({ signal }: ScheduledRun): Promise<void> {
    for (let gone = BATCH; gone === BATCH && !signal.aborted;) {
      const row = await this.db.acrossTenants((tx) => tx.first<{ gone: number }>('SELECT idempotency_prune($1) AS gone', [BATCH]));
      gone = row?.gone ?? 0;
    }
  }
}

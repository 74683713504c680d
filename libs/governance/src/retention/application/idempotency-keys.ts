import { Injectable } from '@nestjs/common';
import { IdempotencyKeyRows } from '../infrastructure/idempotency-keys.rows';

const BATCH = 1_000;

/** The outcomes that are stored under idempotency keys for a day. */
@Injectable()
export class IdempotencyKeys {
  constructor(private readonly rows: IdempotencyKeyRows) {}

  /** Batch by batch, until none is left or it is cut off. */
  async deleteExpired(signal: AbortSignal): Promise<void> {
    for (let gone = BATCH; gone === BATCH && !signal.aborted;) gone = await this.rows.deleteExpired(BATCH);
  }
}

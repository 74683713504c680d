import { Injectable } from '@nestjs/common';
import { HOUR } from '@atrium/platform/kernel';
import { Every, type ScheduledRun } from '@atrium/platform/messaging';
import { IdempotencyKeys } from '../application/idempotency-keys';

/** Forgets the outcomes kept under idempotency keys once their day is over. */
@Injectable()
export class IdempotencySchedule {
  constructor(private readonly keys: IdempotencyKeys) {}

  @Every(HOUR, 'governance.idempotency')
  pruneIdempotencyKeys({ signal }: ScheduledRun): Promise<void> {
    return this.keys.deleteExpired(signal);
  }
}

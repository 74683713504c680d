import { Injectable } from '@nestjs/common';
import { Every, type ScheduledRun } from '@atrium/platform/messaging';
import { MINUTE } from '@atrium/platform/kernel';
import { CreditsClock } from '../application/credits-clock';

/** Every five minutes: grants begin, recur and expire, and grants that expire soon are reported. */
@Injectable()
export class CreditsSchedule {
  constructor(private readonly credits: CreditsClock) {}

  @Every(5 * MINUTE, 'governance.credits')
  processDueCredits({ signal }: ScheduledRun): Promise<void> {
    return this.credits.catchUp(signal);
  }
}

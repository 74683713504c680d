import { Injectable } from '@nestjs/common';
import { MINUTE } from '@atrium/platform/kernel';
import { Every, type ScheduledRun } from '@atrium/platform/messaging';
import { RetentionRuns } from '../application/retention-runs';

/** Looks every five minutes where it has become three in the morning, and applies what is due there. */
@Injectable()
export class RetentionSchedule {
  constructor(private readonly runs: RetentionRuns) {}

  @Every(5 * MINUTE, 'governance.retention')
  applyRetention({ signal }: ScheduledRun): Promise<void> {
    return this.runs.runDue(signal);
  }
}

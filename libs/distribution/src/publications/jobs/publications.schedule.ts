import { Injectable } from '@nestjs/common';
import { SECOND } from '@atrium/platform/kernel';
import { Every, type ScheduledRun } from '@atrium/platform/messaging';
import { DueChanges } from '../application/due-changes';

/** The clock of publications. */
@Injectable()
export class PublicationsSchedule {
  constructor(private readonly due: DueChanges) {}

  @Every(30 * SECOND, 'distribution.windows')
  applyDue({ signal }: ScheduledRun): Promise<void> {
    return this.due.applyDue(signal);
  }
}

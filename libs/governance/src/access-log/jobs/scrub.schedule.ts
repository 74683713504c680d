import { Injectable } from '@nestjs/common';
import { HOUR } from '@atrium/platform/kernel';
import { Every, type ScheduledRun } from '@atrium/platform/messaging';
import { LogScrubbing } from '../application/log-scrubbing';

/** Shapes old rows of the access log: when workers start, and hourly. */
@Injectable()
export class ScrubSchedule {
  constructor(private readonly scrubbing: LogScrubbing) {}

  @Every(HOUR, 'governance.access-log-scrub')
  scrubAccessLog({ signal }: ScheduledRun): Promise<void> {
    return this.scrubbing.shapeAll(signal);
  }
}

import { Injectable } from '@nestjs/common';
import { Handles, WhenGivenUp, type GivenUpJob } from '@atrium/platform/messaging';
import { DueSchedules } from '../application/due-schedules';
import { publishScheduled, type PublishPayload } from './publish.jobs';

@Injectable()
export class PublishHandler {
  constructor(private readonly schedules: DueSchedules) {}

  @Handles(publishScheduled)
  runSchedule({ sch_id }: PublishPayload): Promise<void> {
    return this.schedules.runSchedule(sch_id);
  }

  @WhenGivenUp(publishScheduled)
  giveUpSchedule({ sch_id }: PublishPayload, { reason }: GivenUpJob): Promise<void> {
    return this.schedules.failSchedule(sch_id, reason);
  }
}

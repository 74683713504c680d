import { Injectable, Logger } from '@nestjs/common';
import { inWorkspace } from '@atrium/platform/database';
import { SECOND } from '@atrium/platform/kernel';
import { Every, type ScheduledRun } from '@atrium/platform/messaging';
import { DueSchedules } from '../application/due-schedules';

const AT_ONCE = 100;

/** Publishes by the clock. */
@Injectable()
export class PublishSchedules {
  private readonly log = new Logger(PublishSchedules.name);

  constructor(private readonly schedules: DueSchedules) {}

  @Every(10 * SECOND, 'website.publish')
  async queueDue({ signal }: ScheduledRun): Promise<void> {
    for (const { tenant_id, sch_id } of await this.schedules.listDue(AT_ONCE)) {
      if (signal.aborted) return;
      await inWorkspace(tenant_id, () => this.schedules.queuePublish(sch_id)).catch((error: unknown) =>
        this.log.warn({ msg: 'a schedule cannot be started', tenant_id, sch_id, err: error }),
      );
    }
  }
}

import { Injectable, Logger } from '@nestjs/common';
import { inWorkspace } from '@atrium/platform/database';
import { MINUTE } from '@atrium/platform/kernel';
import { Every, type ScheduledRun } from '@atrium/platform/messaging';
import { DueSources } from '../application/due-sources';

const AT_ONCE = 100;

/** Starts the sources whose cron has come. */
@Injectable()
export class DueSourcesSchedule {
  private readonly log = new Logger(DueSourcesSchedule.name);

  constructor(private readonly due: DueSources) {}

  @Every(MINUTE, 'objects.sources')
  async startDue({ signal }: ScheduledRun): Promise<void> {
    for (const { tenant_id, osr_id } of await this.due.listDue(AT_ONCE)) {
      if (signal.aborted) return;
      await inWorkspace(tenant_id, () => this.due.startRun(osr_id)).catch((error: unknown) =>
        this.log.warn({ msg: 'a source cannot be started', tenant_id, osr_id, err: error }),
      );
    }
  }
}

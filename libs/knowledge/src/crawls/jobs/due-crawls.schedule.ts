import { Injectable, Logger } from '@nestjs/common';
import { inWorkspace } from '@atrium/platform/database';
import { MINUTE } from '@atrium/platform/kernel';
import { Every, type ScheduledRun } from '@atrium/platform/messaging';
import { DueCrawls } from '../application/due-crawls';

const AT_ONCE = 100;

/** Starts the crawls whose cron has come. */
@Injectable()
export class DueCrawlsSchedule {
  private readonly log = new Logger(DueCrawlsSchedule.name);

  constructor(private readonly due: DueCrawls) {}

  @Every(MINUTE, 'knowledge.due-crawls')
  async startDue({ signal }: ScheduledRun): Promise<void> {
    for (const { tenant_id, crw_id } of await this.due.listDue(AT_ONCE)) {
      if (signal.aborted) return;
      await inWorkspace(tenant_id, () => this.due.startRun(crw_id)).catch((error: unknown) =>
        this.log.warn({ msg: 'a crawl cannot be started', tenant_id, crw_id, err: error }),
      );
    }
  }
}

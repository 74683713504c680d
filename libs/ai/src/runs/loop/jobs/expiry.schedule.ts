import { Injectable, Logger } from '@nestjs/common';
import { inWorkspace } from '@atrium/platform/database';
import { MINUTE } from '@atrium/platform/kernel';
import { Every, type ScheduledRun } from '@atrium/platform/messaging';
import { RunExpiry } from '../../records/application/run-expiry';

const AT_ONCE = 100;

/** Ends runs that came to a standstill. */
@Injectable()
export class ExpirySchedule {
  private readonly log = new Logger(ExpirySchedule.name);

  constructor(private readonly expiry: RunExpiry) {}

  @Every(MINUTE, 'ai.expire')
  async expireRuns({ signal }: ScheduledRun): Promise<void> {
    for (const { tenant_id, run_id } of await this.expiry.findOverdue(AT_ONCE)) {
      if (signal.aborted) return;
      await inWorkspace(tenant_id, () => this.expiry.expireRun(run_id)).catch((error: unknown) =>
        this.log.warn({ msg: 'a run cannot be ended', tenant_id, run_id, err: error }),
      );
    }
  }
}

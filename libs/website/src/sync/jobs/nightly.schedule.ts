import { Injectable, Logger } from '@nestjs/common';
import { MINUTE } from '@atrium/platform/kernel';
import { Every, type ScheduledRun } from '@atrium/platform/messaging';
import { UnattendedSync } from '../application/unattended-sync';

const AT_ONCE = 100;

/** Starts the nightly comparisons of sites whose time has come. */
@Injectable()
export class NightlySchedule {
  private readonly log = new Logger(NightlySchedule.name);

  constructor(private readonly unattended: UnattendedSync) {}

  @Every(MINUTE, 'website.nightly')
  async startDue({ signal }: ScheduledRun): Promise<void> {
    for (const site of await this.unattended.listDue(AT_ONCE)) {
      if (signal.aborted) return;
      await this.unattended
        .startNight(site)
        .catch((error: unknown) => this.log.warn({ msg: 'a site cannot be compared with its CMS', ...site, err: error }));
    }
  }
}

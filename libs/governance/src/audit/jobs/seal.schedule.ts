import { MINUTE } from '@atrium/platform/kernel';
import { Every, type ScheduledRun } from '@atrium/platform/messaging';
import { Injectable } from '@nestjs/common';
import { Sealing } from '../application/sealing';

/** Seals the audit events of all workspaces, every minute. */
@Injectable()
export class SealSchedule {
  constructor(private readonly sealing: Sealing) {}

  @Every(MINUTE, 'governance.seal')
  sealEvents({ signal }: ScheduledRun): Promise<void> {
    return this.sealing.sealAll(signal);
  }
}

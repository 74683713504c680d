import { Injectable } from '@nestjs/common';
import { MINUTE } from '@atrium/platform/kernel';
import { Every, type ScheduledRun } from '@atrium/platform/messaging';
import { IdentitySweep } from '../application/identity-sweep';

/** Runs `identity.sweep` every ten minutes. */
@Injectable()
export class IdentitySweepSchedule {
  constructor(private readonly sweep: IdentitySweep) {}

  @Every(10 * MINUTE, 'identity.sweep')
  sweepIdentity(run: ScheduledRun): Promise<void> {
    return this.sweep.sweepIdentity(run);
  }
}

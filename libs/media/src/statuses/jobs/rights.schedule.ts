import { Injectable } from '@nestjs/common';
import { HOUR } from '@atrium/platform/kernel';
import { Every, type ScheduledRun } from '@atrium/platform/messaging';
import { RightsExpiry } from '../application/rights-expiry';

/** Looks every hour whose rights end. */
@Injectable()
export class RightsSchedule {
  constructor(private readonly expiry: RightsExpiry) {}

  @Every(HOUR, 'media.rights')
  async expireRights({ signal }: ScheduledRun): Promise<void> {
    await this.expiry.expireRights(signal);
  }
}

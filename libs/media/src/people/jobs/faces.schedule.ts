import { Injectable } from '@nestjs/common';
import { DAY } from '@atrium/platform/kernel';
import { Every, type ScheduledRun } from '@atrium/platform/messaging';
import { FaceCropCleanup } from '../application/face-crop-cleanup';

/** Looks once a day for cut-outs of faces that nothing refers to. */
@Injectable()
export class FacesSchedule {
  constructor(private readonly leftovers: FaceCropCleanup) {}

  @Every(DAY, 'media.crop-leftovers')
  async removeLeftovers({ signal }: ScheduledRun): Promise<void> {
    await this.leftovers.removeLeftovers(signal);
  }
}

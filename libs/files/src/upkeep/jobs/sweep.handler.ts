import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { MINUTE } from '@atrium/platform/kernel';
import { Every } from '@atrium/platform/messaging';
import { Sweep } from '../application/sweep.service';

/** Sweeps every ten minutes: uploads that were left, ended grants, bytes nobody refers to any more. */
@Injectable()
export class SweepSchedule implements OnApplicationBootstrap {
  constructor(private readonly sweep: Sweep) {}

  onApplicationBootstrap(): Promise<void> {
    return this.sweep.tidyHost();
  }

  @Every(10 * MINUTE, 'files.sweep')
  async sweepFiles(): Promise<void> {
    await this.sweep.sweepFiles();
  }
}

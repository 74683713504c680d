import { Injectable } from '@nestjs/common';
import { SECOND } from '@atrium/platform/kernel';
import { Every, type ScheduledRun } from '@atrium/platform/messaging';
import { LibraryTallies } from '../application/library-tallies';

/** Adds up what came to libraries and left them, every few seconds. */
@Injectable()
export class TalliesSchedule {
  constructor(private readonly tallies: LibraryTallies) {}

  @Every(10 * SECOND, 'files.tallies')
  async rollUpTallies({ signal }: ScheduledRun): Promise<void> {
    await this.tallies.rollUpTallies(signal);
  }
}

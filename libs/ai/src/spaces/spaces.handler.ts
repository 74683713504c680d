import { Injectable } from '@nestjs/common';
import { Handles, type JobRun } from '@atrium/platform/messaging';
import { SpaceRetention } from './space-retention';
import { withdrawThreads, type WithdrawThreadsPayload } from './spaces.jobs';

/** Runs the jobs of spaces. */
@Injectable()
export class SpacesHandler {
  constructor(private readonly retention: SpaceRetention) {}

  @Handles(withdrawThreads)
  withdrawThreads({ space_id }: WithdrawThreadsPayload, run: JobRun): Promise<void> {
    return this.retention.withdrawThreads(space_id, run);
  }
}

import { Injectable } from '@nestjs/common';
import { Handles, WhenGivenUp, type GivenUpJob, type JobRun } from '@atrium/platform/messaging';
import { SourceRemoval } from '../application/source-removal';
import { SyncPass } from '../application/sync-pass';
import { SyncRuns } from '../application/sync-runs';
import { detachSource, syncObjects, type DetachPayload, type SyncPayload } from './sync.jobs';

@Injectable()
export class SyncHandler {
  constructor(
    private readonly runs: SyncRuns,
    private readonly pass: SyncPass,
    private readonly removal: SourceRemoval,
  ) {}

  @Handles(syncObjects)
  syncObjects({ job_id }: SyncPayload, job: JobRun): Promise<void> {
    return this.runs.runWork(job_id, job, (run) => this.pass.runPass(run, job));
  }

  @WhenGivenUp(syncObjects)
  giveUpSync({ job_id }: SyncPayload, { reason }: GivenUpJob): Promise<void> {
    return this.runs.giveUp(job_id, reason);
  }

  @Handles(detachSource)
  detachSource({ osr_id }: DetachPayload, { signal }: JobRun): Promise<void> {
    return this.removal.finishRemoval(osr_id, signal);
  }
}

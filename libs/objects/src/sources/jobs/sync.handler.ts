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
  sync({ job_id }: SyncPayload, job: JobRun): Promise<void> {
    return this.runs.runWork(job_id, job, (run) => this.pass.run(run, job));
  }

  @WhenGivenUp(syncObjects)
  end({ job_id }: SyncPayload, { reason }: GivenUpJob): Promise<void> {
    return this.runs.giveUp(job_id, reason);
  }

  @Handles(detachSource)
  detach({ osr_id }: DetachPayload, { signal }: JobRun): Promise<void> {
    return this.removal.finish(osr_id, signal);
  }
}

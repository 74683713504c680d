import { Injectable } from '@nestjs/common';
import { Handles, type JobRun } from '@atrium/platform/messaging';
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
    return this.runs.run(job_id, job, (run) => this.pass.run(run, job));
  }

  @Handles(detachSource)
  detach({ osr_id }: DetachPayload, { signal }: JobRun): Promise<void> {
    return this.removal.finish(osr_id, signal);
  }
}

import { Injectable } from '@nestjs/common';
import { Handles, WhenGivenUp, type GivenUpJob, type JobRun } from '@atrium/platform/messaging';
import { FileJobRuns } from '../application/file-job-runs';
import { bulk, type BulkPayload } from './bulk.jobs';

/** Runs `files.bulk`. */
@Injectable()
export class BulkHandler {
  constructor(private readonly runs: FileJobRuns) {}

  @Handles(bulk)
  runBatches({ job_id }: BulkPayload, run: JobRun): Promise<void> {
    return this.runs.runBatches(job_id, run);
  }

  @WhenGivenUp(bulk)
  giveUpJob({ job_id }: BulkPayload, { reason }: GivenUpJob): Promise<void> {
    return this.runs.giveUp(job_id, reason);
  }
}

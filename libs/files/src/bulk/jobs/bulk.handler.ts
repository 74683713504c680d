import { Injectable } from '@nestjs/common';
import { Handles, WhenGivenUp, type GivenUpJob, type JobRun } from '@atrium/platform/messaging';
import { FileJobRunner } from '../application/file-job-runner';
import { bulk, type BulkPayload } from './bulk.jobs';

/** Runs `files.bulk`. */
@Injectable()
export class BulkHandler {
  constructor(private readonly runner: FileJobRunner) {}

  @Handles(bulk)
  run({ job_id }: BulkPayload, run: JobRun): Promise<void> {
    return this.runner.run(job_id, run);
  }

  @WhenGivenUp(bulk)
  end({ job_id }: BulkPayload, { reason }: GivenUpJob): Promise<void> {
    return this.runner.fail(job_id, reason, 'internal_error');
  }
}

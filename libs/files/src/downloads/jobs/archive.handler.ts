import { Injectable } from '@nestjs/common';
import { Handles, WhenGivenUp, type GivenUpJob, type JobRun } from '@atrium/platform/messaging';
import { DownloadPacking } from '../application/download-packing';
import { DownloadRuns } from '../application/download-runs';
import { zip, type ZipPayload } from './archive.jobs';

/** Runs `files.zip`. */
@Injectable()
export class ArchiveHandler {
  constructor(
    private readonly packing: DownloadPacking,
    private readonly runs: DownloadRuns,
  ) {}

  @Handles(zip)
  packDownload({ job_id }: ZipPayload, run: JobRun): Promise<void> {
    return this.packing.packDownload(job_id, run);
  }

  @WhenGivenUp(zip)
  giveUpDownload({ job_id }: ZipPayload, { reason }: GivenUpJob): Promise<void> {
    return this.runs.giveUp(job_id, reason);
  }
}

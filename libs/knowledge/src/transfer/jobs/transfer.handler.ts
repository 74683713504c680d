import { Injectable } from '@nestjs/common';
import { Handles, WhenGivenUp, type GivenUpJob, type JobRun } from '@atrium/platform/messaging';
import { JobRuns } from '../../work/application/job-runs';
import type { KnowledgeJobPayload } from '../../work/jobs/payload.jobs';
import { ExportsService } from '../application/exports.service';
import { ImportRun } from '../application/import-run';
import { exportRecords, importRecords } from './transfer.jobs';

@Injectable()
export class TransferHandler {
  constructor(
    private readonly runs: JobRuns,
    private readonly imports: ImportRun,
    private readonly exports: ExportsService,
  ) {}

  @Handles(importRecords)
  importRecords({ job_id }: KnowledgeJobPayload, run: JobRun): Promise<void> {
    return this.runs.runWork(job_id, run, (job) => this.imports.runImport(job, run));
  }

  @Handles(exportRecords)
  exportRecords({ job_id }: KnowledgeJobPayload, run: JobRun): Promise<void> {
    return this.runs.runWork(job_id, run, (job) => this.exports.runExport(job, run));
  }

  @WhenGivenUp(importRecords)
  endImport({ job_id }: KnowledgeJobPayload, { reason }: GivenUpJob): Promise<void> {
    return this.runs.giveUp(job_id, reason);
  }

  @WhenGivenUp(exportRecords)
  endExport({ job_id }: KnowledgeJobPayload, { reason }: GivenUpJob): Promise<void> {
    return this.runs.giveUp(job_id, reason);
  }
}

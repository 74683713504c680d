import { Injectable } from '@nestjs/common';
import { ImportRuns } from '@atrium/imports';
import { Database } from '@atrium/platform/database';
import type { JobRun } from '@atrium/platform/messaging';
import { JobRuns, type RunOutcome } from '../../work/application/job-runs';
import type { KnowledgeJob } from '../../work/domain/knowledge-job';
import { JobFaultRows } from '../../work/infrastructure/job-faults.rows';
import { JobsRepository } from '../../work/infrastructure/jobs.repository';
import type { RecordImport } from './record-import';
import { BaseTables } from './base-tables';
import { ImportReports } from './import-report';
import { RecordImportJob } from './record-import-job';
import { RecordTargets } from './record-target';

/** Writes the rows of a table into a base. */
@Injectable()
export class ImportRun {
  constructor(
    private readonly db: Database,
    private readonly engine: ImportRuns,
    private readonly tables: BaseTables,
    private readonly targets: RecordTargets,
    private readonly runs: JobRuns,
    private readonly jobs: JobsRepository,
    private readonly faults: JobFaultRows,
    private readonly reports: ImportReports,
  ) {}

  async run(row: KnowledgeJob, run: JobRun): Promise<RunOutcome> {
    const order = row.job_order as unknown as RecordImport;
    const job = new RecordImportJob(row, this.runs, this.jobs, this.faults);
    const aborted = await this.engine.run(
      {
        job,
        order,
        table: await this.tables.find(await job.findAsker(), row.job_base, order),
        openTarget: async (table) => this.targets.open(row.job_base, await job.findAsker(), table, order),
      },
      run,
    );
    if (aborted)
      await this.db.write(async () => {
        await this.faults.add(job.job_id, aborted.refused);
        await this.runs.recordStep(row, { failed: aborted.refused.length });
      });
    const report = await this.reports.store(job.job_id);
    if (aborted) return { status: 'failed', error: aborted.reason, report };
    return { status: report === null ? 'completed' : 'partial', report };
  }
}

import { Injectable } from '@nestjs/common';
import { ImportRuns } from '@atrium/imports';
import { Database } from '@atrium/platform/database';
import type { JobRun } from '@atrium/platform/messaging';
import { Tabular } from '@atrium/platform/tabular';
import { JobRuns, type RunOutcome } from '../../work/application/job-runs';
import type { KnowledgeJob } from '../../work/domain/knowledge-job';
import { JobFaultRows } from '../../work/infrastructure/job-faults.rows';
import { JobsRepository } from '../../work/infrastructure/jobs.repository';
import { BaseTables } from './base-tables';
import { RecordImportJob } from './record-import-job';
import { isRecordImport, RecordTargets } from './record-target';
import { JobObjects } from '../../work/infrastructure/job-objects';

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
    private readonly objects: JobObjects,
  ) {}

  async runImport(row: KnowledgeJob, run: JobRun): Promise<RunOutcome> {
    const order: unknown = row.job_order;
    if (!isRecordImport(order)) throw new Error('The order of the job is not that of an import.');
    const job = new RecordImportJob(row, this.runs, this.jobs, this.faults);
    const aborted = await this.engine.runImport(
      {
        job,
        order,
        table: await this.tables.resolveTable(await job.findAsker(), row.job_base, order),
        openTarget: async (table) => this.targets.openTarget(row.job_base, await job.findAsker(), table, order),
      },
      run,
    );
    if (aborted) await this.db.write(() => job.recordAbort(aborted));
    const report = await this.storeReport(job, run);
    if (aborted) return { status: 'failed', error: aborted.reason, report };
    return { status: report === null ? 'completed' : 'partial', report };
  }

  /** A CSV with column and reason of each; null where there are none. */
  private async storeReport(job: RecordImportJob, run: JobRun): Promise<string | null> {
    const { job_id } = job;
    const { faults } = this;
    const reached = (): Promise<void> => {
      run.signal.throwIfAborted();
      return run.heartbeat();
    };
    if ((await faults.readFaults(job_id, reached).next()).done === true) return null;
    const { unlisted } = await this.db.read(() => job.findCounts());
    async function* rows(): AsyncGenerator<(string | number)[]> {
      yield ['row', 'column', 'code', 'reason'];
      for await (const { fault_row, fault_field, fault_code, fault_reason } of faults.readFaults(job_id, reached))
        yield [fault_row, fault_field, fault_code, fault_reason];
      if (unlisted > 0) yield ['', '', 'more', `${unlisted.toLocaleString('en')} more faults are not listed.`];
    }
    return (await this.objects.putObject(job_id, 'report', Tabular.write(rows(), { format: 'csv' }), 'text/csv')).key;
  }
}

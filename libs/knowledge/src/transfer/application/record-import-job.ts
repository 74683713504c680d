import type { ImportJob, ImportStep, WrittenCounts } from '@atrium/imports';
import type { Principal } from '@atrium/platform/access';
import { WorkEnded } from '@atrium/platform/messaging';
import type { JobRuns } from '../../work/application/job-runs';
import type { KnowledgeJob } from '../../work/domain/knowledge-job';
import type { JobFaultRows } from '../../work/infrastructure/job-faults.rows';
import type { JobsRepository } from '../../work/infrastructure/jobs.repository';

/** What a job of a base keeps of an import. */
export class RecordImportJob implements ImportJob {
  readonly job_id: string;
  readonly lastRow: number;
  readonly isSurveyed: boolean;
  readonly isWritten: boolean;

  constructor(
    private readonly job: KnowledgeJob,
    private readonly runs: JobRuns,
    private readonly jobs: JobsRepository,
    private readonly faults: JobFaultRows,
  ) {
    const { row, surveyed, written } = job.job_place;
    this.job_id = job.job_id;
    this.lastRow = typeof row === 'number' ? row : 0;
    this.isSurveyed = surveyed === true;
    this.isWritten = written === true;
  }

  findAsker(): Promise<Principal> {
    return this.runs.findAsker(this.job, { permission: 'knowledge-base:write' });
  }

  lockRunning(): Promise<void> {
    return this.runs.recordStep(this.job, {});
  }

  async assertRunning(): Promise<void> {
    if (!(await this.jobs.isRunning(this.job))) throw new WorkEnded();
  }

  recordTotal(total: number): Promise<void> {
    return this.runs.recordStep(this.job, { more: total, place: { surveyed: true } });
  }

  async recordBatch({ created, updated, unchanged, refused, rows, to }: ImportStep): Promise<void> {
    await this.faults.addFaults(this.job_id, refused);
    await this.runs.recordStep(this.job, {
      created,
      updated,
      unchanged,
      done: rows - refused.length,
      failed: refused.length,
      place: { row: to },
    });
  }

  /** All rows are written: what a run before refused, and could not say any more, has been taken by now. */
  async recordAll(counts: WrittenCounts, total: number): Promise<void> {
    await this.faults.removeAll(this.job_id);
    await this.runs.recordStep(this.job, { ...counts, done: total, failed: -this.job.failed, place: { written: true } });
  }
}

import { MOST_LISTED_FAULTS, type ImportAbort, type ImportJob, type ImportStep, type RowFaults, type WrittenCounts } from '@atrium/imports';
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

  async lockRunning(): Promise<void> {
    if (!(await this.jobs.lockRunning(this.job))) throw new WorkEnded();
  }

  async assertRunning(): Promise<void> {
    if (!(await this.jobs.isRunning(this.job))) throw new WorkEnded();
  }

  recordTotal(total: number): Promise<void> {
    return this.runs.recordStep(this.job, { more: total, place: { surveyed: true } });
  }

  async recordBatch({ created, updated, unchanged, refused, rows, to }: ImportStep): Promise<void> {
    const before = await this.findCounts();
    const listed = await this.faults.addFaults(this.job_id, refused, MOST_LISTED_FAULTS - before.listed);
    await this.runs.recordStep(this.job, {
      created,
      updated,
      unchanged,
      done: rows - refused.length,
      failed: refused.length,
      place: { row: to, listed: before.listed + listed, unlisted: before.unlisted + faultsIn(refused) - listed },
    });
  }

  /** Nothing was written. A run before may have said so, too, and ended before its job did. */
  async recordAbort({ refused, failed, unlisted }: ImportAbort): Promise<void> {
    await this.faults.removeAll(this.job_id);
    const listed = await this.faults.addFaults(this.job_id, refused, MOST_LISTED_FAULTS);
    await this.runs.recordStep(this.job, { failed: failed - this.job.failed, place: { listed, unlisted } });
  }

  /** How many faults are listed, and how many there are besides; within a unit of work. */
  async findCounts(): Promise<{ readonly listed: number; readonly unlisted: number }> {
    const { listed, unlisted } = (await this.jobs.findRow(this.job_id))?.job_place ?? {};
    return {
      // A job that a host of the release before began has faults and no count of them.
      listed: typeof listed === 'number' ? listed : await this.faults.countFaults(this.job_id),
      unlisted: typeof unlisted === 'number' ? unlisted : 0,
    };
  }

  /** All rows are written: what a run before refused, and could not say any more, has been taken by now. */
  async recordAll(counts: WrittenCounts, total: number): Promise<void> {
    await this.faults.removeAll(this.job_id);
    const place = { written: true, listed: 0, unlisted: 0 };
    await this.runs.recordStep(this.job, { ...counts, done: total, failed: -this.job.failed, place });
  }
}

const faultsIn = (refused: readonly RowFaults[]): number => refused.reduce((sum, { faults }) => sum + faults.length, 0);

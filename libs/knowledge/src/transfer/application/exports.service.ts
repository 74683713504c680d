import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { currentEnding, Ids } from '@atrium/platform/kernel';
import type { JobRun } from '@atrium/platform/messaging';
import { BaseAccess } from '../../bases/application/base-access';
import { JobRuns, type RunOutcome } from '../../work/application/job-runs';
import type { JobRow } from '../../work/infrastructure/jobs.repository';
import { JobsService, type JobAnswer } from '../../work/application/jobs.service';
import type { KnowledgeJob } from '../../work/domain/knowledge-job';
import { ExportedRecordRows } from '../infrastructure/exported-records.rows';
import { exportRecords } from '../jobs/transfer.jobs';
import { RecordExport, type ExportFormat } from './record-export';

/** Records that are exported while the caller waits, and bytes of their contents as they are stored. */
const AT_ONCE = 20_000;
const BYTES_AT_ONCE = 64 * 1024 * 1024;

/** What an export came to: a file, or the job that makes it. */
export type ExportTaken = { readonly file: JobAnswer['result'] } | { readonly job: JobRow };

/** Exports the records of a base. Small bases are written at once, large ones in the background; both are jobs of the base that keep their file for a time. */
@Injectable()
export class ExportsService {
  constructor(
    private readonly db: Database,
    private readonly access: BaseAccess,
    private readonly records: RecordExport,
    private readonly jobs: JobsService,
    private readonly runs: JobRuns,
    private readonly ids: Ids,
    private readonly rows: ExportedRecordRows,
  ) {}

  async startExport(caller: Principal, ds_id: string, format: ExportFormat): Promise<ExportTaken> {
    const isLarge = await this.db.read(async () => {
      await this.access.requireReadable(caller, ds_id);
      return (await this.access.countRecords(ds_id)) > AT_ONCE || (await this.rows.countBytes(ds_id)) > BYTES_AT_ONCE;
    });
    if (isLarge) return { job: await this.later(caller, ds_id, format) };
    const job_id = this.ids.next();
    const signal = currentEnding();
    const { key, facts } = await this.records.writeExport({
      job_id,
      ds_id,
      format,
      ...(signal ? { signal } : {}),
      acting: () => Promise.resolve(caller),
    });
    const row = await this.db.write(() =>
      this.jobs.insertFinished({ job_id, kind: 'export', ds_id, asker: caller, object: key, result: facts, done: facts.record_count }),
    );
    return { file: (await this.jobs.toAnswer(caller, row)).result };
  }

  /** A run that was cut off begins again: the file takes the place of what was stored. */
  async runExport(job: KnowledgeJob, run: JobRun): Promise<RunOutcome> {
    const { job_id, job_base: ds_id } = job;
    const format = job.job_order['format'] as ExportFormat;
    const before = job.done;
    if (before > 0) await this.db.write(() => this.runs.recordStep(job, { done: -before }));
    const { key, facts } = await this.records.writeExport({
      job_id,
      ds_id,
      format,
      signal: run.signal,
      acting: () => this.runs.findAsker(job, { permission: 'knowledge-base:view' }),
      reached: async (records) => {
        await this.db.write(() => this.runs.recordStep(job, { done: records }));
        await run.heartbeat();
      },
    });
    return { status: 'completed', result: facts, object: key };
  }

  private later(caller: Principal, ds_id: string, format: ExportFormat): Promise<JobRow> {
    return this.db.write(async () => {
      await this.access.requireReadable(caller, ds_id);
      return this.jobs.startJob({ kind: 'export', ds_id, definition: exportRecords, order: { format }, asker: caller });
    });
  }
}

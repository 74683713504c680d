import { Injectable } from '@nestjs/common';
import { ImportRuns, ImportTables, type ImportAbort } from '@atrium/imports';
import { Database } from '@atrium/platform/database';
import type { JsonObject } from '@atrium/platform/kernel';
import { BackgroundJobs, PermanentFailure, WorkEnded, withoutRetry, WorkEngine, type JobRun } from '@atrium/platform/messaging';
import { ImportsOfJobs } from '../infrastructure/imports.rows';
import { ObjectImportJob } from './object-import-job';
import { ObjectTargets } from './object-target';

const NOTHING = { created: 0, updated: 0, unchanged: 0 };

/** Writes the rows of a table as objects. */
@Injectable()
export class ImportRun {
  constructor(
    private readonly db: Database,
    private readonly engine: ImportRuns,
    private readonly tables: ImportTables,
    private readonly targets: ObjectTargets,
    private readonly imports: ImportsOfJobs,
    private readonly jobs: BackgroundJobs,
    private readonly work: WorkEngine,
  ) {}

  async runImport(run: JobRun): Promise<JsonObject> {
    try {
      return await this.write(run);
    } catch (error) {
      // A step that another worker was ahead of says nothing of the end: the worker that has the job begins again where the import is.
      if (error instanceof WorkEnded && (await run.isCancelled())) return {};
      // What is wrong with the file, the schema or the rights stays wrong.
      throw withoutRetry(error);
    }
  }

  private async write(run: JobRun): Promise<JsonObject> {
    const { job_id } = run;
    const found = await this.db.read(() => this.imports.findImport(job_id));
    if (!found) throw new PermanentFailure('The import is gone. Start it again.');
    const order = found.imp_order;
    const job = new ObjectImportJob(job_id, found, this.imports, this.jobs, this.work);
    const table = await this.tables.resolveTable(await job.findAsker(), order);
    const aborted = await this.engine.runImport({ job, order, table, openTarget: (known) => this.targets.openTarget(known, order) }, run);
    if (aborted) return this.abort(job, aborted);
    return this.db.write(async () => {
      const result = await this.imports.readResult(job_id);
      await this.jobs.completeJob(job_id, result, 'row');
      return result;
    });
  }

  /** The job fails, and with its end its result names the rows. */
  private async abort(job: ObjectImportJob, { reason, refused, failed, total }: ImportAbort): Promise<never> {
    const { job_id } = job;
    await this.db.write(async () => {
      await job.lockRunning();
      await this.imports.addFaults(job_id, refused);
      await this.imports.advanceImport(job_id, { from: 0, to: 0 }, { ...NOTHING, failed });
      await this.jobs.recordProgress(job_id, { done: 0, total, failed });
      await this.jobs.giveUp(job_id, reason);
    });
    throw new PermanentFailure(reason);
  }
}

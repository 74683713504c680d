import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { Problem, type ProblemCode } from '@atrium/platform/kernel';
import { BackgroundJobs, job, type Job } from '@atrium/platform/messaging';
import type { ObjectImport } from '../domain/object-import';
import { ImportsOfJobs } from '../infrastructure/imports.rows';
import { importObjects } from '../jobs/import.jobs';
import { ImportReadings, type KnownTable } from './import-reading';
import { ImportTables } from './import-tables';

/** What a file says of itself when it is read. */
const OF_THE_FILE: ReadonlySet<ProblemCode> = new Set(['payload_too_large', 'unprocessable_content']);

/** Takes imports: what is wrong with the request is answered at once, what is wrong with rows is in the result. */
@Injectable()
export class ImportsService {
  constructor(
    private readonly db: Database,
    private readonly tables: ImportTables,
    private readonly readings: ImportReadings,
    private readonly imports: ImportsOfJobs,
    private readonly jobs: BackgroundJobs,
  ) {}

  async start(caller: Principal, order: ObjectImport): Promise<Job> {
    await this.db.read(() => this.readings.schema(order.obj_form));
    const table = await this.table(caller, order);
    return this.db.write(async () => {
      const form = await this.readings.schema(order.obj_form);
      if (table) await this.readings.of(form, table, order);
      const started = await this.jobs.start(job(importObjects, { obj_form: order.obj_form }));
      await this.imports.insert(started.job_id, order);
      return started;
    });
  }

  /** A header that names no columns is a fault of the request; what else is wrong with a file is found when it is read. */
  private async table(caller: Principal, order: ObjectImport): Promise<KnownTable | undefined> {
    const table = await this.tables.find(caller, order);
    try {
      return { columns: (await table.look()).columns, isJson: table.isJson };
    } catch (error) {
      // What no bounded process could read is not read again by the job.
      if (error instanceof Problem && OF_THE_FILE.has(error.code) && !error.isMeasured) return undefined;
      throw error;
    }
  }
}

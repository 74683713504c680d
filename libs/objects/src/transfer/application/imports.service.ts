import { Injectable } from '@nestjs/common';
import { ImportTables, knownTable } from '@atrium/imports';
import type { Principal } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { BackgroundJobs, planJob, type Job } from '@atrium/platform/messaging';
import { ImportsOfJobs, type ObjectImport } from '../infrastructure/imports.rows';
import { importObjects } from '../jobs/import.jobs';
import { ImportReadings } from './import-reading';

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

  async startImport(caller: Principal, order: ObjectImport): Promise<Job> {
    await this.db.read(() => this.readings.openSchema(order.obj_form));
    const table = await knownTable(await this.tables.resolveTable(caller, order));
    return this.db.write(async () => {
      const form = await this.readings.openSchema(order.obj_form);
      if (table) await this.readings.openReading(form, table, order);
      const started = await this.jobs.startJob(planJob(importObjects, { obj_form: order.obj_form }));
      await this.imports.insertImport(started.job_id, order);
      return started;
    });
  }
}

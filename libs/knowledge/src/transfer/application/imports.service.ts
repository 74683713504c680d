import { Injectable } from '@nestjs/common';
import { knownTable } from '@atrium/imports';
import type { Principal } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { asJson, type JsonObject } from '@atrium/platform/kernel';
import { BaseAccess } from '../../bases/application/base-access';
import type { JobRow } from '../../work/infrastructure/jobs.repository';
import { JobsService } from '../../work/application/jobs.service';
import { importRecords } from '../jobs/transfer.jobs';
import { BaseTables } from './base-tables';
import { ImportReadings } from './import-reading';
import type { RecordImport } from './record-target';

/** Takes imports: what can be wrong with the request is said at once, what is wrong with rows in the report. */
@Injectable()
export class ImportsService {
  constructor(
    private readonly db: Database,
    private readonly access: BaseAccess,
    private readonly tables: BaseTables,
    private readonly readings: ImportReadings,
    private readonly jobs: JobsService,
  ) {}

  async startImport(caller: Principal, ds_id: string, order: RecordImport): Promise<JobRow> {
    await this.db.read(() => this.access.requireReadable(caller, ds_id, 'edit'));
    const table = await knownTable(await this.tables.resolveTable(caller, ds_id, order));
    return this.db.write(async () => {
      const base = await this.access.requireReadable(caller, ds_id, 'edit');
      if (table) await this.readings.openReading(base.form_id, table, order);
      return this.jobs.startJob({ kind: 'import', ds_id, definition: importRecords, order: plain(order), asker: caller });
    });
  }
}

/** Its values are JSON already, and rows are many: they are not copied. */
const plain = (order: RecordImport): JsonObject =>
  Object.fromEntries(Object.entries(asJson(order)).filter(([, value]) => value !== undefined));

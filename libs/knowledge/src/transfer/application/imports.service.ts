import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import type { JsonObject } from '@atrium/platform/kernel';
import { BaseAccess } from '../../bases/application/base-access';
import type { JobRow } from '../../jobs/jobs.repository';
import { JobsService } from '../../jobs/jobs.service';
import type { ImportOrder } from '../domain/import-order';
import { importRecords } from '../jobs/transfer.jobs';
import { ImportReadings } from './import-reading';
import { columnsOrFault, ImportTables } from './import-tables';

/** Takes imports: what can be wrong with the request is said at once, what is wrong with rows in the report. */
@Injectable()
export class ImportsService {
  constructor(
    private readonly db: Database,
    private readonly access: BaseAccess,
    private readonly tables: ImportTables,
    private readonly readings: ImportReadings,
    private readonly jobs: JobsService,
  ) {}

  async start(caller: Principal, ds_id: string, order: ImportOrder): Promise<JobRow> {
    await this.db.read(() => this.access.readable(caller, ds_id, 'edit'));
    const columns = await this.columns(caller, ds_id, order);
    return this.db.write(async () => {
      const base = await this.access.readable(caller, ds_id, 'edit');
      if (columns) await this.readings.of(base.form_id, columns, order);
      return this.jobs.start({ kind: 'import', ds_id, definition: importRecords, order: plain(order), asker: caller });
    });
  }

  private async columns(caller: Principal, ds_id: string, order: ImportOrder): Promise<readonly string[] | undefined> {
    const table = await this.tables.open(caller, ds_id, order);
    try {
      return await columnsOrFault(table);
    } finally {
      await table.close();
    }
  }
}

const plain = (order: ImportOrder): JsonObject => JSON.parse(JSON.stringify(order)) as JsonObject;

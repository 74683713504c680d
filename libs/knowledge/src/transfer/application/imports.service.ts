import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { Problem, type JsonObject, type ProblemCode } from '@atrium/platform/kernel';
import { BaseAccess } from '../../bases/application/base-access';
import type { JobRow } from '../../work/infrastructure/jobs.repository';
import { JobsService } from '../../work/application/jobs.service';
import type { RecordImport } from '../domain/record-import';
import { importRecords } from '../jobs/transfer.jobs';
import { ImportReadings, type KnownTable } from './import-reading';
import { ImportTables } from './import-tables';

/** What a file says of itself when it is read. */
const OF_THE_FILE: ReadonlySet<ProblemCode> = new Set(['payload_too_large', 'unprocessable_content']);

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

  async start(caller: Principal, ds_id: string, order: RecordImport): Promise<JobRow> {
    await this.db.read(() => this.access.readable(caller, ds_id, 'edit'));
    const table = await this.table(caller, ds_id, order);
    return this.db.write(async () => {
      const base = await this.access.readable(caller, ds_id, 'edit');
      if (table) await this.readings.of(base.form_id, table, order);
      return this.jobs.start({ kind: 'import', ds_id, definition: importRecords, order: plain(order), asker: caller });
    });
  }

  /** A header that names no columns is a fault of the request; what else is wrong with a file is found when it is read. */
  private async table(caller: Principal, ds_id: string, order: RecordImport): Promise<KnownTable | undefined> {
    const table = await this.tables.find(caller, ds_id, order);
    try {
      return { columns: (await table.look()).columns, isJson: table.isJson };
    } catch (error) {
      // What no bounded process could read is not read again by the job.
      if (error instanceof Problem && OF_THE_FILE.has(error.code) && !error.isMeasured) return undefined;
      throw error;
    }
  }
}

/** Its values are JSON already, and rows are many: they are not copied. */
const plain = (order: RecordImport): JsonObject =>
  Object.fromEntries(Object.entries(order as unknown as JsonObject).filter(([, value]) => value !== undefined));

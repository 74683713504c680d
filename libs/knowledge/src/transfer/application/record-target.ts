import { Injectable } from '@nestjs/common';
import type { Cleaned, ImportEntry, ImportTarget, KnownTable, WrittenEntry, ImportOrder } from '@atrium/imports';
import type { Principal } from '@atrium/platform/access';
import { isObject } from '@atrium/platform/kernel';
import { BaseAccess } from '../../bases/application/base-access';
import { RecordBodies } from '../../records/application/record-bodies';
import { RecordShapes } from '../../records/application/record-shapes';
import { RecordWriter } from '../../records/application/record-writer';
import type { RecordWish } from '../../records/domain/record-facts';
import { ImportReadings } from './import-reading';
import { RECORD_ROWS } from './record-columns';
import type { RecordStatus } from '../../records/domain/knowledge-record';

/** An import of records as it is asked for. */
export interface RecordImport extends ImportOrder {
  readonly rec_status?: RecordStatus;
}

/** Whether the order of a job is that of an import, as it was stored when the job was started. */
export const isRecordImport = (order: unknown): order is RecordImport =>
  isObject(order) && typeof order.mode === 'string' && typeof order.on_error === 'string';

/** Records as the rows of a table become them. */
@Injectable()
export class RecordTargets {
  constructor(
    private readonly readings: ImportReadings,
    private readonly access: BaseAccess,
    private readonly writer: RecordWriter,
    private readonly bodies: RecordBodies,
    private readonly shapes: RecordShapes,
  ) {}

  /** Within a unit of work. */
  async openTarget(ds_id: string, acting: Principal, table: KnownTable, order: RecordImport): Promise<ImportTarget<RecordWish>> {
    const { form_id } = await this.access.requireReadable(acting, ds_id, 'edit');
    const { reader, columns } = await this.readings.openReading(form_id, table, order);
    return {
      ...columns,
      kind: RECORD_ROWS,
      readRow: (values, named) => reader.readRow(values, named),
      writeBatch: (entries, by) => this.write(ds_id, order, entries, by),
      findForm: async () => (await this.shapes.readShapeForReading({ form_id })).form,
      // The texts of a schema are cleaned by the types of its fields.
      ...(form_id === null ? { cleanWishes: (wishes, signal) => this.clean(wishes, signal) } : {}),
    };
  }

  private async clean(wishes: readonly RecordWish[], signal: AbortSignal): Promise<readonly Cleaned<RecordWish>[]> {
    const cleaned = await this.bodies.cleanAll(null, wishes, signal);
    return wishes.map(({ rec_content }, at) => {
      const outcome = cleaned[at];
      if (!outcome || 'code' in outcome) return outcome ?? null;
      return outcome.rec_content === rec_content || !outcome.rec_content ? null : { rec_content: outcome.rec_content };
    });
  }

  private async write(
    ds_id: string,
    { mode, key, rec_status }: RecordImport,
    entries: readonly ImportEntry<RecordWish>[],
    acting: Principal,
  ): Promise<readonly WrittenEntry[]> {
    await this.access.keepBase(acting, ds_id, 'edit');
    return this.writer.writeMany(
      ds_id,
      entries.map(({ wish }) => ({ ...wish, isClean: true as const, ...(rec_status ? { rec_status } : {}) })),
      { source: 'import', mode, ...(key !== undefined && key !== RECORD_ROWS.external_id ? { key } : {}) },
      acting,
    );
  }
}

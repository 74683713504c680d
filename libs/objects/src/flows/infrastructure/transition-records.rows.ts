import { Injectable } from '@nestjs/common';
import { Database, listPage, requireScope, sql, type ListParameters, type Page } from '@atrium/platform/database';
import { Ids } from '@atrium/platform/kernel';
import { TransitionRecord } from '../domain/transition-record';

/** A record as it is shown. */
export type TransitionRecordRow = Omit<TransitionRecord, 'tenant_id' | 'row_version'>;

/** A state that an object enters. */
export type NewRecord = Omit<TransitionRecordRow, 'otr_id' | 'otr_created' | 'otr_status'>;

/** The states that objects came into: written once, read as the history of an object. */
@Injectable()
export class TransitionRecords {
  constructor(
    private readonly db: Database,
    private readonly ids: Ids,
  ) {}

  async insertRecords(records: readonly NewRecord[], now: Date): Promise<void> {
    if (records.length === 0) return;
    const rows = records.map((record) => ({ ...record, otr_id: this.ids.next() }));
    await this.db.current().execute(sql`
      INSERT INTO object_transition (tenant_id, otr_id, otr_object, otr_flow, otr_transition, otr_from, otr_to, otr_comment, otr_by, otr_created)
      SELECT ${requireScope().tenant_id}::uuid, v.otr_id, v.otr_object, v.otr_flow, v.otr_transition, v.otr_from, v.otr_to, v.otr_comment, v.otr_by, ${now}::timestamptz
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        AS v (otr_id uuid, otr_object uuid, otr_flow uuid, otr_transition text, otr_from text, otr_to text, otr_comment text, otr_by uuid)`);
  }

  listRecords(obj_id: string, query: ListParameters): Promise<Page<TransitionRecordRow>> {
    return listPage<TransitionRecordRow>(this.db.current(), TransitionRecord, query, { where: sql`r.otr_object = ${obj_id}` });
  }
}

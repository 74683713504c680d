import { liveHold } from '@atrium/governance';
import { raw, sql, type Sql } from '@atrium/platform/database';

function holdOfRecord(alias: string): Sql {
  const r = raw(alias);
  return liveHold(sql`${r}.tenant_id`, [
    { type: 'knowledge_base', is: (id) => sql`${id} = ${r}.rec_base` },
    { type: 'user', is: (id) => sql`${id} IN (${r}.rec_created_by, ${r}.rec_updated_by)` },
  ]);
}

/** A hold in force on the base of the record `r`, or on somebody who wrote it. */
export const HOLD_OF_RECORD = holdOfRecord('r');

/** A hold on the record with an id, which is an expression over `r`, a row of the same workspace. */
export const holdOfRecordWith = (rec_id: Sql): Sql =>
  sql`(SELECT ${holdOfRecord('hr')} FROM knowledge_record hr WHERE hr.tenant_id = r.tenant_id AND hr.rec_id = ${rec_id})`;

/** A hold in force on the base `b`, on its author, or on somebody who wrote a record of it. */
export const HOLD_OF_BASE = liveHold(sql`b.tenant_id`, [
  { type: 'knowledge_base', is: (id) => sql`${id} = b.ds_id` },
  {
    type: 'user',
    is: (id) =>
      sql`(${id} = b.ds_created_by OR EXISTS (SELECT FROM knowledge_record w WHERE w.tenant_id = b.tenant_id AND w.rec_base = b.ds_id AND ${id} IN (w.rec_created_by, w.rec_updated_by)))`,
  },
]);

/** A hold on the base with an id, which is an expression over `r`, a row of the same workspace. */
export const holdOfBaseWith = (ds_id: Sql): Sql =>
  sql`(SELECT ${HOLD_OF_BASE} FROM knowledge_base b WHERE b.tenant_id = r.tenant_id AND b.ds_id = ${ds_id})`;

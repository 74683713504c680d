import { raw, sql, type Sql } from '@atrium/platform/database';

const inForce = (alias: Sql): Sql => sql`h.tenant_id = ${alias}.tenant_id AND h.lh_released_at IS NULL`;

function holdOfRecord(alias: string): Sql {
  const r = raw(alias);
  return sql`(SELECT h.lh_id FROM legal_hold h WHERE ${inForce(r)} AND ((h.lh_target_type = 'knowledge_base' AND h.lh_target_id = ${r}.rec_base)
  OR (h.lh_target_type = 'user' AND h.lh_target_id IN (${r}.rec_created_by, ${r}.rec_updated_by))) LIMIT 1)`;
}

/** A hold in force on the base of the record `r`, or on somebody who wrote it. */
export const HOLD_OF_RECORD = holdOfRecord('r');

/** A hold on the record with an id, which is an expression over `r`, a row of the same workspace. */
export const holdOfRecordWith = (rec_id: Sql): Sql =>
  sql`(SELECT ${holdOfRecord('hr')} FROM knowledge_record hr WHERE hr.tenant_id = r.tenant_id AND hr.rec_id = ${rec_id})`;

/** A hold in force on the base `b`, on its author, or on somebody who wrote a record of it. */
export const HOLD_OF_BASE = sql`(SELECT h.lh_id FROM legal_hold h WHERE ${inForce(raw('b'))} AND ((h.lh_target_type = 'knowledge_base' AND h.lh_target_id = b.ds_id)
  OR (h.lh_target_type = 'user' AND (h.lh_target_id = b.ds_created_by OR EXISTS (SELECT FROM knowledge_record w WHERE w.tenant_id = b.tenant_id AND w.rec_base = b.ds_id AND h.lh_target_id IN (w.rec_created_by, w.rec_updated_by))))) LIMIT 1)`;

/** A hold on the base with an id, which is an expression over `r`, a row of the same workspace. */
export const holdOfBaseWith = (ds_id: Sql): Sql =>
  sql`(SELECT ${HOLD_OF_BASE} FROM knowledge_base b WHERE b.tenant_id = r.tenant_id AND b.ds_id = ${ds_id})`;

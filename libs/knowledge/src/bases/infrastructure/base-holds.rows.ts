import { sql, type Sql } from '@atrium/platform/database';

const inForce = (tenant_id: Sql): Sql => sql`h.tenant_id = ${tenant_id} AND h.lh_released_at IS NULL`;

/** A hold in force on the base of the record `r`, or on somebody who wrote it. */
export const HOLD_OF_RECORD = sql`(SELECT h.lh_id FROM legal_hold h WHERE ${inForce(sql`r.tenant_id`)} AND ((h.lh_target_type = 'knowledge_base' AND h.lh_target_id = r.rec_base)
  OR (h.lh_target_type = 'user' AND h.lh_target_id IN (r.rec_created_by, r.rec_updated_by))) LIMIT 1)`;

/** A hold in force on the base `b`, on its author, or on somebody who wrote a record of it. */
export const HOLD_OF_BASE = sql`(SELECT h.lh_id FROM legal_hold h WHERE ${inForce(sql`b.tenant_id`)} AND ((h.lh_target_type = 'knowledge_base' AND h.lh_target_id = b.ds_id)
  OR (h.lh_target_type = 'user' AND (h.lh_target_id = b.ds_created_by OR EXISTS (SELECT FROM knowledge_record w WHERE w.tenant_id = b.tenant_id AND w.rec_base = b.ds_id AND h.lh_target_id IN (w.rec_created_by, w.rec_updated_by))))) LIMIT 1)`;

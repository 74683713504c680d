import { sql } from '@atrium/platform/database';

/** A hold in force on the thread `r`, on its owner, or on somebody who wrote in it: it outlives a change of the owner. */
export const HOLD_OF_THREAD = sql`(SELECT h.lh_id FROM legal_hold h WHERE h.tenant_id = r.tenant_id AND h.lh_released_at IS NULL
  AND ((h.lh_target_type = 'thread' AND h.lh_target_id = r.thread_id) OR (h.lh_target_type = 'user' AND (h.lh_target_id = r.thread_user
    OR EXISTS (SELECT FROM message w WHERE w.tenant_id = r.tenant_id AND w.msg_thread = r.thread_id AND w.msg_user = h.lh_target_id)))) LIMIT 1)`;

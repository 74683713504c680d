import { sql, type Sql } from '@atrium/platform/database';

/** In a statement that shows a job: the external service for which it waits now, or null. Its context knows it by the key of the work. */
export const waitsForOfKey = (job: string, key: Sql): Sql =>
  sql`(SELECT w.ev_waits_for FROM outbox w WHERE w.tenant_id = current_tenant() AND w.ev_kind = 'job' AND w.ev_name = ${job} AND w.ev_key = ${key} AND w.ev_done IS NULL AND w.ev_waits_for IS NOT NULL LIMIT 1)`;

import { liveHold } from '@atrium/governance';
import { raw, sql, type Sql } from '@atrium/platform/database';

/** A hold in force on a thread, by its alias, on its owner, or on somebody who wrote in it: it outlives a change of the owner. */
function holdOfThread(alias: string): Sql {
  const t = raw(alias);
  return liveHold(sql`${t}.tenant_id`, [
    { type: 'thread', is: (id) => sql`${id} = ${t}.thread_id` },
    {
      type: 'user',
      is: (id) =>
        sql`(${id} = ${t}.thread_user OR EXISTS (SELECT FROM message w WHERE w.tenant_id = ${t}.tenant_id AND w.msg_thread = ${t}.thread_id AND w.msg_user = ${id}))`,
    },
  ]);
}

/** A hold that keeps the thread `r`. */
export const HOLD_OF_THREAD = holdOfThread('r');

/** A hold that keeps the thread with an id, which is an expression over `r`, a row of the same workspace. */
export const holdOfThreadWith = (thread_id: Sql): Sql =>
  sql`(SELECT ${holdOfThread('ht')} FROM thread ht WHERE ht.tenant_id = r.tenant_id AND ht.thread_id = ${thread_id})`;

/** A hold on somebody, an expression over `r`. */
const holdOf = (user_id: Sql): Sql => liveHold(sql`r.tenant_id`, [{ type: 'user', is: (id) => sql`${id} = ${user_id}` }]);

/** A hold that keeps a run, by its thread and who asked, which are expressions over `r`; one without a thread is kept with that person. */
export const holdOfRun = (thread_id: Sql, user_id: Sql): Sql =>
  sql`CASE WHEN ${thread_id} IS NULL THEN ${holdOf(user_id)} ELSE ${holdOfThreadWith(thread_id)} END`;

/** A hold that keeps one of the threads in which somebody, an expression over `r`, had something answered; or that person. */
export const holdOfTalks = (user_id: Sql): Sql =>
  sql`coalesce(${holdOf(user_id)},
    (SELECT held.lh_id FROM (SELECT ${holdOfThread('ht')} AS lh_id FROM thread ht WHERE ht.tenant_id = r.tenant_id
      AND ht.thread_id IN (SELECT q.run_thread FROM run q WHERE q.tenant_id = r.tenant_id AND q.run_user = ${user_id} AND q.run_thread IS NOT NULL)) held WHERE held.lh_id IS NOT NULL LIMIT 1))`;

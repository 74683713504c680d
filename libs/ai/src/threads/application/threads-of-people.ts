import { Injectable } from '@nestjs/common';
import { LegalHolds, PersonDataSources, type PersonRun } from '@atrium/governance';
import { Database, requireScope, sql } from '@atrium/platform/database';
import { HOLD_OF_THREAD } from '../../shared/thread-holds';
import { ThreadRemoval } from './thread-removal';

const THREADS_AT_ONCE = 50;

/** Threads that an erasure removes: those of the person in which nobody else takes part. The others keep their course. */
@Injectable()
export class ThreadsOfPeople {
  constructor(
    sources: PersonDataSources,
    private readonly db: Database,
    private readonly holds: LegalHolds,
    private readonly removal: ThreadRemoval,
  ) {
    sources.registerTableHandler('thread', {
      deletes: true,
      erase: ({ user_id }, run) => (user_id === null ? Promise.resolve(0) : this.removeOwn(user_id, run)),
    });
  }

  private async removeOwn(user_id: string, run: PersonRun): Promise<number> {
    for (let total = 0; ;) {
      run.signal.throwIfAborted();
      const removed = await this.db.write(() => this.removeSome(user_id));
      total += removed;
      if (removed < THREADS_AT_ONCE) return total;
      await run.heartbeat();
    }
  }

  /** Nobody else may read them, and nobody else has written in them. */
  private async removeSome(user_id: string): Promise<number> {
    await this.holds.blockNewHolds();
    const rows = await this.db.current().query<{ thread_id: string }>(sql`
      SELECT r.thread_id FROM thread r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.thread_user = ${user_id}::uuid AND r.thread_share_mode = 'private' AND ${HOLD_OF_THREAD} IS NULL
        AND NOT EXISTS (SELECT FROM thread_grant g WHERE g.tenant_id = r.tenant_id AND g.thread_id = r.thread_id AND g.grant_to <> ${user_id}::uuid
          AND (g.grant_kind <> 'user' OR EXISTS (SELECT FROM workspace_user u WHERE u.tenant_id = g.tenant_id AND u.user_id = g.grant_to AND u.user_status <> 'removed')))
        AND NOT EXISTS (SELECT FROM message m WHERE m.tenant_id = r.tenant_id AND m.msg_thread = r.thread_id AND m.msg_user <> ${user_id}::uuid)
      ORDER BY r.thread_id LIMIT ${THREADS_AT_ONCE} FOR UPDATE OF r`);
    await this.removal.removeThreads(rows.map(({ thread_id }) => thread_id));
    return rows.length;
  }
}

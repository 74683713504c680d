import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql } from '@atrium/platform/database';
import { notFound } from '@atrium/platform/kernel';
import type { WithheldFacts } from '../threads/domain/memory-answer';
import { PRESENT_MS, type PresenceState } from '../threads/domain/presence';
import type { StoredState } from './thread-state';

interface StateRow extends Record<string, unknown> {
  readonly thread_title: string | null;
  readonly thread_leaf: string | null;
  readonly thread_status: string;
  readonly thread_share_mode: string;
  readonly thread_generating_for: string | null;
  readonly thread_run: string | null;
  readonly run_message: string | null;
  readonly run_checkpoint: string | null;
  readonly run_attempt: number | null;
  readonly run_created: string | null;
  readonly run_started: string | null;
}

export interface PresenceRow extends Record<string, unknown> {
  readonly user_id: string;
  readonly tp_state: PresenceState;
  readonly tp_since: string;
  readonly tp_until: string;
}

/** What a stream shows of a thread besides its events. Within a unit of work. */
@Injectable()
export class ThreadStateRepository {
  constructor(private readonly db: Database) {}

  async readState(thread_id: string): Promise<StoredState> {
    const row = await this.db.current().first<StateRow>(sql`
      SELECT t.thread_title, t.thread_leaf, t.thread_status, t.thread_share_mode, t.thread_generating_for, t.thread_run, r.run_message, r.run_checkpoint, r.run_attempt, r.run_created, r.run_started
      FROM thread t LEFT JOIN run r ON r.tenant_id = t.tenant_id AND r.run_id = t.thread_run
      WHERE t.tenant_id = ${requireScope().tenant_id} AND t.thread_id = ${thread_id}`);
    if (!row) throw notFound('thread');
    return {
      state: {
        thread_id,
        locked: row.thread_run !== null,
        generating_for: row.thread_generating_for,
        run_id: row.thread_run,
        msg_id: row.run_message,
        queue: 0,
        since: row.run_started ?? row.run_created,
        thread_status: row.thread_status,
        thread_share_mode: row.thread_share_mode,
      },
      checkpoint: row.run_checkpoint,
      attempt: row.run_attempt ?? 1,
      run_created: row.run_created === null ? null : new Date(row.run_created),
      thread: { thread_title: row.thread_title, thread_leaf: row.thread_leaf },
    };
  }

  /** Whose the answer is that a message is, and whether it was given memories. */
  async readAsker(thread_id: string, msg_id: string): Promise<Pick<WithheldFacts, 'msg_user' | 'msg_recalls'>> {
    const row = await this.db
      .current()
      .first<{ msg_user: string | null; msg_recalls: boolean }>(
        sql`SELECT msg_user, msg_recalls FROM message WHERE tenant_id = ${requireScope().tenant_id} AND msg_thread = ${thread_id} AND msg_id = ${msg_id}`,
      );
    return row ?? { msg_user: null, msg_recalls: false };
  }

  /** Notes a sign of somebody, and removes those whose time is up. */
  async savePresence(thread_id: string, user_id: string, state: PresenceState, now: Date): Promise<void> {
    const { tenant_id } = requireScope();
    const until = new Date(now.getTime() + PRESENT_MS);
    const tx = this.db.current();
    await tx.execute(sql`DELETE FROM thread_presence WHERE tenant_id = ${tenant_id} AND thread_id = ${thread_id} AND tp_until <= ${now}`);
    await tx.execute(sql`
      INSERT INTO thread_presence AS p (tenant_id, thread_id, user_id, tp_state, tp_since, tp_until)
      VALUES (${tenant_id}, ${thread_id}, ${user_id}, ${state}, ${now}, ${until})
      ON CONFLICT (tenant_id, thread_id, user_id) DO UPDATE SET tp_state = excluded.tp_state, tp_until = excluded.tp_until,
        tp_since = CASE WHEN p.tp_state = excluded.tp_state THEN p.tp_since ELSE excluded.tp_since END`);
  }

  async deletePresence(thread_id: string, user_id: string): Promise<void> {
    await this.db
      .current()
      .execute(
        sql`DELETE FROM thread_presence WHERE tenant_id = ${requireScope().tenant_id} AND thread_id = ${thread_id} AND user_id = ${user_id}`,
      );
  }

  listPresence(thread_id: string, now: Date): Promise<PresenceRow[]> {
    return this.db.current().query<PresenceRow>(sql`
      SELECT user_id, tp_state, tp_since, tp_until FROM thread_presence
      WHERE tenant_id = ${requireScope().tenant_id} AND thread_id = ${thread_id} AND tp_until > ${now} ORDER BY tp_since, user_id LIMIT 200`);
  }
}

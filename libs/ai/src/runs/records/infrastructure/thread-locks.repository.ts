import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql } from '@atrium/platform/database';

/** What events about the lock of a thread and the end of its run say of it. */
export interface LockRow {
  readonly thread_id: string;
  readonly thread_title: string | null;
  readonly thread_leaf: string | null;
  readonly thread_status: string;
  readonly thread_share_mode: string;
  readonly thread_run: string | null;
  readonly thread_generating_for: string | null;
  readonly thread_active: boolean;
}

const ROW = sql`t.thread_id, t.thread_title, t.thread_leaf, t.thread_status, t.thread_share_mode, t.thread_run, t.thread_generating_for, t.thread_active`;

/** Which run a thread is locked for. One statement takes or frees the lock, so of two that want it one has it. */
@Injectable()
export class ThreadLocksRepository {
  constructor(private readonly db: Database) {}

  /** Takes the lock; undefined where another run has it. */
  acquireThread(thread_id: string, run_id: string, user: string | null): Promise<LockRow | undefined> {
    return this.first(sql`
      UPDATE thread t SET thread_run = ${run_id}::uuid, thread_generating_for = ${user}::uuid, row_version = t.row_version + 1
      WHERE t.tenant_id = ${requireScope().tenant_id} AND t.thread_id = ${thread_id} AND t.thread_run IS NULL RETURNING ${ROW}`);
  }

  /** Locks the row until the unit of work ends; before the row of its run, which is the order of all who want both. */
  lockThread(thread_id: string): Promise<LockRow | undefined> {
    return this.first(
      sql`SELECT ${ROW} FROM thread t WHERE t.tenant_id = ${requireScope().tenant_id} AND t.thread_id = ${thread_id} FOR NO KEY UPDATE`,
    );
  }

  /** The same for the thread of a run, if it has one. */
  async holdOf(run_id: string): Promise<void> {
    const { tenant_id } = requireScope();
    await this.db.current().execute(sql`
      SELECT 1 FROM thread t
      WHERE t.tenant_id = ${tenant_id} AND t.thread_id = (SELECT r.run_thread FROM run r WHERE r.tenant_id = ${tenant_id} AND r.run_id = ${run_id}) FOR NO KEY UPDATE`);
  }

  /** The run has ended; the thread as it is now. */
  releaseThread(thread_id: string, run_id: string): Promise<LockRow | undefined> {
    return this.first(sql`
      UPDATE thread t SET thread_run = nullif(t.thread_run, ${run_id}::uuid),
        thread_generating_for = CASE WHEN t.thread_run = ${run_id}::uuid THEN NULL ELSE t.thread_generating_for END, thread_updated = now(), row_version = t.row_version + 1
      WHERE t.tenant_id = ${requireScope().tenant_id} AND t.thread_id = ${thread_id} RETURNING ${ROW}`);
  }

  /** Gives the thread a title, unless it has one. */
  async nameThread(thread_id: string, title: string): Promise<boolean> {
    const named = await this.db.current().execute(sql`
      UPDATE thread t SET thread_title = ${title}, row_version = t.row_version + 1
      WHERE t.tenant_id = ${requireScope().tenant_id} AND t.thread_id = ${thread_id} AND t.thread_title IS NULL AND t.thread_active`);
    return named > 0;
  }

  /** Keeps which prompt was run in the thread last. */
  async promptRun(thread_id: string, prompt_id: string): Promise<void> {
    await this.db
      .current()
      .execute(
        sql`UPDATE thread t SET thread_prompt = ${prompt_id}::uuid WHERE t.tenant_id = ${requireScope().tenant_id} AND t.thread_id = ${thread_id}`,
      );
  }

  /** Keeps the text of the subject as it was last read. */
  async saveContext(thread_id: string, text: string | null): Promise<void> {
    await this.db
      .current()
      .execute(
        sql`UPDATE thread t SET thread_context = ${text} WHERE t.tenant_id = ${requireScope().tenant_id} AND t.thread_id = ${thread_id} AND t.thread_context IS DISTINCT FROM ${text}`,
      );
  }

  private first(statement: ReturnType<typeof sql>): Promise<LockRow | undefined> {
    return this.db.current().first<LockRow & Record<string, unknown>>(statement);
  }
}

import { Injectable } from '@nestjs/common';
import type { DueRows, HeldRecord } from '@atrium/governance';
import { Database, requireScope, sql, type Sql } from '@atrium/platform/database';
import { HOLD_OF_THREAD } from '../../shared/thread-holds';
import { isActiveSpace } from './thread-shares';

/** Threads that are due or that a person leaves behind, and what is removed with a thread. */
@Injectable()
export class RemovedThreadRows {
  constructor(private readonly db: Database) {}

  async countDue(before: Date): Promise<DueRows> {
    const row = await this.db.current().first<DueRows & Record<string, unknown>>(sql`
      SELECT count(*) FILTER (WHERE d.hold IS NULL) AS rows, 0 AS bytes, count(*) FILTER (WHERE d.hold IS NOT NULL) AS held, min(d.thread_deleted) FILTER (WHERE d.hold IS NULL) AS oldest
      FROM (SELECT r.thread_deleted, ${HOLD_OF_THREAD} AS hold FROM thread r WHERE ${due(before)}) d`);
    return row ?? { rows: 0, bytes: 0, held: 0, oldest: null };
  }

  findHeld(before: Date, most: number): Promise<HeldRecord[]> {
    return this.db.current().query<HeldRecord & Record<string, unknown>>(sql`
      SELECT d.thread_id AS held_id, d.hold AS held_hold FROM (SELECT r.thread_id, r.thread_deleted, ${HOLD_OF_THREAD} AS hold FROM thread r WHERE ${due(before)}) d
      WHERE d.hold IS NOT NULL ORDER BY d.thread_deleted, d.thread_id LIMIT ${most}`);
  }

  async lockDue(before: Date, batch: number): Promise<string[]> {
    const rows = await this.db.current().query<{ thread_id: string }>(sql`
      SELECT r.thread_id FROM thread r WHERE ${due(before)} AND ${HOLD_OF_THREAD} IS NULL ORDER BY r.thread_deleted, r.thread_id LIMIT ${batch} FOR UPDATE OF r`);
    return rows.map(({ thread_id }) => thread_id);
  }

  /** Threads of the person that nobody else may read and nobody else has written in. */
  async lockUnshared(user_id: string, most: number): Promise<string[]> {
    const rows = await this.db.current().query<{ thread_id: string }>(sql`
      SELECT r.thread_id FROM thread r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.thread_user = ${user_id}::uuid AND ${HOLD_OF_THREAD} IS NULL
        AND NOT (r.thread_share_mode <> 'private' AND ${isActiveSpace(sql`r.thread_space`)})
        AND NOT EXISTS (SELECT FROM thread_grant g WHERE g.tenant_id = r.tenant_id AND g.thread_id = r.thread_id AND g.grant_to <> ${user_id}::uuid
          AND CASE g.grant_kind WHEN 'role' THEN true WHEN 'space' THEN ${isActiveSpace(sql`g.grant_to`)} ELSE EXISTS (SELECT FROM workspace_user u WHERE u.tenant_id = g.tenant_id AND u.user_id = g.grant_to AND u.user_status <> 'removed') END)
        AND NOT EXISTS (SELECT FROM message m WHERE m.tenant_id = r.tenant_id AND m.msg_thread = r.thread_id AND m.msg_user <> ${user_id}::uuid)
      ORDER BY r.thread_id LIMIT ${most} FOR UPDATE OF r`);
    return rows.map(({ thread_id }) => thread_id);
  }

  /** Those of the threads that have files of their own. */
  async filterOwningFiles(ids: readonly string[]): Promise<string[]> {
    const owning = await this.db.current().query<{ thread_id: string }>(sql`
      SELECT i.thread_id FROM unnest(${[...ids]}::uuid[]) AS i (thread_id) WHERE EXISTS (SELECT FROM file f WHERE f.tenant_id = ${requireScope().tenant_id} AND f.repo_key = 'thread:' || i.thread_id)`);
    return owning.map(({ thread_id }) => thread_id);
  }

  async deleteMessages(ids: readonly string[]): Promise<void> {
    await this.db
      .current()
      .execute(sql`DELETE FROM message WHERE tenant_id = ${requireScope().tenant_id} AND msg_thread = ANY(${[...ids]}::uuid[])`);
  }

  async deleteThreads(ids: readonly string[]): Promise<void> {
    await this.db
      .current()
      .execute(sql`DELETE FROM thread WHERE tenant_id = ${requireScope().tenant_id} AND thread_id = ANY(${[...ids]}::uuid[])`);
  }
}

const due = (before: Date): Sql => sql`r.tenant_id = ${requireScope().tenant_id} AND NOT r.thread_active AND r.thread_deleted < ${before}`;

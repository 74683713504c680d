import { Injectable, type OnModuleInit } from '@nestjs/common';
import { OwnedFiles } from '@atrium/files';
import { RetentionTargets, type DueRows, type KeptRow, type RemovedBatch } from '@atrium/governance';
import { Database, requireScope, sql, type Sql } from '@atrium/platform/database';

/** Deleted threads are kept for as long as the workspace says; then they go with their messages and runs, and their own files to the trash. */
@Injectable()
export class ThreadRetention implements OnModuleInit {
  constructor(
    private readonly db: Database,
    private readonly targets: RetentionTargets,
    private readonly files: OwnedFiles,
  ) {}

  onModuleInit(): void {
    this.targets.register({
      key: 'threads_inactive',
      count: (before) => this.count(before),
      held: (before, most) => this.held(before, most),
      purge: (before, batch) => this.purge(before, batch),
    });
  }

  private async count(before: Date): Promise<DueRows> {
    const row = await this.db.current().first<DueRows & Record<string, unknown>>(sql`
      SELECT count(*) FILTER (WHERE d.hold IS NULL) AS rows, 0 AS bytes, count(*) FILTER (WHERE d.hold IS NOT NULL) AS held, min(d.thread_deleted) FILTER (WHERE d.hold IS NULL) AS oldest
      FROM (SELECT r.thread_deleted, ${HOLD} AS hold FROM thread r WHERE ${due(before)}) d`);
    return row ?? { rows: 0, bytes: 0, held: 0, oldest: null };
  }

  private held(before: Date, most: number): Promise<KeptRow[]> {
    return this.db.current().query<KeptRow & Record<string, unknown>>(sql`
      SELECT d.thread_id AS held_id, d.hold AS held_hold FROM (SELECT r.thread_id, r.thread_deleted, ${HOLD} AS hold FROM thread r WHERE ${due(before)}) d
      WHERE d.hold IS NOT NULL ORDER BY d.thread_deleted, d.thread_id LIMIT ${most}`);
  }

  private async purge(before: Date, batch: number): Promise<RemovedBatch> {
    const { tenant_id } = requireScope();
    const tx = this.db.current();
    const rows = await tx.query<{ thread_id: string; has_files: boolean }>(sql`
      SELECT r.thread_id, EXISTS (SELECT FROM file f WHERE f.tenant_id = r.tenant_id AND f.repo_key = 'thread:' || r.thread_id) AS has_files
      FROM thread r WHERE ${due(before)} AND ${HOLD} IS NULL ORDER BY r.thread_deleted, r.thread_id LIMIT ${batch} FOR UPDATE OF r`);
    const ids = rows.map(({ thread_id }) => thread_id);
    if (ids.length === 0) return { removed: 0, bytes: 0, left: false };
    // Runs go with the messages and threads that they are of.
    await tx.execute(sql`DELETE FROM message WHERE tenant_id = ${tenant_id} AND msg_thread = ANY(${ids}::uuid[])`);
    await tx.execute(sql`DELETE FROM thread_presence WHERE tenant_id = ${tenant_id} AND thread_id = ANY(${ids}::uuid[])`);
    await tx.execute(sql`DELETE FROM thread WHERE tenant_id = ${tenant_id} AND thread_id = ANY(${ids}::uuid[])`);
    for (const { thread_id, has_files } of rows) if (has_files) await this.files.ownerDeleted({ type: 'thread', id: thread_id });
    return { removed: ids.length, bytes: 0, left: ids.length === batch };
  }
}

const due = (before: Date): Sql => sql`r.tenant_id = ${requireScope().tenant_id} AND NOT r.thread_active AND r.thread_deleted < ${before}`;

/** A hold in force on the thread, or on its owner. */
const HOLD = sql`(SELECT h.lh_id FROM legal_hold h WHERE h.tenant_id = r.tenant_id AND h.lh_released_at IS NULL
  AND ((h.lh_target_type = 'thread' AND h.lh_target_id = r.thread_id) OR (h.lh_target_type = 'user' AND h.lh_target_id = r.thread_user)) LIMIT 1)`;

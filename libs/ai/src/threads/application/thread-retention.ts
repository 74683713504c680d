import { Injectable, type OnModuleInit } from '@nestjs/common';
import { RetentionTargets, type DueRows, type HeldRecord, type RemovedBatch } from '@atrium/governance';
import { Database, requireScope, sql, type Sql } from '@atrium/platform/database';
import { HOLD_OF_THREAD } from '../../shared/thread-holds';
import { ThreadRemoval } from './thread-removal';

/** Deleted threads are kept for as long as the workspace says; then they go with their messages and runs, and their own files to the trash. */
@Injectable()
export class ThreadRetention implements OnModuleInit {
  constructor(
    private readonly db: Database,
    private readonly targets: RetentionTargets,
    private readonly removal: ThreadRemoval,
  ) {}

  onModuleInit(): void {
    this.targets.register({
      key: 'threads_inactive',
      countDue: (before) => this.count(before),
      findHeldRows: (before, most) => this.held(before, most),
      purgeBatch: (before, batch) => this.purge(before, batch),
    });
  }

  private async count(before: Date): Promise<DueRows> {
    const row = await this.db.current().first<DueRows & Record<string, unknown>>(sql`
      SELECT count(*) FILTER (WHERE d.hold IS NULL) AS rows, 0 AS bytes, count(*) FILTER (WHERE d.hold IS NOT NULL) AS held, min(d.thread_deleted) FILTER (WHERE d.hold IS NULL) AS oldest
      FROM (SELECT r.thread_deleted, ${HOLD_OF_THREAD} AS hold FROM thread r WHERE ${due(before)}) d`);
    return row ?? { rows: 0, bytes: 0, held: 0, oldest: null };
  }

  private held(before: Date, most: number): Promise<HeldRecord[]> {
    return this.db.current().query<HeldRecord & Record<string, unknown>>(sql`
      SELECT d.thread_id AS held_id, d.hold AS held_hold FROM (SELECT r.thread_id, r.thread_deleted, ${HOLD_OF_THREAD} AS hold FROM thread r WHERE ${due(before)}) d
      WHERE d.hold IS NOT NULL ORDER BY d.thread_deleted, d.thread_id LIMIT ${most}`);
  }

  private async purge(before: Date, batch: number): Promise<RemovedBatch> {
    const rows = await this.db.current().query<{ thread_id: string }>(sql`
      SELECT r.thread_id FROM thread r WHERE ${due(before)} AND ${HOLD_OF_THREAD} IS NULL ORDER BY r.thread_deleted, r.thread_id LIMIT ${batch} FOR UPDATE OF r`);
    const ids = rows.map(({ thread_id }) => thread_id);
    await this.removal.removeThreads(ids);
    return { removed: ids.length, bytes: 0, left: ids.length === batch };
  }
}

const due = (before: Date): Sql => sql`r.tenant_id = ${requireScope().tenant_id} AND NOT r.thread_active AND r.thread_deleted < ${before}`;

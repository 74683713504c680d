import { Injectable, type OnModuleInit } from '@nestjs/common';
import { RetentionTargets, type DueRows, type HeldRecord, type RemovedBatch } from '@atrium/governance';
import { Database, requireScope, sql, type Sql } from '@atrium/platform/database';
import { HOLD_OF_THREAD } from '../../shared/thread-holds';

/** Messages that were deleted from a thread that goes on: kept as long as deleted threads, then removed with their runs, the last of a branch first. */
@Injectable()
export class MessageRetention implements OnModuleInit {
  constructor(
    private readonly db: Database,
    private readonly targets: RetentionTargets,
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
      SELECT count(*) FILTER (WHERE d.hold IS NULL) AS rows, 0 AS bytes, count(*) FILTER (WHERE d.hold IS NOT NULL) AS held, min(d.msg_deleted) FILTER (WHERE d.hold IS NULL) AS oldest
      FROM (SELECT m.msg_deleted, ${HOLD_OF_THREAD} AS hold ${due(before)}) d`);
    return row ?? { rows: 0, bytes: 0, held: 0, oldest: null };
  }

  private held(before: Date, most: number): Promise<HeldRecord[]> {
    return this.db.current().query<HeldRecord & Record<string, unknown>>(sql`
      SELECT d.msg_id AS held_id, d.hold AS held_hold FROM (SELECT m.msg_id, m.msg_deleted, ${HOLD_OF_THREAD} AS hold ${due(before)}) d
      WHERE d.hold IS NOT NULL ORDER BY d.msg_deleted, d.msg_id LIMIT ${most}`);
  }

  /** What follows a deleted message is deleted with it or before, so that leaves alone are left in the end. */
  private async purge(before: Date, batch: number): Promise<RemovedBatch> {
    const { tenant_id } = requireScope();
    const removed = await this.db.current().execute(sql`
      DELETE FROM message d WHERE d.tenant_id = ${tenant_id} AND d.msg_id IN (
        SELECT m.msg_id ${due(before)} AND ${HOLD_OF_THREAD} IS NULL
          AND NOT EXISTS (SELECT FROM message c WHERE c.tenant_id = m.tenant_id AND c.msg_thread = m.msg_thread AND c.msg_parent = m.msg_id)
        ORDER BY m.msg_deleted, m.msg_id LIMIT ${batch})`);
    return { removed, bytes: 0, left: removed > 0 };
  }
}

/** Those of active threads; the others go with their threads. */
const due = (before: Date): Sql =>
  sql`FROM message m JOIN thread r ON r.tenant_id = m.tenant_id AND r.thread_id = m.msg_thread WHERE m.tenant_id = ${requireScope().tenant_id} AND NOT m.msg_active AND m.msg_deleted < ${before} AND r.thread_active`;

import { Injectable } from '@nestjs/common';
import type { DueRows, HeldRecord } from '@atrium/governance';
import { Database, requireScope, sql, type Sql } from '@atrium/platform/database';
import { HOLD_OF_THREAD } from '../../shared/thread-holds';

/** Deleted messages of active threads. */
@Injectable()
export class DueMessageRows {
  constructor(private readonly db: Database) {}

  async countDue(before: Date): Promise<DueRows> {
    const row = await this.db.current().first<DueRows & Record<string, unknown>>(sql`
      SELECT count(*) FILTER (WHERE d.hold IS NULL) AS rows, 0 AS bytes, count(*) FILTER (WHERE d.hold IS NOT NULL) AS held, min(d.msg_deleted) FILTER (WHERE d.hold IS NULL) AS oldest
      FROM (SELECT m.msg_deleted, ${HOLD_OF_THREAD} AS hold ${due(before)}) d`);
    return row ?? { rows: 0, bytes: 0, held: 0, oldest: null };
  }

  findHeld(before: Date, most: number): Promise<HeldRecord[]> {
    return this.db.current().query<HeldRecord & Record<string, unknown>>(sql`
      SELECT d.msg_id AS held_id, d.hold AS held_hold FROM (SELECT m.msg_id, m.msg_deleted, ${HOLD_OF_THREAD} AS hold ${due(before)}) d
      WHERE d.hold IS NOT NULL ORDER BY d.msg_deleted, d.msg_id LIMIT ${most}`);
  }

  /** Deletes messages that no other message follows; returns how many. */
  deleteLeaves(before: Date, batch: number): Promise<number> {
    const { tenant_id } = requireScope();
    return this.db.current().execute(sql`
      DELETE FROM message d WHERE d.tenant_id = ${tenant_id} AND d.msg_id IN (
        SELECT m.msg_id ${due(before)} AND ${HOLD_OF_THREAD} IS NULL
          AND NOT EXISTS (SELECT FROM message c WHERE c.tenant_id = m.tenant_id AND c.msg_thread = m.msg_thread AND c.msg_parent = m.msg_id)
        ORDER BY m.msg_deleted, m.msg_id LIMIT ${batch})`);
  }
}

/** Those of active threads; the others go with their threads. */
const due = (before: Date): Sql =>
  sql`FROM message m JOIN thread r ON r.tenant_id = m.tenant_id AND r.thread_id = m.msg_thread WHERE m.tenant_id = ${requireScope().tenant_id} AND NOT m.msg_active AND m.msg_deleted < ${before} AND r.thread_active`;

import { Injectable } from '@nestjs/common';
import { LegalHolds, type DueRows, type HeldRecord } from '@atrium/governance';
import { Database, requireScope, sql, type Sql } from '@atrium/platform/database';

/** What is left of spaces that were deleted. */
@Injectable()
export class DeletedSpaceRows {
  constructor(
    private readonly db: Database,
    private readonly holds: LegalHolds,
  ) {}

  /** Some threads of a space are their owners' alone from now on; how many were not before. */
  withdrawThreads(space_id: string, most: number): Promise<number> {
    return this.withdraw(sql`t.thread_space = ${space_id}`, most);
  }

  async countDue(before: Date): Promise<DueRows> {
    const row = await this.db.current().first<DueRows & Record<string, unknown>>(sql`
      SELECT count(*) FILTER (WHERE d.hold IS NULL) AS rows, 0 AS bytes, count(*) FILTER (WHERE d.hold IS NOT NULL) AS held, min(d.space_updated) FILTER (WHERE d.hold IS NULL) AS oldest
      FROM (SELECT s.space_updated, ${this.hold()} AS hold ${due(before)}) d`);
    return row ?? { rows: 0, bytes: 0, held: 0, oldest: null };
  }

  findHeld(before: Date, most: number): Promise<HeldRecord[]> {
    return this.db.current().query<HeldRecord & Record<string, unknown>>(sql`
      SELECT d.space_id AS held_id, d.hold AS held_hold FROM (SELECT s.space_id, s.space_updated, ${this.hold()} AS hold ${due(before)}) d
      WHERE d.hold IS NOT NULL ORDER BY d.space_updated, d.space_id LIMIT ${most}`);
  }

  /** Threads that still name a space that is due. */
  withdrawDue(before: Date, most: number): Promise<number> {
    return this.withdraw(sql`t.thread_space IN (SELECT s.space_id ${this.free(before)})`, most);
  }

  deleteMembers(before: Date, most: number): Promise<number> {
    const { tenant_id } = requireScope();
    return this.db.current().execute(sql`
      WITH gone AS MATERIALIZED (
        SELECT m.sm_space, m.sm_principal_type, m.sm_principal FROM space_member m
        WHERE m.tenant_id = ${tenant_id} AND m.sm_space IN (SELECT s.space_id ${this.free(before)}) LIMIT ${most})
      DELETE FROM space_member d USING gone g
      WHERE d.tenant_id = ${tenant_id} AND d.sm_space = g.sm_space AND d.sm_principal_type = g.sm_principal_type AND d.sm_principal = g.sm_principal`);
  }

  /** Those that no thread and no member names any more. */
  deleteSpaces(before: Date, most: number): Promise<number> {
    return this.db.current().execute(sql`
      DELETE FROM space d WHERE d.tenant_id = ${requireScope().tenant_id} AND d.space_id = ANY (ARRAY(
        SELECT s.space_id ${this.free(before)}
          AND NOT EXISTS (SELECT FROM space_member m WHERE m.tenant_id = s.tenant_id AND m.sm_space = s.space_id)
          AND NOT EXISTS (SELECT FROM thread t WHERE t.tenant_id = s.tenant_id AND t.thread_space = s.space_id)
        ORDER BY s.space_updated, s.space_id LIMIT ${most}))`);
  }

  private withdraw(which: Sql, most: number): Promise<number> {
    const { tenant_id } = requireScope();
    return this.db.current().execute(sql`
      UPDATE thread w SET thread_share_mode = 'private', thread_space = NULL, row_version = row_version + 1
      WHERE w.tenant_id = ${tenant_id} AND w.thread_id = ANY (ARRAY(SELECT t.thread_id FROM thread t WHERE t.tenant_id = ${tenant_id} AND ${which} LIMIT ${most} FOR UPDATE OF t))`);
  }

  private free(before: Date): Sql {
    return sql`${due(before)} AND ${this.hold()} IS NULL`;
  }

  private hold(): Sql {
    return this.holds.userHeldCondition(sql`s.space_user`);
  }
}

/** A deleted space is never changed again: that was when it was deleted. */
const due = (before: Date): Sql =>
  sql`FROM space s WHERE s.tenant_id = ${requireScope().tenant_id} AND NOT s.space_active AND s.space_updated < ${before}`;

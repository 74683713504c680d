import { Injectable } from '@nestjs/common';
import { liveHold } from '@atrium/governance';
import { Database, requireScope, sql, type Sql } from '@atrium/platform/database';

/** Deleted objects that may not be restored any more. */
@Injectable()
export class DeletedObjectRows {
  constructor(private readonly db: Database) {}

  /** How many were deleted before the moment, with and without a hold, and when the first of those without. */
  async countDue(
    before: Date,
  ): Promise<{ readonly rows: number; readonly bytes: number; readonly held: number; readonly oldest: string | null }> {
    const row = await this.db.current().first<{ rows: number; bytes: number; held: number; oldest: string | null }>(sql`
      SELECT count(*) FILTER (WHERE d.hold IS NULL) AS rows, 0 AS bytes, count(*) FILTER (WHERE d.hold IS NOT NULL) AS held, min(d.obj_deleted) FILTER (WHERE d.hold IS NULL) AS oldest
      FROM (SELECT r.obj_deleted, ${HOLD} AS hold FROM object r WHERE ${due(before)}) d`);
    return row ?? { rows: 0, bytes: 0, held: 0, oldest: null };
  }

  findHeldRows(before: Date, most: number): Promise<{ readonly held_id: string; readonly held_hold: string }[]> {
    return this.db.current().query<{ held_id: string; held_hold: string }>(sql`
      SELECT d.obj_id AS held_id, d.hold AS held_hold FROM (SELECT r.obj_id, r.obj_deleted, ${HOLD} AS hold FROM object r WHERE ${due(before)}) d
      WHERE d.hold IS NOT NULL ORDER BY d.obj_deleted, d.obj_id LIMIT ${most}`);
  }

  /** Those without a hold, those that were deleted first, at most so many. */
  async lockDue(before: Date, most: number): Promise<string[]> {
    const rows = await this.db.current().query<{ obj_id: string }>(sql`
      SELECT r.obj_id FROM object r WHERE ${due(before)} AND ${HOLD} IS NULL ORDER BY r.obj_deleted, r.obj_id LIMIT ${most} FOR UPDATE OF r`);
    return rows.map(({ obj_id }) => obj_id);
  }

  async deleteObjects(ids: readonly string[]): Promise<void> {
    await this.db
      .current()
      .execute(sql`DELETE FROM object WHERE tenant_id = ${requireScope().tenant_id} AND obj_id = ANY(${[...ids]}::uuid[])`);
  }
}

const due = (before: Date): Sql => sql`r.tenant_id = ${requireScope().tenant_id} AND NOT r.obj_active AND r.obj_deleted < ${before}`;

/** A hold in force on the author of the object. */
const HOLD = liveHold(sql`r.tenant_id`, [{ type: 'user', is: (id) => sql`${id} = r.obj_created_by` }]);

import { Injectable } from '@nestjs/common';
import type { DueRows, HeldRecord } from '@atrium/governance';
import { Database, requireScope, sql, type Sql } from '@atrium/platform/database';

/** A run that was deleted, and whether it has a stream of its own. */
export interface DeletedRun extends Record<string, unknown> {
  readonly run_id: string;
  readonly is_followed: boolean | null;
}

/** Runs without a thread: those that are due, and those of a person. `hold` is an expression over `r`: the hold that keeps the run, or null. */
@Injectable()
export class DueRunRows {
  constructor(private readonly db: Database) {}

  async countDue(before: Date, hold: Sql): Promise<DueRows> {
    const row = await this.db.current().first<DueRows & Record<string, unknown>>(sql`
      SELECT count(*) FILTER (WHERE d.hold IS NULL) AS rows, 0 AS bytes, count(*) FILTER (WHERE d.hold IS NOT NULL) AS held, min(d.run_finished) FILTER (WHERE d.hold IS NULL) AS oldest
      FROM (SELECT r.run_finished, ${hold} AS hold ${due(before)}) d`);
    return row ?? { rows: 0, bytes: 0, held: 0, oldest: null };
  }

  findHeld(before: Date, hold: Sql, most: number): Promise<HeldRecord[]> {
    return this.db.current().query<HeldRecord & Record<string, unknown>>(sql`
      SELECT d.run_id AS held_id, d.hold AS held_hold FROM (SELECT r.run_id, r.run_finished, ${hold} AS hold ${due(before)}) d
      WHERE d.hold IS NOT NULL ORDER BY d.run_finished, d.run_id LIMIT ${most}`);
  }

  deleteDue(before: Date, hold: Sql, batch: number): Promise<DeletedRun[]> {
    return this.delete(sql`SELECT r.run_id ${due(before)} AND ${hold} IS NULL ORDER BY r.run_finished, r.run_id LIMIT ${batch}`);
  }

  deleteOwn(user_id: string, hold: Sql, most: number): Promise<DeletedRun[]> {
    return this.delete(
      sql`SELECT r.run_id FROM run r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.run_user = ${user_id}::uuid AND r.run_thread IS NULL AND ${hold} IS NULL LIMIT ${most}`,
    );
  }

  /** Steps and calls go with them. */
  private delete(ids: Sql): Promise<DeletedRun[]> {
    return this.db
      .current()
      .query<DeletedRun>(
        sql`DELETE FROM run d WHERE d.tenant_id = ${requireScope().tenant_id} AND d.run_id IN (${ids}) RETURNING d.run_id, d.run_input @> '{"followed": true}' AS is_followed`,
      );
  }
}

const due = (before: Date): Sql =>
  sql`FROM run r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.run_thread IS NULL AND r.run_finished < ${before}`;

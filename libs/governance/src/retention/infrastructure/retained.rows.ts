import { Injectable } from '@nestjs/common';
import { Database, raw, requireScope, sql, type Sql } from '@atrium/platform/database';

/** Rows of one table that go after a time. `r` is the row in every expression. */
export interface RetainedTable {
  readonly table: string;
  readonly id: string;
  readonly at: string;
  /** Whether a row is due, its hold aside. */
  dueCondition(before: Date): Sql;
  /** The id of a hold that keeps a row, or null. */
  holdExpression(): Sql;
  /** Removes a batch of what is due and not held; answers how many as `removed`. */
  purgeStatement(before: Date, batch: number): Sql;
}

/** Counts, lists and removes rows that are due, in the unit of work at hand. */
@Injectable()
export class RetainedRows {
  constructor(private readonly db: Database) {}

  async countDue(
    kept: RetainedTable,
    before: Date,
  ): Promise<{ readonly rows: number; readonly held: number; readonly oldest: string | null }> {
    const counted = await this.db.current().first<{ rows: number; held: number; oldest: string | null }>(sql`
      SELECT count(*) FILTER (WHERE d.hold IS NULL) AS rows, count(*) FILTER (WHERE d.hold IS NOT NULL) AS held, min(d.at) FILTER (WHERE d.hold IS NULL) AS oldest
      FROM (${this.due(kept, before)}) d`);
    return counted ?? { rows: 0, held: 0, oldest: null };
  }

  findHeldRows(kept: RetainedTable, before: Date, most: number): Promise<{ held_id: string; held_hold: string }[]> {
    return this.db
      .current()
      .query(
        sql`SELECT d.id AS held_id, d.hold AS held_hold FROM (${this.due(kept, before)}) d WHERE d.hold IS NOT NULL ORDER BY d.at LIMIT ${most}`,
      );
  }

  async purgeBatch(kept: RetainedTable, before: Date, batch: number): Promise<number> {
    return (await this.db.current().first<{ removed: number }>(kept.purgeStatement(before, batch)))?.removed ?? 0;
  }

  private due(kept: RetainedTable, before: Date): Sql {
    const [table, id, at] = [kept.table, kept.id, kept.at].map((name) => raw(`"${name}"`));
    return sql`SELECT r.${id} AS id, r.${at} AS at, ${kept.holdExpression()} AS hold FROM ${table} r WHERE r.tenant_id = ${requireScope().tenant_id} AND ${kept.dueCondition(before)}`;
  }
}

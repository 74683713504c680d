import { Injectable } from '@nestjs/common';
import type { RowFaults, ImportOrder } from '@atrium/imports';
import { Database, requireScope, sql } from '@atrium/platform/database';
import type { JsonObject } from '@atrium/platform/kernel';
import { WorkEnded } from '@atrium/platform/messaging';

/** An import of objects as it is asked for. */
export interface ObjectImport extends ImportOrder {
  /** The schema of the objects. */
  readonly obj_form: string;
}

/** What became of rows. */
export interface ImportCounts {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly failed: number;
}

export interface ImportRow extends Record<string, unknown> {
  readonly imp_order: ObjectImport;
  /** The last row that is done. */
  readonly imp_row: number;
  readonly imp_total: number | null;
}

/** A fault as the result of the job names it. */
interface ShownFault extends Record<string, unknown> {
  readonly row: number;
  readonly column: string;
  readonly message: string;
}

/** Faults that are kept of one import; all of them are counted. */
const MOST_FAULTS = 1_000;
const LONGEST = 500;

/** Imports that run, each with its place and the faults of its rows. */
@Injectable()
export class ImportsOfJobs {
  constructor(private readonly db: Database) {}

  async insertImport(job_id: string, order: ObjectImport): Promise<void> {
    await this.db
      .current()
      .execute(
        sql`INSERT INTO object_import (tenant_id, job_id, imp_order) VALUES (${requireScope().tenant_id}, ${job_id}, ${JSON.stringify(order)}::jsonb)`,
      );
  }

  findImport(job_id: string): Promise<ImportRow | undefined> {
    return this.db.current().first<ImportRow>(sql`SELECT imp_order, imp_row, imp_total FROM object_import WHERE ${one(job_id)}`);
  }

  async setTotal(job_id: string, total: number): Promise<void> {
    await this.db.current().execute(sql`UPDATE object_import SET imp_total = ${total} WHERE ${one(job_id)}`);
  }

  /** Counts rows up to a place in. The step is undone where it does not begin at the place at which the import is. */
  async advanceImport(
    job_id: string,
    { from, to }: { readonly from: number; readonly to: number },
    counts: ImportCounts,
  ): Promise<ImportCounts> {
    const counted = await this.db.current().first<ImportCounts & Record<string, unknown>>(sql`
      UPDATE object_import SET imp_row = ${to}::integer, imp_created = imp_created + ${counts.created}::integer, imp_updated = imp_updated + ${counts.updated}::integer,
        imp_unchanged = imp_unchanged + ${counts.unchanged}::integer, imp_failed = imp_failed + ${counts.failed}::integer
      WHERE ${one(job_id)} AND imp_row = ${from}::integer
      RETURNING imp_created AS created, imp_updated AS updated, imp_unchanged AS unchanged, imp_failed AS failed`);
    if (!counted) throw new WorkEnded();
    return counted;
  }

  /** Keeps the first thousand faults. */
  async addFaults(job_id: string, rows: readonly RowFaults[]): Promise<void> {
    const lines = [...rows]
      .sort((one, other) => one.row - other.row)
      .flatMap(({ row, faults }) =>
        faults.map(({ path, message }, place) => ({ row, place, column: path.slice(0, LONGEST), message: message.slice(0, LONGEST) })),
      )
      .slice(0, MOST_FAULTS);
    if (lines.length === 0) return;
    await this.db.current().execute(sql`
      INSERT INTO object_import_fault (tenant_id, job_id, fault_row, fault_place, fault_column, fault_message)
      SELECT ${requireScope().tenant_id}::uuid, ${job_id}::uuid, f."row", f.place, f."column", f.message
      FROM jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) AS f ("row" integer, place integer, "column" text, message text)
      ORDER BY f."row", f.place LIMIT greatest(0, ${MOST_FAULTS} - (SELECT count(*) FROM object_import_fault WHERE ${one(job_id)}))
      ON CONFLICT DO NOTHING`);
  }

  /** The result of the job. */
  async readResult(job_id: string): Promise<JsonObject> {
    const tx = this.db.current();
    const counts = await tx.first<ImportCounts & Record<string, unknown>>(
      sql`SELECT imp_created AS created, imp_updated AS updated, imp_unchanged AS unchanged, imp_failed AS failed FROM object_import WHERE ${one(job_id)}`,
    );
    const errors = await tx.query<ShownFault>(
      sql`SELECT fault_row AS "row", fault_column AS "column", fault_message AS message FROM object_import_fault WHERE ${one(job_id)} ORDER BY fault_row, fault_place`,
    );
    return { ...counts, errors: errors.map(({ row, column, message }) => ({ row, column, message })) };
  }
}

const one = (job_id: string) => sql`tenant_id = ${requireScope().tenant_id} AND job_id = ${job_id}`;

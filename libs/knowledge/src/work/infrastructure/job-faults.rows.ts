import { Injectable } from '@nestjs/common';
import type { RowFaults } from '@atrium/imports';
import { Database, requireScope, sql } from '@atrium/platform/database';

export interface FaultRow extends Record<string, unknown> {
  readonly fault_row: number;
  readonly fault_place: number;
  readonly fault_field: string;
  readonly fault_code: string;
  readonly fault_reason: string;
}

const AT_ONCE = 1_000;
const LONGEST = 500;

/** Rows of imports that were not taken. */
@Injectable()
export class JobFaultRows {
  constructor(private readonly db: Database) {}

  /** Adds as many as there is room for; returns how many. */
  async addFaults(job_id: string, rows: readonly RowFaults[], room: number): Promise<number> {
    const lines = firstFaults(rows, room).flatMap(({ row, faults }) =>
      faults.map(({ path, code, message }, place) => ({
        row,
        place,
        field: path.slice(0, LONGEST),
        code,
        reason: message.slice(0, LONGEST),
      })),
    );
    if (lines.length === 0) return 0;
    await this.db.current().execute(sql`
      INSERT INTO knowledge_job_fault (tenant_id, job_id, fault_row, fault_place, fault_field, fault_code, fault_reason)
      SELECT ${requireScope().tenant_id}::uuid, ${job_id}::uuid, f."row", f.place, f.field, f.code, f.reason
      FROM jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) AS f ("row" integer, place integer, field text, code text, reason text)
      ON CONFLICT DO NOTHING`);
    return lines.length;
  }

  async countFaults(job_id: string): Promise<number> {
    const row = await this.db
      .current()
      .first<{ faults: number }>(
        sql`SELECT count(*)::integer AS faults FROM knowledge_job_fault WHERE tenant_id = ${requireScope().tenant_id} AND job_id = ${job_id}`,
      );
    return row?.faults ?? 0;
  }

  /** None of them is refused any more. */
  async removeAll(job_id: string): Promise<void> {
    await this.db
      .current()
      .execute(sql`DELETE FROM knowledge_job_fault WHERE tenant_id = ${requireScope().tenant_id} AND job_id = ${job_id}`);
  }

  /** Removes some of them; returns how many. */
  removeSome(job_ids: readonly string[], most: number): Promise<number> {
    return this.db.current().execute(sql`
      DELETE FROM knowledge_job_fault d USING (
        SELECT f.job_id, f.fault_row, f.fault_place FROM knowledge_job_fault f WHERE f.tenant_id = ${requireScope().tenant_id} AND f.job_id = ANY(${[...job_ids]}::uuid[]) LIMIT ${most}) x
      WHERE d.tenant_id = ${requireScope().tenant_id} AND d.job_id = x.job_id AND d.fault_row = x.fault_row AND d.fault_place = x.fault_place`);
  }

  /** All of them in the order of the file, a page at a time; `reached` is called before each page. */
  async *readFaults(job_id: string, reached: () => Promise<void>): AsyncGenerator<FaultRow, void> {
    for (let after: FaultRow | undefined; ;) {
      await reached();
      const page: FaultRow[] = await this.db.read((tx) =>
        tx.query<FaultRow>(sql`
          SELECT fault_row, fault_place, fault_field, fault_code, fault_reason FROM knowledge_job_fault
          WHERE tenant_id = ${requireScope().tenant_id} AND job_id = ${job_id} AND (fault_row, fault_place) > (${after?.fault_row ?? -1}, ${after?.fault_place ?? -1})
          ORDER BY fault_row, fault_place LIMIT ${AT_ONCE}`),
      );
      yield* page;
      after = page.at(-1);
      if (page.length < AT_ONCE) return;
    }
  }
}

/** Rows in the order of the file, up to so many faults. */
function firstFaults(rows: readonly RowFaults[], most: number): readonly RowFaults[] {
  const first: RowFaults[] = [];
  let room = most;
  for (const { row, faults } of [...rows].sort((one, other) => one.row - other.row)) {
    if (room <= 0) break;
    first.push({ row, faults: faults.slice(0, room) });
    room -= faults.length;
  }
  return first;
}

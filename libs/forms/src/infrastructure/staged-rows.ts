import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql, type Sql } from '@atrium/platform/database';
import type { StagedRow } from '../domain/staged-texts';

export interface StagedBytes {
  readonly job: number;
  readonly workspace: number;
}

/** Rows of imports that must not fail, as they were read of their files. They go when the job of the import ends. */
@Injectable()
export class StagedRows {
  constructor(private readonly db: Database) {}

  /** The last row of the job that is staged; 0 where none is. */
  async readLastRow(job_id: string): Promise<number> {
    const row = await this.db
      .current()
      .first<{ last: number }>(sql`SELECT coalesce(max(batch_row), 0) AS last FROM import_batch WHERE ${ofJob(job_id)}`);
    return row?.last ?? 0;
  }

  /** Bytes that are staged: of the job, and of all imports of the workspace. */
  async countBytes(job_id: string): Promise<StagedBytes> {
    const row = await this.db.current().first<{ job: number; workspace: number }>(sql`
      SELECT coalesce(sum(octet_length(batch_rows)) FILTER (WHERE job_id = ${job_id}), 0)::bigint AS job, coalesce(sum(octet_length(batch_rows)), 0)::bigint AS workspace
      FROM import_batch WHERE tenant_id = ${requireScope().tenant_id}`);
    return row ?? { job: 0, workspace: 0 };
  }

  /** Rows behind those that are staged: the last of them, and all as a list of JSON. */
  async addBatch(job_id: string, last: StagedRow, rows: string): Promise<void> {
    await this.db.current().execute(sql`
      INSERT INTO import_batch (tenant_id, job_id, batch_row, batch_rows) VALUES (${requireScope().tenant_id}, ${job_id}, ${last.number}, ${rows})
      ON CONFLICT DO NOTHING`);
  }

  /** The batches of the job one by one, in the open unit of work or each in one of its own. */
  async *readBatches<R extends StagedRow>(job_id: string): AsyncGenerator<readonly R[]> {
    for (let last = 0; ;) {
      const batch = await this.behind<R>(job_id, last);
      if (!batch) return;
      yield batch.rows;
      ({ last } = batch);
    }
  }

  /** Kept as text: what no column of JSON takes, such as a zero character, is a fault of its row alone. */
  private async behind<R>(job_id: string, last: number): Promise<{ readonly last: number; readonly rows: readonly R[] } | undefined> {
    const batch = await this.db.read((tx) =>
      tx.first<{ last: number; rows: string }>(
        sql`SELECT batch_row AS last, batch_rows AS rows FROM import_batch WHERE ${ofJob(job_id)} AND batch_row > ${last} ORDER BY batch_row LIMIT 1`,
      ),
    );
    return batch && { last: batch.last, rows: JSON.parse(batch.rows) as R[] };
  }
}

const ofJob = (job_id: string): Sql => sql`tenant_id = ${requireScope().tenant_id} AND job_id = ${job_id}`;

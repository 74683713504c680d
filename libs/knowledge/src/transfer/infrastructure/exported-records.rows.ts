import { Injectable } from '@nestjs/common';
import { Database, MAX_PAGE_BYTES, requireScope, RowBudget, sql } from '@atrium/platform/database';
import type { JsonObject } from '@atrium/platform/kernel';
import type { RecordStatus } from '../../records/domain/knowledge-record';

/** A record as it is exported. */
export interface ExportedRecord {
  readonly rec_id: string;
  readonly rec_created: string;
  readonly rec_external_id: string | null;
  readonly rec_name: string;
  readonly rec_url: string | null;
  readonly rec_tags: readonly string[];
  readonly rec_language: string | null;
  readonly rec_status: RecordStatus;
  readonly rec_valid_from: string | null;
  readonly rec_valid_until: string | null;
  readonly rec_metadata: JsonObject;
  readonly rec_content: JsonObject;
}

const AT_ONCE = 500;

/** The records of a base that are not deleted, published or not. */
@Injectable()
export class ExportedRecordRows {
  constructor(private readonly db: Database) {}

  /** Bytes that the contents of the records take in the database, where they may be compressed. Within a unit of work. */
  async countBytes(ds_id: string): Promise<number> {
    const row = await this.db.current().first<{ bytes: number }>(sql`
      SELECT coalesce(sum(pg_column_size(rec_content)::bigint + pg_column_size(rec_metadata)), 0)::bigint AS bytes FROM knowledge_record
      WHERE tenant_id = ${requireScope().tenant_id} AND rec_base = ${ds_id} AND rec_active`);
    return Number(row?.bytes ?? 0);
  }

  /** Some behind a record, oldest first: as many as a page of a list has room for, and one in any case; none behind the last one. Within a unit of work. */
  listRecords(ds_id: string, after: ExportedRecord | undefined): Promise<readonly ExportedRecord[]> {
    const behind = after ? sql`AND (rec_created, rec_id) > (${after.rec_created}::timestamptz, ${after.rec_id}::uuid)` : sql``;
    const page = sql`
      SELECT rec_id, rec_created, rec_external_id, rec_name, rec_url, rec_tags, rec_language, rec_status, rec_valid_from, rec_valid_until, rec_metadata, rec_content FROM knowledge_record
      WHERE tenant_id = ${requireScope().tenant_id} AND rec_base = ${ds_id} AND rec_active ${behind} ORDER BY rec_created, rec_id LIMIT ${AT_ONCE}`;
    return this.db.current().query<ExportedRecord & Record<string, unknown>>(page, [], new RowBudget(AT_ONCE, MAX_PAGE_BYTES));
  }
}

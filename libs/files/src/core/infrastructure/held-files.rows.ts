import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql, type Sql } from '@atrium/platform/database';

/** Files that another context keeps as they are until its unit of work ends. Rows are locked in the order of their ids. */
@Injectable()
export class HeldFiles {
  constructor(private readonly db: Database) {}

  /** Waits for releases under way, and lets none begin. */
  async lockFiles(ids: readonly string[]): Promise<void> {
    await this.db
      .current()
      .query(
        sql`SELECT 1 FROM file WHERE tenant_id = ${requireScope().tenant_id} AND file_id = ANY(${[...ids]}::uuid[]) ORDER BY file_id FOR NO KEY UPDATE`,
      );
  }

  /** Of the ids the live files outside of quarantine that fulfil a condition on `r`, a row of `file`; they are not removed in the meantime. */
  async lockUsable(ids: readonly string[], condition: Sql): Promise<ReadonlySet<string>> {
    const rows = await this.db.current().query<{ file_id: string }>(sql`
      SELECT r.file_id FROM file r
      WHERE r.tenant_id = ${requireScope().tenant_id} AND r.file_id = ANY(${[...ids]}::uuid[]) AND r.file_deleted IS NULL AND r.file_processing <> 'quarantined'
        AND ${condition}
      ORDER BY r.file_id FOR KEY SHARE OF r`);
    return new Set(rows.map(({ file_id }) => file_id));
  }

  /** Some live files of a repository that have the status, for a change of it. */
  async lockInStatus(repo_key: string, status: string, most: number): Promise<string[]> {
    const rows = await this.db.current().query<{ file_id: string }>(sql`
      SELECT file_id FROM file WHERE tenant_id = ${requireScope().tenant_id} AND repo_key = ${repo_key} AND file_deleted IS NULL AND file_status = ${status} ORDER BY file_id LIMIT ${most} FOR UPDATE`);
    return rows.map(({ file_id }) => file_id);
  }

  /** Nothing of the files changes in the meantime. */
  async lockUnchanged(ids: readonly string[]): Promise<void> {
    await this.db
      .current()
      .query(
        sql`SELECT 1 FROM file WHERE tenant_id = ${requireScope().tenant_id} AND file_id = ANY(${[...ids]}::uuid[]) ORDER BY file_id FOR SHARE`,
      );
  }

  /** What distinguishes the content of a live file from another: its hash, before it was read the id of its version. */
  async readContentKey(file_id: string): Promise<string | null> {
    const row = await this.db
      .current()
      .first<{ key: string | null }>(
        sql`SELECT coalesce(file_hash, file_current_version::text) AS key FROM file WHERE tenant_id = ${requireScope().tenant_id} AND file_id = ${file_id} AND file_deleted IS NULL`,
      );
    return row?.key ?? null;
  }

  /** The same of a file in the trash too, which is not removed in the meantime. */
  lockContentKey(file_id: string): Promise<{ readonly key: string; readonly hidden: boolean } | undefined> {
    return this.db
      .current()
      .first(
        sql`SELECT coalesce(file_hash, file_current_version::text) AS key, file_deleted IS NOT NULL AS hidden FROM file WHERE tenant_id = ${requireScope().tenant_id} AND file_id = ${file_id} FOR KEY SHARE`,
      );
  }
}

import { Injectable } from '@nestjs/common';
import { LegalHolds, type DueRows, type HeldRecord } from '@atrium/governance';
import { Database, requireScope, sql, type Sql } from '@atrium/platform/database';
import type { File } from '../../core/domain/file';

/** A file in the trash, and since when. */
export interface DeletedFile {
  readonly file_id: string;
  readonly file_deleted: string;
}

/**
 * Files as the trash moves them, many at once: written with one statement.
 */
@Injectable()
export class TrashRows {
  constructor(
    private readonly db: Database,
    private readonly holds: LegalHolds,
  ) {}

  /** Writes what trashing and restoring change. */
  async saveFiles(files: readonly File[]): Promise<void> {
    if (files.length === 0) return;
    const rows = files.map(({ file_id, file_deleted, file_deleted_by, file_purge_at, file_updated }) => ({
      file_id,
      file_deleted,
      file_deleted_by,
      file_purge_at,
      file_updated,
    }));
    await this.db.current().execute(sql`
      UPDATE file f SET file_deleted = n.file_deleted, file_deleted_by = n.file_deleted_by, file_purge_at = n.file_purge_at, file_updated = n.file_updated, row_version = f.row_version + 1
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS n (file_id uuid, file_deleted timestamptz, file_deleted_by uuid, file_purge_at timestamptz, file_updated timestamptz)
      WHERE f.tenant_id = ${requireScope().tenant_id} AND f.file_id = n.file_id`);
  }

  /** Deleted until then; a condition on `r`, a row of `file`, says in which repositories. */
  async countDeleted(until: Date, scope: Sql): Promise<number> {
    const row = await this.db
      .current()
      .first<{ count: number }>(
        sql`SELECT count(*) FROM file r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.file_deleted <= ${until} AND ${scope}`,
      );
    return row?.count ?? 0;
  }

  /** In the order in which they were deleted. */
  findDeleted(until: string, { behind, scope }: { readonly behind: Sql; readonly scope: Sql }, most: number): Promise<DeletedFile[]> {
    return this.db.current().query<DeletedFile>(sql`
      SELECT r.file_id, r.file_deleted FROM file r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.file_deleted <= ${until}::timestamptz ${behind} AND ${scope}
      ORDER BY r.file_deleted, r.file_id LIMIT ${most}`);
  }

  /** The next files of a repository that fulfil a condition on `file`, in the order of their ids. */
  async findOwnedFiles(
    repo_key: string,
    condition: Sql,
    { after, most }: { readonly after: string; readonly most: number },
  ): Promise<string[]> {
    const files = await this.db.current().query<{ file_id: string }>(sql`
      SELECT file_id FROM file WHERE tenant_id = ${requireScope().tenant_id} AND repo_key = ${repo_key} AND ${condition} AND file_id > ${after}::uuid ORDER BY file_id LIMIT ${most}`);
    return files.map(({ file_id }) => file_id);
  }

  /** Those of the repositories that have a file which fulfils a condition on `file`. */
  async findOwningRepositories(repo_keys: readonly string[], condition: Sql): Promise<string[]> {
    const rows = await this.db
      .current()
      .query<{ repo_key: string }>(
        sql`SELECT DISTINCT repo_key FROM file WHERE tenant_id = ${requireScope().tenant_id} AND repo_key = ANY(${[...repo_keys]}::text[]) AND ${condition} ORDER BY repo_key`,
      );
    return rows.map(({ repo_key }) => repo_key);
  }

  /** Files whose day has come, with the bytes of all their versions. */
  async countDue(now: Date): Promise<DueRows> {
    const { tenant_id } = requireScope();
    const counted = await this.db.current().first<DueRows & Record<string, unknown>>(sql`
      SELECT count(*) FILTER (WHERE d.hold IS NULL) AS rows, coalesce(sum(d.bytes) FILTER (WHERE d.hold IS NULL), 0)::bigint AS bytes,
             count(*) FILTER (WHERE d.hold IS NOT NULL) AS held, min(d.file_deleted) FILTER (WHERE d.hold IS NULL) AS oldest
      FROM (SELECT f.file_deleted, ${this.hold()} AS hold, (SELECT sum(v.fv_size) FROM file_version v WHERE v.tenant_id = ${tenant_id} AND v.fv_file = f.file_id) AS bytes FROM file f WHERE ${due(now)}) d`);
    return counted ?? { rows: 0, bytes: 0, held: 0, oldest: null };
  }

  findHeldRows(now: Date, most: number): Promise<HeldRecord[]> {
    return this.db.current().query(sql`
      SELECT d.file_id AS held_id, d.hold AS held_hold FROM (SELECT f.file_id, f.file_purge_at, ${this.hold()} AS hold FROM file f WHERE ${due(now)}) d
      WHERE d.hold IS NOT NULL ORDER BY d.file_purge_at LIMIT ${most}`);
  }

  /** Files whose day has come and that nothing holds. */
  async findDueFiles(now: Date, most: number): Promise<string[]> {
    const rows = await this.db
      .current()
      .query<{ file_id: string }>(
        sql`SELECT f.file_id FROM file f WHERE ${due(now)} AND ${this.holds.freeFile(sql`f.file_id`)} ORDER BY f.file_purge_at LIMIT ${most}`,
      );
    return rows.map(({ file_id }) => file_id);
  }

  /** Removes the rows for good, versions with them; answers the blobs they referred to, one for every version, with their sizes. */
  async deleteFiles(ids: readonly string[]): Promise<{ fv_blob: string; fv_size: number }[]> {
    const tenant = requireScope().tenant_id;
    const tx = this.db.current();
    const versions = await tx.query<{ fv_blob: string; fv_size: number }>(
      sql`SELECT fv_blob, fv_size FROM file_version WHERE tenant_id = ${tenant} AND fv_file = ANY(${[...ids]}::uuid[])`,
    );
    await tx.execute(sql`DELETE FROM file WHERE tenant_id = ${tenant} AND file_id = ANY(${[...ids]}::uuid[])`);
    return versions;
  }

  /** Whether a file of this id once was and was removed for good. */
  async isPurged(file_id: string): Promise<boolean> {
    const rows = await this.db
      .current()
      .query(
        sql`SELECT 1 FROM file_history WHERE tenant_id = ${requireScope().tenant_id} AND fh_file = ${file_id} AND fh_action = 'purged' LIMIT 1`,
      );
    return rows.length > 0;
  }

  private hold(): Sql {
    return this.holds.fileHeldCondition(sql`f.file_id`);
  }
}

const due = (now: Date): Sql => sql`f.tenant_id = ${requireScope().tenant_id} AND f.file_purge_at <= ${now}`;

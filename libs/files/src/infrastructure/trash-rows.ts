import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql } from '@atrium/platform/database';
import type { File } from '../domain/file';

/**
 * Files as the trash moves them, many at once: written with one statement.
 */
@Injectable()
export class TrashRows {
  constructor(private readonly db: Database) {}

  /** Writes what trashing and restoring change. */
  async save(files: readonly File[]): Promise<void> {
    if (files.length === 0) return;
    const rows = files.map(({ file_id, file_deleted, file_deleted_by, file_purge_at, file_updated }) => ({ file_id, file_deleted, file_deleted_by, file_purge_at, file_updated }));
    await this.db.current().execute(sql`
      UPDATE file f SET file_deleted = n.file_deleted, file_deleted_by = n.file_deleted_by, file_purge_at = n.file_purge_at, file_updated = n.file_updated, row_version = f.row_version + 1
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS n (file_id uuid, file_deleted timestamptz, file_deleted_by uuid, file_purge_at timestamptz, file_updated timestamptz)
      WHERE f.tenant_id = ${requireScope().tenant_id} AND f.file_id = n.file_id`);
  }

  /** Removes the rows for good, versions with them; answers the blobs they referred to, one for every version. */
  async remove(ids: readonly string[]): Promise<string[]> {
    const tenant = requireScope().tenant_id;
    const tx = this.db.current();
    const versions = await tx.query<{ fv_blob: string }>(sql`SELECT fv_blob FROM file_version WHERE tenant_id = ${tenant} AND fv_file = ANY(${[...ids]}::uuid[])`);
    await tx.execute(sql`DELETE FROM file WHERE tenant_id = ${tenant} AND file_id = ANY(${[...ids]}::uuid[])`);
    return versions.map((version) => version.fv_blob);
  }

  /** Whether a file of this id once was and was removed for good. */
  async wasPurged(file_id: string): Promise<boolean> {
    const rows = await this.db.current().query(sql`SELECT 1 FROM file_history WHERE tenant_id = ${requireScope().tenant_id} AND fh_file = ${file_id} AND fh_action = 'purged' LIMIT 1`);
    return rows.length > 0;
  }
}

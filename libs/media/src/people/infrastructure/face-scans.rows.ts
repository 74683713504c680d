import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql, type Sql } from '@atrium/platform/database';

/** What came of looking for faces in a file. */
export interface FaceScan {
  readonly file_id: string;
  readonly hash: string;
  readonly model: string;
  readonly faces: number;
}

/** Which content of which files faces were looked for in, and which pictures are next. */
@Injectable()
export class FaceScanRows {
  constructor(private readonly db: Database) {}

  /** Whether faces were looked for in this content of the file. */
  async hasScan(file_id: string, hash: string): Promise<boolean> {
    const row = await this.db
      .current()
      .first(
        sql`SELECT 1 AS known FROM face_scan WHERE tenant_id = ${requireScope().tenant_id} AND fs_file = ${file_id} AND fs_hash = ${hash}`,
      );
    return row !== undefined;
  }

  /** When faces were last looked for in the file; null: never. */
  async findScanTime(file_id: string): Promise<string | null> {
    const row = await this.db
      .current()
      .first<{ looked: string }>(
        sql`SELECT fs_updated::text AS looked FROM face_scan WHERE tenant_id = ${requireScope().tenant_id} AND fs_file = ${file_id}`,
      );
    return row?.looked ?? null;
  }

  async saveScan({ file_id, hash, model, faces }: FaceScan): Promise<void> {
    await this.db.current().execute(sql`
        INSERT INTO face_scan (tenant_id, fs_file, fs_hash, fs_model, fs_faces) VALUES (${requireScope().tenant_id}::uuid, ${file_id}::uuid, ${hash}, ${model}, ${faces})
        ON CONFLICT (tenant_id, fs_file) DO UPDATE SET fs_hash = excluded.fs_hash, fs_model = excluded.fs_model, fs_faces = excluded.fs_faces, fs_updated = now()`);
  }

  /** All of the workspace. */
  async deleteScans(): Promise<void> {
    await this.db.current().execute(sql`DELETE FROM face_scan WHERE tenant_id = ${requireScope().tenant_id}`);
  }

  /** Some of the pictures that the condition on `r`, which knows its tenant, lets through, behind one of them in the order of their ids. */
  async findPictures(visible: Sql, after: string | null, most: number): Promise<string[]> {
    const rows = await this.db.current().query<{ file_id: string }>(sql`
        SELECT r.file_id FROM file r WHERE ${visible} AND r.file_kind = 'image' AND (${after}::uuid IS NULL OR r.file_id > ${after}::uuid) ORDER BY r.file_id LIMIT ${most}`);
    return rows.map(({ file_id }) => file_id);
  }
}

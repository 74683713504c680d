import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql } from '@atrium/platform/database';
import type { File } from '../core/domain/file';

/** Files that change their repository, however many with one statement. */
@Injectable()
export class MovedFileRows {
  constructor(private readonly db: Database) {}

  async saveMoves(files: readonly File[]): Promise<void> {
    const rows = files.map(({ file_id, file_repo, repo_type, repo_id, file_status, file_updated }) => ({
      file_id,
      file_repo,
      repo_type,
      repo_id,
      file_status,
      file_updated,
    }));
    await this.db.current().execute(sql`
      UPDATE file f SET file_repo = n.file_repo, repo_type = n.repo_type, repo_id = n.repo_id, file_status = n.file_status, file_updated = n.file_updated, row_version = f.row_version + 1
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS n (file_id uuid, file_repo jsonb, repo_type text, repo_id uuid, file_status text, file_updated timestamptz)
      WHERE f.tenant_id = ${requireScope().tenant_id} AND f.file_id = n.file_id`);
  }
}

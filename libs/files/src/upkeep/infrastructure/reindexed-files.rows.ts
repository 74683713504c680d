import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql, type Sql } from '@atrium/platform/database';
import type { RepoType } from '../../core/domain/repositories';

/** A file of a batch, and where it is in the order of the batches. */
export interface ReindexedFile {
  readonly file_id: string;
  readonly fv_id: string;
  readonly file_created: string;
}

/** Live files of which something is to be made again. */
@Injectable()
export class ReindexedFileRows {
  constructor(private readonly db: Database) {}

  /** In the order in which they were added; the conditions on `r`, a row of `file`, say which, and behind which. */
  findBatch(repo_key: string, { readable, rest }: { readonly readable: Sql; readonly rest: Sql }, most: number): Promise<ReindexedFile[]> {
    return this.db.current().query<ReindexedFile>(sql`
      SELECT r.file_id, r.file_current_version AS fv_id, r.file_created FROM file r
      WHERE r.tenant_id = ${requireScope().tenant_id} AND r.repo_key = ${repo_key} AND r.file_deleted IS NULL AND ${readable} ${rest}
      ORDER BY r.file_created, r.file_id LIMIT ${most}`);
  }

  findRepository(file_id: string | null): Promise<{ readonly repo_type: RepoType; readonly repo_id: string | null } | undefined> {
    return this.db
      .current()
      .first<{ repo_type: RepoType; repo_id: string | null }>(
        sql`SELECT repo_type, repo_id FROM file WHERE tenant_id = ${requireScope().tenant_id} AND file_id = ${file_id}::uuid AND file_deleted IS NULL`,
      );
  }

  /** Of the ids those of files of the repository. */
  async filterFiles(repo_key: string, ids: readonly string[]): Promise<string[]> {
    const rows = await this.db
      .current()
      .query<{ file_id: string }>(
        sql`SELECT file_id FROM file WHERE tenant_id = ${requireScope().tenant_id} AND repo_key = ${repo_key} AND file_deleted IS NULL AND file_id = ANY(${[...ids]}::uuid[])`,
      );
    return rows.map(({ file_id }) => file_id);
  }

  async countFiles(repo_key: string, readable: Sql): Promise<number> {
    const row = await this.db
      .current()
      .first<{ count: number }>(
        sql`SELECT count(*) FROM file r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.repo_key = ${repo_key} AND r.file_deleted IS NULL AND ${readable}`,
      );
    return row?.count ?? 0;
  }
}

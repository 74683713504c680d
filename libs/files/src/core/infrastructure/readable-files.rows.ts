import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql, type Sql } from '@atrium/platform/database';

/** A file as other contexts name it. */
export interface NamedFile {
  readonly file_id: string;
  readonly file_name: string;
  readonly file_type: string;
}

/** A file that a field of a form refers to. */
export interface ReferredFile {
  readonly file_id: string;
  readonly file_kind: string;
  readonly file_size: number | null;
}

/** A file with its bytes, for the export of a person's data. */
export interface ExportedFile {
  readonly file_id: string;
  readonly file_name: string;
  readonly file_type: string;
  readonly file_size: number;
  readonly file_updated: string;
  readonly blob_key: string;
}

/** Files for contexts that read them on behalf of a person. Who may read which is a condition on `r`, a row of `file`, and handed in. */
@Injectable()
export class ReadableFileRows {
  constructor(private readonly db: Database) {}

  /** Live files outside of quarantine; order, limit and locks follow the condition. */
  findUsableFiles(where: Sql): Promise<NamedFile[]> {
    return this.db.current().query<NamedFile>(sql`
      SELECT r.file_id, r.file_name, r.file_type FROM file r
      WHERE r.tenant_id = ${requireScope().tenant_id} AND r.file_deleted IS NULL AND r.file_processing <> 'quarantined' AND ${where}`);
  }

  /** The live files among the ids. */
  findLiveFiles(ids: readonly string[], readable: Sql): Promise<NamedFile[]> {
    return this.db.current().query<NamedFile>(sql`
      SELECT r.file_id, r.file_name, r.file_type FROM file r
          WHERE r.tenant_id = ${requireScope().tenant_id} AND r.file_id = ANY(${[...ids]}::uuid[]) AND r.file_deleted IS NULL AND ${readable}`);
  }

  /** Those of the ids, in the trash too. */
  async filterReadable(ids: readonly string[], readable: Sql): Promise<ReadonlySet<string>> {
    const rows = await this.db
      .current()
      .query<{ file_id: string }>(
        sql`SELECT r.file_id FROM file r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.file_id = ANY(${[...ids]}::uuid[]) AND ${readable}`,
      );
    return new Set(rows.map(({ file_id }) => file_id));
  }

  /** Those of the ids that a query of ids of files `r` answers. */
  async filterChosen(chosen: Sql, ids: readonly string[]): Promise<Set<string>> {
    const rows = await this.db.current().query<{ file_id: string }>(sql`${chosen} AND r.file_id = ANY(${[...ids]}::uuid[])`);
    return new Set(rows.map(({ file_id }) => file_id));
  }

  /** The live files outside of quarantine among the ids. */
  findReferredFiles(ids: readonly string[], readable: Sql): Promise<ReferredFile[]> {
    return this.db
      .current()
      .query<ReferredFile>(
        sql`SELECT r.file_id, r.file_kind, r.file_size FROM file r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.file_id = ANY(${[...ids]}::uuid[]) AND r.file_deleted IS NULL AND r.file_processing <> 'quarantined' AND ${readable}`,
      );
  }

  /** The condition names the workspace. */
  async countFiles(where: Sql): Promise<number> {
    const row = await this.db.current().first<{ count: number }>(sql`SELECT count(*) AS count FROM file r WHERE ${where}`);
    return row?.count ?? 0;
  }

  /** The next ones in the order of their ids; the condition names the workspace. */
  findExportedFiles(where: Sql, after: string | null, most: number): Promise<ExportedFile[]> {
    return this.db.current().query<ExportedFile>(sql`
      SELECT r.file_id, r.file_name, r.file_type, r.file_size, r.file_updated, b.blob_key FROM file r JOIN file_blob b ON b.tenant_id = r.tenant_id AND b.blob_id = r.file_blob
      WHERE ${where} AND (${after}::uuid IS NULL OR r.file_id > ${after}::uuid) ORDER BY r.file_id LIMIT ${most}`);
  }
}

import { Injectable } from '@nestjs/common';
import { Database, empty, requireScope, ResourceRepository, sql } from '@atrium/platform/database';
import { File } from '../domain/file';
import type { OwnedRow } from '../domain/file-row';

/** A file and its current bytes, as the context that publishes them needs them. */
export interface ReleasableFile extends OwnedRow {
  readonly file_name: string;
  readonly file_processing: string;
  /** Number of the current version. */
  readonly file_version: number;
  readonly file_type: string;
  readonly file_size: number;
  /** SHA-256; null until the bytes were read. */
  readonly file_hash: string | null;
}

/** The same of several files, with how large their pictures are. */
export interface ShownFile extends ReleasableFile {
  readonly file_width: number | null;
  readonly file_height: number | null;
  readonly is_trashed: boolean;
}

/** Files as aggregates, for changing them, and the statements that need none. Lists and views have statements of their own. */
@Injectable()
export class FilesRepository extends ResourceRepository<File> {
  constructor(db: Database) {
    super(db, File, 'file');
  }

  /** Whether there is a row, in the trash too. */
  async hasFile(id: string): Promise<boolean> {
    return (
      (await this.db.current().first(sql`SELECT 1 FROM file WHERE tenant_id = ${requireScope().tenant_id} AND file_id = ${id}::uuid`)) !==
      undefined
    );
  }

  /** Where a file is, in the trash too. */
  findOwnedRow(id: string): Promise<OwnedRow | undefined> {
    return this.db
      .current()
      .first<OwnedRow>(
        sql`SELECT r.file_id, r.repo_type, r.repo_id FROM file r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.file_id = ${id}`,
      );
  }

  /** The same with its name; its row is locked. */
  lockNamedRow(id: string): Promise<(OwnedRow & { readonly file_name: string }) | undefined> {
    return this.db
      .current()
      .first<OwnedRow & { readonly file_name: string }>(
        sql`SELECT file_id, repo_type, repo_id, file_name FROM file WHERE tenant_id = ${requireScope().tenant_id} AND file_id = ${id} FOR UPDATE`,
      );
  }

  /** What a file shows now, in the trash too; its row stays so until the unit of work ends. */
  lockReleasable(id: string): Promise<(ReleasableFile & { readonly is_trashed: boolean }) | undefined> {
    return this.db.current().first<ReleasableFile & { readonly is_trashed: boolean }>(sql`
      SELECT f.file_id, f.file_name, f.repo_type, f.repo_id, f.file_processing, f.file_version, f.file_type, f.file_size, f.file_hash, f.file_deleted IS NOT NULL AS is_trashed
      FROM file f WHERE f.tenant_id = ${requireScope().tenant_id} AND f.file_id = ${id} FOR SHARE OF f`);
  }

  /** The same of several files, in the order of their ids; locked unless they are only read. */
  findAllReleasable(ids: readonly string[], { lock }: { readonly lock: boolean }): Promise<readonly ShownFile[]> {
    return this.db.current().query<ShownFile & Record<string, unknown>>(sql`
      SELECT f.file_id, f.file_name, f.repo_type, f.repo_id, f.file_processing, f.file_version, f.file_type, f.file_size, f.file_hash, f.file_width, f.file_height, f.file_deleted IS NOT NULL AS is_trashed
      FROM file f WHERE f.tenant_id = ${requireScope().tenant_id} AND f.file_id = ANY(${[...ids]}::uuid[]) ORDER BY f.file_id ${lock ? sql`FOR SHARE OF f` : empty}`);
  }

  async touchFiles(ids: readonly string[], now: Date): Promise<void> {
    await this.db
      .current()
      .execute(
        sql`UPDATE file SET file_updated = ${now}, row_version = row_version + 1 WHERE tenant_id = ${requireScope().tenant_id} AND file_id = ANY(${[...ids]}::uuid[])`,
      );
  }

  async setStatus(ids: readonly string[], file_status: string, now: Date): Promise<void> {
    await this.db
      .current()
      .execute(
        sql`UPDATE file SET file_status = ${file_status}, file_updated = ${now}, row_version = row_version + 1 WHERE tenant_id = ${requireScope().tenant_id} AND file_id = ANY(${[...ids]}::uuid[])`,
      );
  }
}

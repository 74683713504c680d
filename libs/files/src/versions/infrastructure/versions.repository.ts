import { Injectable } from '@nestjs/common';
import { columnsOf, Database, requireScope, ResourceRepository, sql, type Precondition, type Sql } from '@atrium/platform/database';
import { notFound } from '@atrium/platform/kernel';
import type { File } from '../../core/domain/file';
import { FileVersion, type VersionRow } from '../domain/file-version';

type RemovedVersion = Pick<
  FileVersion,
  'fv_id' | 'fv_number' | 'fv_blob' | 'fv_type' | 'fv_size' | 'fv_replicas' | 'fv_rendition_bytes' | 'fv_provider' | 'fv_created_by'
>;

/** A condition on a version `v`: something shows its bytes as they are. */
export const isPinned = (): Sql =>
  sql`EXISTS (SELECT FROM file_pin p WHERE p.tenant_id = ${requireScope().tenant_id} AND p.file_id = v.fv_file AND p.pin_hash = v.fv_hash)`;

/** Versions as aggregates, and the statements that thin them out. */
@Injectable()
export class VersionsRepository extends ResourceRepository<FileVersion> {
  constructor(db: Database) {
    super(db, FileVersion, 'version');
  }

  /** The version, locked, if it is one of the file. */
  lockOf(file_id: string, fv_id: string, precondition?: Precondition): Promise<FileVersion> {
    return this.lock(fv_id, precondition, (version) => {
      if (version.fv_file !== file_id) throw notFound('version');
    });
  }

  /** The version if it is one of the file; columns besides and a join are over `r`, its row. */
  findShownVersion(
    file_id: string,
    fv_id: string,
    { besides, joined }: { readonly besides: Sql; readonly joined: Sql },
  ): Promise<VersionRow | undefined> {
    return this.db.current().first<VersionRow>(sql`
      SELECT ${columnsOf(FileVersion)}, r.row_version, ${besides} FROM file_version r ${joined}
      WHERE r.tenant_id = ${requireScope().tenant_id} AND r.fv_id = ${fv_id} AND r.fv_file = ${file_id}`);
  }

  /** The number of versions of a file whose row is locked. */
  async countVersions(file_id: string): Promise<number> {
    const row = await this.db
      .current()
      .first<{ count: number }>(
        sql`SELECT count(*) FROM file_version WHERE tenant_id = ${requireScope().tenant_id} AND fv_file = ${file_id}`,
      );
    return row?.count ?? 0;
  }

  /** Whether something shows the bytes of the version. */
  async isShown(fv_id: string): Promise<boolean> {
    return (
      (await this.db
        .current()
        .first(
          sql`SELECT 1 FROM file_version v WHERE v.tenant_id = ${requireScope().tenant_id} AND v.fv_id = ${fv_id} AND ${isPinned()}`,
        )) !== undefined
    );
  }

  /** Removes the oldest versions that nobody pinned and that are not the current one, at most so many. */
  pruneVersions({ file_id, file_current_version }: File, most: number): Promise<RemovedVersion[]> {
    const tenant = requireScope().tenant_id;
    return this.db.current().query<RemovedVersion>(sql`
      DELETE FROM file_version WHERE tenant_id = ${tenant} AND fv_id IN (
        SELECT v.fv_id FROM file_version v WHERE v.tenant_id = ${tenant} AND v.fv_file = ${file_id} AND NOT v.fv_pinned AND v.fv_id <> ${file_current_version} AND NOT ${isPinned()} ORDER BY v.fv_number LIMIT ${most})
      RETURNING fv_id, fv_number, fv_blob, fv_type, fv_size, fv_replicas, fv_rendition_bytes, fv_provider, fv_created_by`);
  }
}

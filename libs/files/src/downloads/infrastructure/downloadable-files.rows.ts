import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql } from '@atrium/platform/database';
import type { Renditions } from '../../blobs/domain/renditions';
import type { OwnedRow } from '../../core/domain/file-row';

/** A live file with its current bytes, as an archive holds it. */
export interface ArchivableFile extends OwnedRow {
  readonly file_name: string;
  readonly file_type: string;
  readonly file_size: number;
  readonly file_updated: Date | string;
  readonly file_status: string;
  readonly file_processing: string;
  readonly blob_key: string;
  readonly blob_replicas: Renditions;
}

/** The current bytes of a live file, or those of one of its versions. */
export interface DownloadableBytes extends OwnedRow {
  readonly file_status: string;
  readonly file_processing: string;
  /** Why the bytes are out of reach. */
  readonly withheld: string | null;
  readonly file_kind: string;
  readonly name: string;
  readonly type: string;
  readonly size: number;
  readonly hash: string | null;
  readonly blob_key: string;
  readonly blob_replicas: Renditions;
}

/** Live files and where their bytes are stored. */
@Injectable()
export class DownloadableFileRows {
  constructor(private readonly db: Database) {}

  findArchivableFiles(ids: readonly string[]): Promise<ArchivableFile[]> {
    return this.db.current().query<ArchivableFile>(sql`
      SELECT f.file_id, f.repo_type, f.repo_id, f.file_name, f.file_type, f.file_size, f.file_updated, f.file_status, f.file_processing, b.blob_key, b.blob_replicas
      FROM file f JOIN file_blob b ON b.tenant_id = f.tenant_id AND b.blob_id = f.file_blob
      WHERE f.tenant_id = ${requireScope().tenant_id} AND f.file_id = ANY(${[...ids]}::uuid[]) AND f.file_deleted IS NULL`);
  }

  findCurrentBytes(id: string): Promise<DownloadableBytes | undefined> {
    return this.db.current().first<DownloadableBytes>(sql`
      SELECT f.file_id, f.repo_type, f.repo_id, f.file_status, f.file_processing, CASE WHEN f.file_processing = 'quarantined' THEN 'quarantined' END AS withheld, f.file_kind, f.file_name AS name, f.file_type AS type, f.file_size AS size, f.file_hash AS hash, b.blob_key, b.blob_replicas
      FROM file f JOIN file_blob b ON b.tenant_id = f.tenant_id AND b.blob_id = f.file_blob
      WHERE f.tenant_id = ${requireScope().tenant_id} AND f.file_id = ${id} AND f.file_deleted IS NULL`);
  }

  findVersionBytes(id: string, versionId: string): Promise<DownloadableBytes | undefined> {
    return this.db.current().first<DownloadableBytes>(sql`
      SELECT f.file_id, f.repo_type, f.repo_id, f.file_status, f.file_processing, coalesce(v.fv_quarantine, CASE WHEN v.fv_id = f.file_current_version AND f.file_processing = 'quarantined' THEN 'quarantined' END) AS withheld, f.file_kind, v.fv_name AS name, v.fv_type AS type, v.fv_size AS size, v.fv_hash AS hash, b.blob_key, b.blob_replicas
      FROM file f
      JOIN file_version v ON v.tenant_id = f.tenant_id AND v.fv_file = f.file_id
      JOIN file_blob b ON b.tenant_id = v.tenant_id AND b.blob_id = v.fv_blob
      WHERE f.tenant_id = ${requireScope().tenant_id} AND f.file_id = ${id} AND f.file_deleted IS NULL AND v.fv_id = ${versionId}`);
  }
}

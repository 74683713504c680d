import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql, type Sql } from '@atrium/platform/database';
import type { JsonObject } from '@atrium/platform/kernel';
import type { Blob } from '../../blobs/domain/blob';

/** A file with all that is needed to show it to somebody from outside; what of it they see is the asking context's choice. */
export interface SharedFile extends Pick<Blob, 'blob_id' | 'blob_key' | 'blob_replicas' | 'blob_marked'> {
  readonly file_id: string;
  readonly repo_type: string;
  readonly repo_id: string | null;
  readonly file_name: string;
  readonly file_type: string;
  readonly file_kind: string;
  readonly file_size: number;
  readonly file_hash: string | null;
  readonly file_updated: string;
  readonly system: JsonObject | null;
}

/** It with its place in the order of a selection. */
export type SelectedFile = SharedFile & { readonly '~key': string | number; readonly '~tie': string };

export type SharedPicture = Pick<SharedFile, 'file_id' | 'file_name' | 'file_type' | 'file_size' | 'blob_key' | 'blob_replicas'>;

/** Files and their bytes; which ones, FROM and WHERE clauses over `r`, a row of `file`, and `b`, its blob, say. */
@Injectable()
export class SharedFileRows {
  constructor(private readonly db: Database) {}

  /** With the key and the tie by which they are ordered; `rest` follows the clauses. */
  findSelected(chosen: Sql, { key, tie, rest }: { readonly key: Sql; readonly tie: Sql; readonly rest: Sql }): Promise<SelectedFile[]> {
    return this.db.current().query<SelectedFile>(sql`
      SELECT r.file_id, r.repo_type, r.repo_id, r.file_name, r.file_type, r.file_kind, r.file_size, r.file_hash, r.file_updated, r.file_metadata -> 'system' AS system,
             b.blob_id, b.blob_key, b.blob_replicas, b.blob_marked, ${key} AS "~key", ${tie} AS "~tie"
      ${chosen} ${rest}`);
  }

  /** Counted no further than `most`. */
  async countSelected(chosen: Sql, most: number): Promise<number> {
    const row = await this.db.current().first<{ count: number }>(sql`SELECT count(*) FROM (SELECT 1 ${chosen} LIMIT ${most}) counted`);
    return row?.count ?? 0;
  }

  /** Live, readable files among the ids. */
  findPictures(ids: readonly string[]): Promise<SharedPicture[]> {
    return this.db.current().query<SharedPicture>(sql`
      SELECT r.file_id, r.file_name, r.file_type, r.file_size, b.blob_key, b.blob_replicas FROM file r JOIN file_blob b ON b.tenant_id = r.tenant_id AND b.blob_id = r.file_blob
      WHERE r.tenant_id = ${requireScope().tenant_id} AND r.file_id = ANY(${[...ids]}::uuid[]) AND r.file_deleted IS NULL AND r.file_processing = 'ready'`);
  }
}

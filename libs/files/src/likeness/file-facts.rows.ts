import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql } from '@atrium/platform/database';
import type { RepoType } from '../core/domain/repositories';

/** What a live file is, as far as copies of it are compared by. */
export interface FileFacts {
  readonly file_id: string;
  readonly file_hash: string | null;
  readonly file_size: number;
  readonly file_created: string;
  /** The looks of a picture, 16 hexadecimal digits; null for what has none. */
  readonly phash: string | null;
  readonly width: number | null;
  readonly height: number | null;
  /** How much is known of it: entries of its metadata and of what was found in its bytes, and whether it has a summary. */
  readonly known: number;
  /** Part of its pixels that it needs for what it shows; null where nobody measured. */
  readonly detail: number | null;
  /** How many of time, camera, lens and place are known of its capture. */
  readonly captured: number;
  readonly taken: string | null;
  /** Hashes of all of a picture and of parts of it. */
  readonly views: string | null;
}

/** Reads what copies of a file are compared by. Trash is never seen through it; one statement answers however many ids. */
@Injectable()
export class FileFactsReader {
  constructor(private readonly db: Database) {}

  /** The live, readable files of the library among the ids. */
  async readFacts(ids: readonly string[], type: RepoType): Promise<Map<string, FileFacts>> {
    const wanted = [...new Set(ids)];
    if (wanted.length === 0) return new Map();
    const rows = await this.db.read((tx) =>
      tx.query<FileFacts>(sql`
        SELECT r.file_id, r.file_hash, r.file_size, r.file_created, r.file_metadata #>> '{system,phash}' AS phash,
               (r.file_metadata #>> '{system,width}')::double precision AS width, (r.file_metadata #>> '{system,height}')::double precision AS height,
               (r.file_metadata #>> '{system,detail}')::double precision AS detail, r.file_metadata #>> '{system,taken}' AS taken,
               (SELECT count(*)::integer FROM jsonb_object_keys(coalesce(r.file_metadata -> 'system', '{}')) k WHERE k IN ('taken', 'camera', 'lens', 'gps')) AS captured,
               (SELECT b.blob_system ->> 'views' FROM file_blob b WHERE b.tenant_id = r.tenant_id AND b.blob_id = r.file_blob) AS views,
               (SELECT count(*)::integer FROM jsonb_object_keys(r.file_metadata) k WHERE k <> 'system')
                 + (SELECT count(*)::integer FROM jsonb_object_keys(coalesce(r.file_metadata -> 'system', '{}')) k WHERE k IN ('taken', 'camera', 'lens', 'gps'))
                 + (r.file_summary IS NOT NULL)::integer AS known
        FROM file r
        WHERE r.tenant_id = ${requireScope().tenant_id} AND r.file_id = ANY(${wanted}::uuid[]) AND r.repo_type = ${type} AND r.file_deleted IS NULL AND r.file_processing = 'ready'`),
    );
    return new Map(rows.map((row) => [row.file_id, row]));
  }

  /** Ids of the library's live files in the order of their ids, behind one of them. */
  async listIdsAfter(file_id: string | null, type: RepoType, limit: number): Promise<string[]> {
    const rows = await this.db.read((tx) =>
      tx.query<{ file_id: string }>(sql`
        SELECT r.file_id FROM file r
        WHERE r.tenant_id = ${requireScope().tenant_id} AND (${file_id}::uuid IS NULL OR r.file_id > ${file_id}::uuid) AND r.repo_type = ${type} AND r.file_deleted IS NULL
        ORDER BY r.file_id LIMIT ${limit}`),
    );
    return rows.map((row) => row.file_id);
  }
}

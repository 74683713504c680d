import { Injectable } from '@nestjs/common';
import { Database, raw, requireScope, sql } from '@atrium/platform/database';
import type { FileVersion } from '../domain/file-version';

/** Bytes of an upload that is not finished, for which room is kept. */
export interface SetAside {
  readonly file_size: number;
  readonly upl_created_by: string | null;
}

/** Versions of one file that are alike, summed: what they take of storage. */
export interface HeldBytes extends Pick<
  FileVersion,
  'fv_file' | 'fv_type' | 'fv_replicas' | 'fv_provider' | 'fv_created_by' | 'fv_size' | 'fv_rendition_bytes'
> {
  readonly current: boolean;
  readonly objects: number;
}

const HELD = raw('fv_id, fv_type, fv_size, fv_replicas, fv_rendition_bytes, fv_provider, fv_created_by');

/** What versions take of storage: read for counting it, while the rows of their files are locked. */
@Injectable()
export class VersionRows {
  constructor(private readonly db: Database) {}

  findHeldVersion(
    fv_id: string,
  ): Promise<
    Pick<FileVersion, 'fv_id' | 'fv_type' | 'fv_size' | 'fv_replicas' | 'fv_rendition_bytes' | 'fv_provider' | 'fv_created_by'> | undefined
  > {
    return this.db
      .current()
      .first(sql`SELECT ${HELD} FROM file_version WHERE tenant_id = ${requireScope().tenant_id} AND fv_id = ${fv_id}`);
  }

  listHeldBytes(fileIds: readonly string[]): Promise<HeldBytes[]> {
    return this.db.current().query<HeldBytes & { [column: string]: unknown }>(sql`
      SELECT v.fv_file, v.fv_id = f.file_current_version AS current, v.fv_type, v.fv_replicas, v.fv_provider, v.fv_created_by,
             sum(v.fv_size)::bigint AS fv_size, sum(v.fv_rendition_bytes)::bigint AS fv_rendition_bytes, count(*)::bigint AS objects
      FROM file_version v JOIN file f ON f.tenant_id = v.tenant_id AND f.file_id = v.fv_file AND f.file_id = ANY(${[...fileIds]}::uuid[])
      WHERE v.tenant_id = ${requireScope().tenant_id} AND v.fv_file = ANY(${[...fileIds]}::uuid[]) GROUP BY 1, 2, 3, 4, 5, 6`);
  }

  /** Uploads that bytes are set aside for and that end with these files. */
  openUploads(fileIds: readonly string[]): Promise<SetAside[]> {
    return this.db.current().query(sql`
      SELECT file_size, upl_created_by FROM upload
      WHERE tenant_id = ${requireScope().tenant_id} AND upl_file = ANY(${[...fileIds]}::uuid[]) AND upl_state IN ('open', 'completing') FOR UPDATE`);
  }
}

import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql } from '@atrium/platform/database';

/** A file of a post as it is stored now, in the trash too. */
export interface StoredFile {
  readonly file_id: string;
  readonly name: string;
  readonly type: string;
  readonly size: number;
  readonly hash: string | null;
  readonly width: number | null;
  readonly height: number | null;
  readonly seconds: number | null;
  readonly pages: number | null;
  readonly processing: string;
  readonly is_trashed: boolean;
}

/** What posts know of their files; one statement for however many. */
@Injectable()
export class PostedFileRows {
  constructor(private readonly db: Database) {}

  async findFiles(file_ids: readonly string[]): Promise<ReadonlyMap<string, StoredFile>> {
    if (file_ids.length === 0) return new Map();
    const rows = await this.db.current().query<StoredFile & Record<string, unknown>>(sql`
      SELECT file_id, file_name AS name, file_type AS type, file_size AS size, file_hash AS hash, file_pages AS pages, file_processing AS processing,
             (file_metadata #>> '{system,width}')::double precision AS width, (file_metadata #>> '{system,height}')::double precision AS height,
             (file_metadata #>> '{system,duration}')::double precision AS seconds, file_deleted IS NOT NULL AS is_trashed
      FROM file WHERE tenant_id = ${requireScope().tenant_id} AND file_id = ANY(${[...file_ids]}::uuid[])`);
    return new Map(rows.map((row) => [row.file_id, { ...row, size: Number(row.size) }]));
  }
}

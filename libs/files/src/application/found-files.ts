import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Database, requireScope, sql } from '@atrium/platform/database';
import type { RepoType } from '../domain/repositories';
import { ReadableFiles } from './readable-files';

/** A file as somebody is told of it. */
export interface FoundFile {
  readonly file_id: string;
  readonly file_name: string;
  readonly file_type: string;
}

/** Files by words of their names, for contexts that look for one on behalf of somebody. */
@Injectable()
export class FoundFiles {
  constructor(
    private readonly db: Database,
    private readonly readable: ReadableFiles,
  ) {}

  /** The newest files of these kinds whose names have all the words and which the caller may read; within a unit of work. */
  find(caller: Principal, types: readonly RepoType[], words: readonly string[], most: number): Promise<FoundFile[]> {
    return this.db.current().query<FoundFile & Record<string, unknown>>(sql`
      SELECT r.file_id, r.file_name, r.file_type FROM file r
      WHERE r.tenant_id = ${requireScope().tenant_id} AND r.file_deleted IS NULL AND r.file_processing <> 'quarantined' AND ${this.readable.condition(caller, types)}
        AND (SELECT bool_and(strpos(lower(r.file_name), lower(w)) > 0) FROM unnest(${[...words]}::text[]) w)
      ORDER BY r.file_id DESC LIMIT ${most}`);
  }

  /** Whether the caller may read the file; within a unit of work. */
  async isReadable(caller: Principal, types: readonly RepoType[], file_id: string): Promise<boolean> {
    const row = await this.db.current().first(
      sql`SELECT 1 AS found FROM file r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.file_id = ${file_id} AND r.file_deleted IS NULL AND r.file_processing <> 'quarantined' AND ${this.readable.condition(caller, types)}`,
    );
    return row !== undefined;
  }
}

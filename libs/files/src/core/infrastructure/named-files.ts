import { Injectable } from '@nestjs/common';
import type { PictureWidth, WorkspaceFileKind, WorkspaceFileSource } from '@atrium/identity';
import { Database, requireScope, sql } from '@atrium/platform/database';

const VECTOR_PICTURE = 'image/svg+xml';

/** Files that workspaces and people name by id (logos, fonts, avatars): which of them there are, and how wide they are. */
@Injectable()
export class NamedFiles implements WorkspaceFileSource {
  constructor(private readonly db: Database) {}

  async findExistingFiles(ids: readonly string[], kinds: readonly WorkspaceFileKind[]): Promise<ReadonlySet<string>> {
    const rows = await this.db.current().query<{ file_id: string }>(
      sql`SELECT file_id FROM file WHERE tenant_id = ${requireScope().tenant_id} AND file_id = ANY(${[...ids]}::uuid[]) AND file_kind = ANY(${[...kinds]}::text[])
            AND file_deleted IS NULL AND file_processing <> 'quarantined'`,
    );
    return new Set(rows.map((row) => row.file_id));
  }

  async findPictureWidths(ids: readonly string[]): Promise<ReadonlyMap<string, PictureWidth>> {
    const rows = await this.db.current().query<{ file_id: string; file_type: string; width: number | null }>(
      sql`SELECT file_id, file_type, (file_metadata #>> '{system,width}')::integer AS width FROM file
          WHERE tenant_id = ${requireScope().tenant_id} AND file_id = ANY(${[...ids]}::uuid[]) AND file_deleted IS NULL`,
    );
    return new Map(
      rows.flatMap(({ file_id, file_type, width }): [string, PictureWidth][] =>
        file_type === VECTOR_PICTURE ? [[file_id, 'any']] : width === null ? [] : [[file_id, width]],
      ),
    );
  }
}

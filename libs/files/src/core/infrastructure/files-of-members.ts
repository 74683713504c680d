import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ContentOwners, type ContentBatch, type ContentMove, type ContentMoved } from '@atrium/identity';
import { Database, requireScope, sql } from '@atrium/platform/database';

/** Hands the files that one member added to another one, when an administrator asks for it. */
@Injectable()
export class FilesOfMembers implements OnModuleInit {
  constructor(
    private readonly db: Database,
    private readonly owners: ContentOwners,
  ) {}

  onModuleInit(): void {
    this.owners.register({ context: 'files', transferContent: (move, batch) => this.transfer(move, batch) });
  }

  /** Along the primary key: no index by owner is kept for what happens once in years. */
  private async transfer({ from, to }: ContentMove, { after, size }: ContentBatch): Promise<ContentMoved> {
    const { tenant_id } = requireScope();
    const stretch = await this.db.write((tx) =>
      tx.first<{ moved: number; seen: number; last: string | null }>(sql`
        WITH stretch AS MATERIALIZED (SELECT file_id FROM file WHERE tenant_id = ${tenant_id} AND ${after === null ? sql`true` : sql`file_id > ${after}`} ORDER BY file_id LIMIT ${size}),
        moved AS (UPDATE file f SET file_added_by = ${to}, row_version = f.row_version + 1 FROM stretch s
                  WHERE f.tenant_id = ${tenant_id} AND f.file_id = s.file_id AND f.file_added_by = ${from} RETURNING 1)
        SELECT (SELECT count(*) FROM moved) AS moved, (SELECT count(*) FROM stretch) AS seen, (SELECT file_id FROM stretch ORDER BY file_id DESC LIMIT 1) AS last`),
    );
    return { moved: stretch?.moved ?? 0, next: (stretch?.seen ?? 0) < size ? null : (stretch?.last ?? null) };
  }
}

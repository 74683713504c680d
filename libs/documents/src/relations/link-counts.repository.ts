import { Injectable } from '@nestjs/common';
import { LibraryFiles } from '@atrium/files';
import type { Principal } from '@atrium/platform/access';
import { Database, requireScope, sql } from '@atrium/platform/database';

/** How many other documents each document is linked with, as far as the reader may see them. */
@Injectable()
export class LinkCounts {
  constructor(
    private readonly db: Database,
    private readonly library: LibraryFiles,
  ) {}

  /** One statement for many documents; those without links are left out. */
  async countLinks(reader: Principal, file_ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const { tenant_id } = requireScope();
    const rows = await this.db.current().query<{ file_id: string; count: number }>(sql`
      SELECT l.file_id, count(DISTINCT l.other) AS count FROM (
        SELECT rel_from AS file_id, rel_to AS other FROM document_relation WHERE tenant_id = ${tenant_id} AND rel_from = ANY(${[...file_ids]}::uuid[])
        UNION ALL
        SELECT rel_to, rel_from FROM document_relation WHERE tenant_id = ${tenant_id} AND rel_to = ANY(${[...file_ids]}::uuid[])) l
      JOIN file r ON r.tenant_id = ${tenant_id} AND r.file_id = l.other
      WHERE ${this.library.visibleCondition(reader, 'docs')} GROUP BY 1`);
    return new Map(rows.map(({ file_id, count }) => [file_id, count]));
  }
}

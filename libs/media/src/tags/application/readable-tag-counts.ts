import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Database, requireScope, sql } from '@atrium/platform/database';
import { ClosedAlbums } from '../../albums/application/closed-albums';
import type { TagRow } from '../infrastructure/tags.repository';

/** The kept numbers of files of tags, without files in folders that are closed to their reader. */
@Injectable()
export class ReadableTagCounts {
  constructor(
    private readonly db: Database,
    private readonly closed: ClosedAlbums,
  ) {}

  /** The tags as the caller sees them; only where folders are closed to the caller does it cost a count. Within a unit of work. */
  async of<R extends TagRow>(caller: Principal, rows: readonly R[]): Promise<R[]> {
    const folders = rows.length === 0 ? [] : await this.closed.closedTo(caller, 'docs');
    if (folders.length === 0) return [...rows];
    const { tenant_id } = requireScope();
    const counted = await this.db.current().query<{ ft_tag: string; files: number }>(sql`
      SELECT t.ft_tag, count(DISTINCT t.ft_file)::integer AS files FROM album_file m JOIN file_tag t ON t.tenant_id = m.tenant_id AND t.ft_file = m.af_file
      WHERE m.tenant_id = ${tenant_id} AND m.af_album = ANY(${[...folders]}::uuid[]) AND t.ft_tag = ANY(${rows.map(({ mt_id }) => mt_id)}::uuid[]) AND NOT t.ft_hidden GROUP BY 1`);
    const closed = new Map(counted.map(({ ft_tag, files }) => [ft_tag, files]));
    return rows.map((row) => ({ ...row, mt_file_count: row.mt_file_count - (closed.get(row.mt_id) ?? 0) }));
  }
}

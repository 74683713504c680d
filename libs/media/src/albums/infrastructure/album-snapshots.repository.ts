import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql, type Sql } from '@atrium/platform/database';

/** An album that a saved search fills. */
export interface SmartAlbum extends Record<string, unknown> {
  readonly album_id: string;
  readonly album_query: string;
}

/** What a smart album held when it was last looked at. */
export interface AlbumSnapshot extends Record<string, unknown> {
  readonly as_hash: string;
  readonly as_count: number;
  readonly as_complete: boolean;
  readonly as_taken: Date;
}

/** The last snapshots of smart albums, and the differences between them. */
@Injectable()
export class AlbumSnapshotsRepository {
  constructor(private readonly db: Database) {}

  /** The smart album of the media library behind one, by their ids. */
  findNextAlbum(after: string | null): Promise<SmartAlbum | undefined> {
    const behind = after === null ? sql`true` : sql`album_id > ${after}::uuid`;
    return this.db
      .current()
      .first<SmartAlbum>(
        sql`SELECT album_id, album_query FROM album WHERE tenant_id = ${requireScope().tenant_id} AND album_kind = 'media' AND album_query IS NOT NULL AND ${behind} ORDER BY album_id LIMIT 1`,
      );
  }

  /** The last look, held until the unit of work ends; none when there was none. */
  lockSnapshot(album: string): Promise<AlbumSnapshot | undefined> {
    return this.db
      .current()
      .first<AlbumSnapshot>(
        sql`SELECT as_hash, as_count, as_complete, as_taken FROM album_snapshot WHERE tenant_id = ${requireScope().tenant_id} AND as_album = ${album} FOR UPDATE`,
      );
  }

  /** Files that a condition on `r` finds, by their ids. */
  async findMatching(condition: Sql, most: number): Promise<string[]> {
    const rows = await this.db
      .current()
      .query<{ file_id: string }>(sql`SELECT r.file_id FROM file r WHERE ${condition} ORDER BY r.file_id LIMIT ${most}`);
    return rows.map(({ file_id }) => file_id);
  }

  async touchSnapshot(album: string, now: Date): Promise<void> {
    await this.db
      .current()
      .execute(sql`UPDATE album_snapshot SET as_taken = ${now} WHERE tenant_id = ${requireScope().tenant_id} AND as_album = ${album}`);
  }

  async saveSnapshot(album: string, { as_hash, as_count, as_complete, as_taken }: AlbumSnapshot): Promise<void> {
    await this.db.current().execute(
      sql`INSERT INTO album_snapshot (tenant_id, as_album, as_hash, as_count, as_complete, as_taken) VALUES (${requireScope().tenant_id}, ${album}, ${as_hash}, ${as_count}, ${as_complete}, ${as_taken})
          ON CONFLICT (tenant_id, as_album) DO UPDATE SET as_hash = excluded.as_hash, as_count = excluded.as_count, as_complete = excluded.as_complete, as_taken = excluded.as_taken`,
    );
  }

  /** Puts the files in the place of those of the last look and, unless it is the first, records what entered and left; in one statement. */
  async replaceFiles(
    album: string,
    files: readonly string[],
    at: Date | null,
  ): Promise<{ readonly entered: number; readonly left: number }> {
    const { tenant_id } = requireScope();
    const row = await this.db.current().first<{ entered: number; left: number }>(
      sql`WITH found AS MATERIALIZED (SELECT unnest(${[...files]}::uuid[]) AS id),
          gone AS (DELETE FROM album_snapshot_file s WHERE s.tenant_id = ${tenant_id} AND s.asf_album = ${album} AND NOT EXISTS (SELECT FROM found f WHERE f.id = s.asf_file) RETURNING asf_file AS id),
          come AS (INSERT INTO album_snapshot_file (tenant_id, asf_album, asf_file) SELECT ${tenant_id}::uuid, ${album}::uuid, f.id FROM found f ON CONFLICT DO NOTHING RETURNING asf_file AS id),
          told AS (INSERT INTO album_change (tenant_id, ac_id, ac_album, ac_file, ac_change, ac_created)
                   SELECT ${tenant_id}::uuid, gen_random_uuid(), ${album}::uuid, c.id, c.way, ${at}::timestamptz
                   FROM (SELECT id, 'entered' AS way FROM come UNION ALL SELECT id, 'left' FROM gone) c WHERE ${at}::timestamptz IS NOT NULL)
          SELECT (SELECT count(*) FROM come)::integer AS entered, (SELECT count(*) FROM gone)::integer AS left`,
    );
    return row ?? { entered: 0, left: 0 };
  }

  /** Forgets changes that are older than they are kept. */
  async deleteChangesBefore(album: string, before: Date): Promise<void> {
    await this.db
      .current()
      .execute(
        sql`DELETE FROM album_change WHERE tenant_id = ${requireScope().tenant_id} AND ac_album = ${album} AND ac_created < ${before}`,
      );
  }
}

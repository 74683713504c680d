import { Injectable } from '@nestjs/common';
import { Database, join, requireScope, sql, type Sql } from '@atrium/platform/database';
import type { Album } from '../domain/album';

type Named = Pick<Album, 'album_id' | 'album_name'>;
type Covered = Pick<Album, 'album_id' | 'album_cover_file'>;

/** What a reader may see of an album: files in it (counted up to a limit), the newest, and whether the cover is among those open to them. */
export interface ShownContents extends Record<string, unknown> {
  readonly album_id: string;
  readonly count: number;
  readonly newest: string | null;
  readonly covered: boolean;
}

/** How many files a condition finds for an album, and the newest of them. */
export interface FoundContents extends Record<string, unknown> {
  readonly album_id: string;
  readonly count: number;
  readonly newest: string | null;
}

/** Files of albums of all kinds: those that were put into them, and those that conditions on the file `r` find for them. */
@Injectable()
export class AlbumFileRows {
  constructor(private readonly db: Database) {}

  /** The albums of a kind that hold each of the files and that the condition on `a` lets through, by name. */
  async findHoldingAlbums(
    kind: Album['album_kind'],
    files: readonly string[],
    readable: Sql,
  ): Promise<ReadonlyMap<string, readonly Named[]>> {
    const rows = await this.db.current().query<{ file: string; albums: Named[] }>(
      sql`SELECT m.af_file AS file, json_agg(json_build_object('album_id', a.album_id, 'album_name', a.album_name) ORDER BY a.album_name_key, a.album_id) AS albums
          FROM album_file m JOIN album a ON a.tenant_id = m.tenant_id AND a.album_id = m.af_album
          WHERE m.tenant_id = ${requireScope().tenant_id} AND m.af_file = ANY(${[...files]}::uuid[]) AND NOT m.af_hidden AND a.album_kind = ${kind} AND ${readable} GROUP BY 1`,
    );
    return new Map(rows.map(({ file, albums }) => [file, albums]));
  }

  /** Those of the files that are in one of the albums. */
  async filterFilesIn(albums: readonly string[], files: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await this.db
      .current()
      .query<{ af_file: string }>(
        sql`SELECT DISTINCT af_file FROM album_file WHERE tenant_id = ${requireScope().tenant_id} AND af_file = ANY(${[...files]}::uuid[]) AND af_album = ANY(${[...albums]}::uuid[])`,
      );
    return new Set(rows.map(({ af_file }) => af_file));
  }

  /** Those of the files that are in none of the albums, which a query of their ids names. */
  async filterFilesOutside(albums: Sql, files: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await this.db.current().query<{ id: string }>(
      sql`SELECT f.id FROM unnest(${[...files]}::uuid[]) AS f (id) WHERE NOT EXISTS (
            SELECT FROM album_file m WHERE m.tenant_id = ${requireScope().tenant_id} AND m.af_file = f.id AND m.af_album = ANY(ARRAY(${albums})))`,
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** What of each album a condition on the file `r` shows, counted up to so many. */
  async countShown(albums: readonly Covered[], shown: Sql, most: number): Promise<ReadonlyMap<string, ShownContents>> {
    const { tenant_id } = requireScope();
    const rows = await this.db.current().query<ShownContents>(sql`
      SELECT a.album_id, x.count, x.newest, EXISTS (SELECT FROM file r WHERE r.file_id = a.cover AND ${shown}) AS covered
      FROM unnest(${albums.map(({ album_id }) => album_id)}::uuid[], ${albums.map(({ album_cover_file }) => album_cover_file)}::uuid[]) AS a (album_id, cover)
      CROSS JOIN LATERAL (
        SELECT count(*)::integer AS count, (array_agg(y.af_file ORDER BY y.af_created DESC, y.af_id DESC))[1] AS newest
        FROM (SELECT m.af_file, m.af_created, m.af_id FROM album_file m JOIN file r ON r.tenant_id = m.tenant_id AND r.file_id = m.af_file
              WHERE m.tenant_id = ${tenant_id} AND m.af_album = a.album_id AND NOT m.af_hidden AND ${shown}
              ORDER BY m.af_created DESC, m.af_id DESC LIMIT ${most}) y) x`);
    return new Map(rows.map((row) => [row.album_id, row]));
  }

  /** What the condition of each album finds, counted up to so many; the conditions know their tenant. */
  async countFound(
    albums: readonly { readonly album_id: string; readonly condition: Sql }[],
    most: number,
  ): Promise<ReadonlyMap<string, FoundContents>> {
    const each = albums.map(({ album_id, condition }) => found(album_id, condition, most));
    const rows = await this.db.current().query<FoundContents>(join(each, ' UNION ALL '));
    return new Map(rows.map((row) => [row.album_id, row]));
  }

  /** Whether the condition, which knows its tenant, holds for a file. */
  async matchesFile(condition: Sql, file_id: string): Promise<boolean> {
    return (await this.db.current().first(sql`SELECT 1 FROM file r WHERE ${condition} AND r.file_id = ${file_id}::uuid`)) !== undefined;
  }
}

/**
 * The newest so many, and of them the first: along an index of the files by when they were added, or of those that an
 * index finds; never through the files of all workspaces until enough have been met.
 */
const found = (album_id: string, condition: Sql, most: number): Sql => sql`
  SELECT ${album_id}::uuid AS album_id, count(*)::integer AS count, (array_agg(x.file_id ORDER BY x.file_created DESC, x.file_id DESC))[1] AS newest
  FROM (SELECT r.file_id, r.file_created FROM file r WHERE ${condition} ORDER BY r.file_created DESC, r.file_id DESC LIMIT ${most}) x`;

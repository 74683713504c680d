import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql, type Sql } from '@atrium/platform/database';
import type { Album } from '../domain/album';

type Kind = Album['album_kind'];

/** An album as other contexts name it. */
export interface NamedAlbum extends Record<string, unknown> {
  readonly album_id: string;
  readonly album_name: string;
}

/** What fills an album. */
export type FilledAlbum = Pick<Album, 'album_id' | 'album_smart' | 'album_query'>;

/** Albums of all kinds as they are named and looked up. */
@Injectable()
export class AlbumReadingRows {
  constructor(private readonly db: Database) {}

  /** Whether the workspace has the album and no saved search fills it. */
  async hasCuratedAlbum(id: string): Promise<boolean> {
    return (
      (await this.db
        .current()
        .first(sql`SELECT 1 FROM album WHERE tenant_id = ${requireScope().tenant_id} AND album_id = ${id}::uuid AND NOT album_smart`)) !==
      undefined
    );
  }

  /** What fills the albums of a kind that both conditions on `a` let through. */
  findFilledAlbums(kind: Kind, wanted: Sql, readable: Sql): Promise<FilledAlbum[]> {
    return this.db.current().query<FilledAlbum & Record<string, unknown>>(
      sql`SELECT a.album_id, a.album_smart, a.album_query FROM album a
          WHERE a.tenant_id = ${requireScope().tenant_id} AND a.album_kind = ${kind} AND ${wanted} AND ${readable}`,
    );
  }

  /** What fills one album that the condition on `a` lets through. */
  findQuery(kind: Kind, id: string, readable: Sql): Promise<Pick<Album, 'album_query'> | undefined> {
    return this.db
      .current()
      .first(
        sql`SELECT a.album_query FROM album a WHERE a.tenant_id = ${requireScope().tenant_id} AND a.album_id = ${id} AND a.album_kind = ${kind} AND ${readable}`,
      );
  }

  /** The names of those of the albums that the condition on `a` lets through. */
  async findNames(kind: Kind, ids: readonly string[], readable: Sql): Promise<ReadonlyMap<string, string>> {
    const rows = await this.db
      .current()
      .query<NamedAlbum>(
        sql`SELECT a.album_id, a.album_name FROM album a WHERE a.tenant_id = ${requireScope().tenant_id} AND a.album_kind = ${kind} AND a.album_id = ANY(${[...ids]}::uuid[]) AND ${readable}`,
      );
    return new Map(rows.map(({ album_id, album_name }) => [album_id, album_name]));
  }

  /** The names of those of the albums of the media library that a condition on their columns lets through. */
  async findMediaNames(ids: readonly string[], readable: Sql): Promise<ReadonlyMap<string, string>> {
    const rows = await this.db
      .current()
      .query<NamedAlbum>(
        sql`SELECT album_id, album_name FROM album WHERE tenant_id = ${requireScope().tenant_id} AND album_kind = 'media' AND album_id = ANY(${[...ids]}::uuid[]) AND ${readable}`,
      );
    return new Map(rows.map(({ album_id, album_name }) => [album_id, album_name]));
  }

  /** The albums of the media library among the ids, by their names. */
  listMediaAlbums(ids: readonly string[]): Promise<NamedAlbum[]> {
    return this.db
      .current()
      .query<NamedAlbum>(
        sql`SELECT album_id, album_name FROM album WHERE tenant_id = ${requireScope().tenant_id} AND album_kind = 'media' AND album_id = ANY(${[...ids]}::uuid[]) ORDER BY album_name, album_id`,
      );
  }

  /** Those of the albums that are of one of the kinds and that a condition on their columns lets through. */
  async filterAlbums(ids: readonly string[], kinds: readonly string[], readable: Sql): Promise<ReadonlySet<string>> {
    const rows = await this.db
      .current()
      .query<{ album_id: string }>(
        sql`SELECT album_id FROM album WHERE tenant_id = ${requireScope().tenant_id} AND album_id = ANY(${[...ids]}::uuid[]) AND album_kind = ANY(${[...kinds]}::text[]) AND ${readable}`,
      );
    return new Set(rows.map(({ album_id }) => album_id));
  }
}

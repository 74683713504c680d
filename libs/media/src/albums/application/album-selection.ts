import { Injectable } from '@nestjs/common';
import { aclAllows, type Principal } from '@atrium/platform/access';
import { Database, join, requireScope, sql, type Sql } from '@atrium/platform/database';
import type { Album } from '../domain/album';
import { AlbumKind } from '../domain/album-kind';
import { SmartContents } from './smart-contents';

type Selected = Pick<Album, 'album_id' | 'album_smart' | 'album_query'>;

/** Which files an album shows to a reader, as a condition for lists. */
@Injectable()
export class AlbumSelection {
  constructor(
    private readonly db: Database,
    private readonly smart: SmartContents,
    private readonly kind: AlbumKind,
  ) {}

  /**
   * Condition on `r`: a file of the album, with `below` also of the albums below it that the reader may read. False for an
   * album that the reader may not read. Nobody (null) reads curated albums without an access list.
   */
  async buildAlbumCondition(reader: Principal | null, id: string, { below = false }: { readonly below?: boolean } = {}): Promise<Sql> {
    const { tenant_id } = requireScope();
    const wanted = below
      ? sql`(a.album_id = ${id} OR a.album_id IN (SELECT b.album_id FROM albums_below(${id}::text) b))`
      : sql`a.album_id = ${id}`;
    const albums = await this.db.current().query<Selected & Record<string, unknown>>(
      sql`SELECT a.album_id, a.album_smart, a.album_query FROM album a
          WHERE a.tenant_id = ${tenant_id} AND a.album_kind = ${this.kind.name} AND ${wanted} AND ${reader ? aclAllows('a.album_acl', reader, 'view') : sql`a.album_acl = '{}' AND NOT a.album_smart`}`,
    );
    if (!albums.some(({ album_id }) => album_id === id.toLowerCase())) return sql`false`;
    const curated = albums.filter(({ album_smart }) => !album_smart).map(({ album_id }) => album_id);
    const member = sql`EXISTS (SELECT FROM album_file m WHERE m.tenant_id = r.tenant_id AND m.af_file = r.file_id AND m.af_album = ANY(${curated}::uuid[]))`;
    const found = reader ? await this.smart.buildContentConditions(reader, albums) : [];
    return sql`(${join([...(curated.length > 0 ? [member] : []), ...found], ' OR ')})`;
  }

  /** Of the albums those that the reader may read, with their names; in one statement. */
  async findReadableAlbums(reader: Principal, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (ids.length === 0) return new Map();
    const rows = await this.db
      .current()
      .query<{ album_id: string; album_name: string }>(
        sql`SELECT a.album_id, a.album_name FROM album a WHERE a.tenant_id = ${requireScope().tenant_id} AND a.album_kind = ${this.kind.name} AND a.album_id = ANY(${[...ids]}::uuid[]) AND ${aclAllows('a.album_acl', reader, 'view')}`,
      );
    return new Map(rows.map(({ album_id, album_name }) => [album_id, album_name]));
  }

  /** Condition on `r`: a file that is in no album. */
  outsideAlbumsCondition(): Sql {
    return sql`NOT EXISTS (SELECT FROM album_file m WHERE m.tenant_id = r.tenant_id AND m.af_file = r.file_id)`;
  }

  /** The albums that hold each of the files and that the reader may read, by name; in one statement. */
  async findHoldingAlbums(
    reader: Principal,
    files: readonly string[],
  ): Promise<ReadonlyMap<string, readonly Pick<Album, 'album_id' | 'album_name'>[]>> {
    if (files.length === 0) return new Map();
    const rows = await this.db.current().query<{ file: string; albums: { album_id: string; album_name: string }[] }>(
      sql`SELECT m.af_file AS file, json_agg(json_build_object('album_id', a.album_id, 'album_name', a.album_name) ORDER BY a.album_name_key, a.album_id) AS albums
          FROM album_file m JOIN album a ON a.tenant_id = m.tenant_id AND a.album_id = m.af_album
          WHERE m.tenant_id = ${requireScope().tenant_id} AND m.af_file = ANY(${[...files]}::uuid[]) AND NOT m.af_hidden AND a.album_kind = ${this.kind.name} AND ${aclAllows('a.album_acl', reader, 'view')} GROUP BY 1`,
    );
    return new Map(rows.map(({ file, albums }) => [file, albums]));
  }
}

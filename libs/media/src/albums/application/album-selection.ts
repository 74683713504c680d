import { Injectable } from '@nestjs/common';
import { aclAllows, type Principal } from '@atrium/platform/access';
import { join, sql, type Sql } from '@atrium/platform/database';
import type { Album } from '../domain/album';
import { AlbumKind } from '../domain/album-kind';
import { AlbumFileRows } from '../infrastructure/album-files.rows';
import { AlbumReadingRows } from '../infrastructure/album-reading.rows';
import { SmartContents } from './smart-contents';

/** Which files an album shows to a reader, as a condition for lists. */
@Injectable()
export class AlbumSelection {
  constructor(
    private readonly albums: AlbumReadingRows,
    private readonly files: AlbumFileRows,
    private readonly smart: SmartContents,
    private readonly kind: AlbumKind,
  ) {}

  /**
   * Condition on `r`: a file of the album, with `below` also of the albums below it that the reader may read. False for an
   * album that the reader may not read. Nobody (null) reads curated albums without an access list.
   */
  async buildAlbumCondition(reader: Principal | null, id: string, { below = false }: { readonly below?: boolean } = {}): Promise<Sql> {
    const wanted = below
      ? sql`(a.album_id = ${id} OR a.album_id IN (SELECT b.album_id FROM albums_below(${id}::text) b))`
      : sql`a.album_id = ${id}`;
    const albums = await this.albums.findFilledAlbums(
      this.kind.name,
      wanted,
      reader ? aclAllows('a.album_acl', reader, 'view') : sql`a.album_acl = '{}' AND NOT a.album_smart`,
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
    return this.albums.findNames(this.kind.name, ids, aclAllows('a.album_acl', reader, 'view'));
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
    return this.files.findHoldingAlbums(this.kind.name, files, aclAllows('a.album_acl', reader, 'view'));
  }
}

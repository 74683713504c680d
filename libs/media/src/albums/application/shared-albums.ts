import { Injectable } from '@nestjs/common';
import { ACL_LEVELS, aclAllows, aclLevel, type Principal } from '@atrium/platform/access';
import { requireScope, sql, type Sql } from '@atrium/platform/database';
import type { FileSelection } from '@atrium/files';
import { AlbumReadingRows, type NamedAlbum } from '../infrastructure/album-reading.rows';
import { AlbumsRepository } from '../infrastructure/albums.repository';
import { AlbumMembers } from './album-members.service';
import { SmartContents } from './smart-contents';

export type { NamedAlbum };

/** Albums for the context that shows them to people from outside, by the rights of a member. */
@Injectable()
export class SharedAlbums {
  constructor(
    private readonly reading: AlbumReadingRows,
    private readonly albums: AlbumsRepository,
    private readonly contents: SmartContents,
    private readonly members: AlbumMembers,
  ) {}

  /** What an album holds for the member, in its own order; a smart one by its query, the newest first. Null when the member may not see it or it is gone. */
  async selectFiles(member: Principal, album_id: string): Promise<FileSelection | null> {
    const album = await this.albums.findRow(album_id);
    if (album?.album_kind !== 'media' || (aclLevel(album.album_acl, member) ?? ACL_LEVELS.view) < ACL_LEVELS.view) return null;
    if (!album.album_smart) {
      return {
        join: sql`JOIN album_file m ON m.tenant_id = r.tenant_id AND m.af_file = r.file_id`,
        where: sql`m.tenant_id = ${requireScope().tenant_id} AND m.af_album = ${album_id}::uuid AND NOT m.af_hidden`,
        key: sql`m.af_position`,
        keyType: 'text',
        tie: sql`m.af_file`,
        descending: false,
      };
    }
    const condition = await this.contents.buildContentCondition(member, await this.contents.readQuery(album));
    return { join: sql``, where: condition, key: sql`r.file_created`, keyType: 'timestamptz', tie: sql`r.file_id`, descending: true };
  }

  /** Which of the albums the member may not put files into: gone, smart, or closed to them. */
  async filterNotFillable(member: Principal, ids: readonly string[]): Promise<string[]> {
    const refused: string[] = [];
    for (const id of ids) {
      const album = await this.albums.findRow(id);
      const fillable =
        album?.album_kind === 'media' && !album.album_smart && (aclLevel(album.album_acl, member) ?? ACL_LEVELS.owner) >= ACL_LEVELS.edit;
      if (!fillable) refused.push(id);
    }
    return refused;
  }

  /** Puts files into an album the member may edit; one that went or closed in the meantime is passed over. */
  async addFiles(member: Principal, album_id: string, file_ids: readonly string[]): Promise<void> {
    if ((await this.filterNotFillable(member, [album_id])).length === 0) await this.members.addMembers(member, album_id, file_ids);
  }

  /** The albums among the ids, by their names. */
  findAlbums(ids: readonly string[]): Promise<NamedAlbum[]> {
    if (ids.length === 0) return Promise.resolve([]);
    return this.reading.listMediaAlbums(ids);
  }

  /** Of the albums those that the member may see, with their names. */
  async findReadableNames(member: Principal, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (ids.length === 0 || !member.permissions.has('media:view')) return new Map();
    return this.reading.findMediaNames(ids, aclAllows('album_acl', member, 'view'));
  }

  /** For lists of many rows: whether there is an album that this person, with these roles, may see. All three are SQL. */
  readableCondition(album: Sql, user: Sql, roles: Sql): Sql {
    return sql`EXISTS (SELECT FROM album a WHERE a.tenant_id = ${requireScope().tenant_id} AND a.album_id = ${album} AND a.album_kind = 'media'
      AND (a.album_acl = '{}' OR coalesce(acl_level(a.album_acl, ${user}, ${roles}, '{}'), 3) >= ${ACL_LEVELS.view}))`;
  }

  /** For searches: ids of the files in those of the albums, given as a statement, that are curated and open to the reader. */
  heldFilesQuery(albums: Sql, reader: Principal): Sql {
    return sql`SELECT m.af_file FROM album_file m JOIN album a ON a.tenant_id = m.tenant_id AND a.album_id = m.af_album
      WHERE m.tenant_id = ${requireScope().tenant_id}::uuid AND m.af_album IN (${albums}) AND NOT m.af_hidden AND a.album_kind = 'media' AND NOT a.album_smart AND ${aclAllows('a.album_acl', reader, 'view')}`;
  }

  /** For lists of many rows: whether there is such an album that rests on no query. */
  curatedCondition(album: Sql): Sql {
    return sql`EXISTS (SELECT FROM album a WHERE a.tenant_id = ${requireScope().tenant_id} AND a.album_id = ${album} AND a.album_kind = 'media' AND NOT a.album_smart)`;
  }

  /** How many files an album holds, as it counts them itself. */
  countExpression(album: Sql): Sql {
    return sql`(SELECT a.album_file_count FROM album a WHERE a.tenant_id = ${requireScope().tenant_id} AND a.album_id = ${album})`;
  }
}

import { Injectable } from '@nestjs/common';
import { aclAllows, type Principal } from '@atrium/platform/access';
import { Database, requireScope, sql } from '@atrium/platform/database';

/** An album as a file in it names it. */
export interface AlbumOfFile {
  readonly album_id: string;
  readonly album_name: string;
}

/** The tags of a file: values by the name of their group. */
export type MediaTags = Readonly<Record<string, readonly string[]>>;

/** What the library keeps beside files, read for many at once. */
@Injectable()
export class FileSurroundingsRepository {
  constructor(private readonly db: Database) {}

  /** The albums that hold the files and that the caller may read, by name. */
  async findAlbums(caller: Principal, files: readonly string[]): Promise<ReadonlyMap<string, readonly AlbumOfFile[]>> {
    const rows = await this.db.current().query<{ file: string; albums: AlbumOfFile[] }>(
      sql`SELECT f.af_file AS file, json_agg(json_build_object('album_id', a.album_id, 'album_name', a.album_name) ORDER BY a.album_name_key, a.album_id) AS albums
          FROM album_file f JOIN album a ON a.tenant_id = f.tenant_id AND a.album_id = f.af_album
          WHERE f.tenant_id = ${requireScope().tenant_id} AND f.af_file = ANY(${[...files]}::uuid[]) AND a.album_kind = 'media' AND ${aclAllows('a.album_acl', caller, 'view')} GROUP BY 1`,
    );
    return new Map(rows.map(({ file, albums }) => [file, albums]));
  }

  /** The tags on the files, groups and values in their order. */
  async findTags(files: readonly string[]): Promise<ReadonlyMap<string, MediaTags>> {
    const rows = await this.db.current().query<{ file: string; group: string; tags: string[] }>(
      sql`SELECT f.ft_file AS file, g.mtg_name AS group, array_agg(t.mt_value ORDER BY lower(t.mt_value)) AS tags
          FROM file_tag f
          JOIN media_tag t ON t.tenant_id = f.tenant_id AND t.mt_id = f.ft_tag
          JOIN media_tag_group g ON g.tenant_id = t.tenant_id AND g.mtg_id = t.mt_group
          WHERE f.tenant_id = ${requireScope().tenant_id} AND f.ft_file = ANY(${[...files]}::uuid[])
          GROUP BY 1, g.mtg_position, g.mtg_name ORDER BY 1, g.mtg_position, g.mtg_name`,
    );
    const tags = new Map<string, Record<string, readonly string[]>>();
    for (const { file, group, tags: values } of rows) tags.set(file, { ...tags.get(file), [group]: values });
    return tags;
  }
}

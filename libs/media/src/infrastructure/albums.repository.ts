import { Injectable } from '@nestjs/common';
import { aclAllows, aclLevelSql, type AclLevel, type Principal } from '@atrium/platform/access';
import { columnsOf, Database, listPage, requireScope, ResourceRepository, sql, type ListParameters, type Page, type Sql } from '@atrium/platform/database';
import { Album, MAX_DEPTH } from '../domain/album';

/** An album as it is stored, with the caller's level (null without an ACL). */
export type AlbumRow = Omit<Album, 'moveUnder' | 'touch' | 'tenant_id' | 'album_kind'> & { readonly acl_level: number | null };

/** What lists and reads add to the row itself. */
export interface AlbumCount {
  readonly album_id: string;
  readonly album_child_count: number;
  readonly newest_file: string | null;
}

export interface AlbumStep {
  readonly album_id: string;
  readonly album_name: string;
  readonly readable: boolean;
}

/** Albums of the media library. */
@Injectable()
export class AlbumsRepository extends ResourceRepository<Album> {
  constructor(db: Database) {
    super(db, Album, 'album');
  }

  /** One page of the albums the caller may read. */
  page(caller: Principal, query: ListParameters, where: Sql): Promise<Page<AlbumRow>> {
    const readable = sql`r.album_kind = 'media' AND ${aclAllows('r.album_acl', caller, 'view')} AND ${where}`;
    return listPage<AlbumRow>(this.db.current(), Album, query, { where: readable, select: sql`${aclLevelSql('r.album_acl', caller)} AS acl_level`, ignore: ['album_active'] });
  }

  /** The row, if the caller may read it. */
  readable(caller: Principal, id: string): Promise<(AlbumRow & { row_version: number }) | undefined> {
    return this.db.current().first<AlbumRow & { row_version: number }>(
      sql`SELECT ${columnsOf(Album)}, r.row_version, ${aclLevelSql('r.album_acl', caller)} AS acl_level FROM album r
          WHERE r.tenant_id = ${requireScope().tenant_id} AND r.album_id = ${id} AND r.album_kind = 'media' AND ${aclAllows('r.album_acl', caller, 'view')}`,
    );
  }

  /** Readable children and the newest member of each album, in one statement. */
  counts(caller: Principal, ids: readonly string[]): Promise<AlbumCount[]> {
    return this.db.current().query<AlbumCount & Record<string, unknown>>(
      sql`SELECT a.album_id,
                 (SELECT count(*) FROM album c WHERE c.tenant_id = a.tenant_id AND c.album_parent = a.album_id AND ${aclAllows('c.album_acl', caller, 'view')}) AS album_child_count,
                 (SELECT f.af_file FROM album_file f WHERE f.tenant_id = a.tenant_id AND f.af_album = a.album_id AND NOT f.af_hidden ORDER BY f.af_created DESC, f.af_id DESC LIMIT 1) AS newest_file
          FROM album a WHERE a.tenant_id = ${requireScope().tenant_id} AND a.album_id = ANY(${[...ids]}::uuid[])`,
    );
  }

  /** The albums above one, root first; unreadable ones are marked. */
  path(caller: Principal, id: string): Promise<AlbumStep[]> {
    const { tenant_id } = requireScope();
    return this.db.current().query<AlbumStep & Record<string, unknown>>(
      sql`WITH RECURSIVE above AS (
            SELECT album_parent AS id, 1 AS step FROM album WHERE tenant_id = ${tenant_id} AND album_id = ${id}
            UNION ALL
            SELECT a.album_parent, above.step + 1 FROM above JOIN album a ON a.tenant_id = ${tenant_id} AND a.album_id = above.id WHERE above.step < ${MAX_DEPTH})
          SELECT a.album_id, a.album_name, ${aclAllows('a.album_acl', caller, 'view')} AS readable
          FROM above JOIN album a ON a.tenant_id = ${tenant_id} AND a.album_id = above.id ORDER BY above.step DESC`,
    );
  }

  /** One move at a time in a workspace's tree; taken before any row is locked, so that two moves neither cross nor deadlock. */
  async lockTree(): Promise<void> {
    await this.db.current().query(sql`SELECT pg_advisory_xact_lock(hashtextextended('albums:' || ${requireScope().tenant_id}::text, 0))`);
  }

  /** Ids of the albums above one, nearest first. */
  async ancestors(id: string): Promise<string[]> {
    const { tenant_id } = requireScope();
    const rows = await this.db.current().query<{ id: string }>(
      sql`WITH RECURSIVE above AS (
            SELECT album_parent AS id, 1 AS step FROM album WHERE tenant_id = ${tenant_id} AND album_id = ${id}
            UNION ALL
            SELECT a.album_parent, above.step + 1 FROM above JOIN album a ON a.tenant_id = ${tenant_id} AND a.album_id = above.id WHERE above.step <= ${MAX_DEPTH})
          SELECT id FROM above WHERE id IS NOT NULL ORDER BY step`,
    );
    return rows.map((row) => row.id);
  }

  /** The new parent, if it exists and the caller holds the level on it. */
  async parentFor(caller: Principal, id: string, level: AclLevel): Promise<{ parent: Album; allowed: boolean } | null> {
    const row = await this.readable(caller, id);
    const parent = row && (await this.find(id));
    if (!parent) return null;
    const allowed = await this.db.current().first<{ allowed: boolean }>(sql`SELECT ${aclAllows('album_acl', caller, level)} AS allowed FROM album WHERE tenant_id = ${caller.tenant_id} AND album_id = ${id}`);
    return { parent, allowed: allowed?.allowed ?? false };
  }

  async stats(caller: Principal): Promise<Record<string, number>> {
    const row = await this.db.current().first<Record<string, number>>(
      sql`SELECT count(*) AS count, count(*) FILTER (WHERE album_smart) AS smart, count(*) FILTER (WHERE NOT album_smart) AS curated,
                 count(*) FILTER (WHERE album_file_count = 0 AND NOT album_smart) AS empty, count(*) FILTER (WHERE album_parent IS NULL) AS top_level
          FROM album WHERE tenant_id = ${requireScope().tenant_id} AND album_kind = 'media' AND ${aclAllows('album_acl', caller, 'view')}`,
    );
    return row ?? {};
  }
}

import { Injectable } from '@nestjs/common';
import { aclAllows, aclLevelSql, type Principal } from '@atrium/platform/access';
import {
  columnsOf,
  Database,
  listPage,
  requireScope,
  ResourceRepository,
  sql,
  type ListOptions,
  type ListParameters,
  type Page,
  type Admission,
  type Precondition,
  type Sql,
  type MethodsOf,
} from '@atrium/platform/database';
import { Album } from '../domain/album';
import { AlbumKind } from '../domain/album-kind';

type Internal = 'tenant_id' | 'row_version' | 'album_kind' | 'album_query_own' | 'album_path_ids';
type Behaviour = MethodsOf<Album>;

/** An album as it is stored, with what its surroundings say of it. */
export type AlbumRow = Omit<Album, Internal | Behaviour> & {
  /** The caller's level; null without an ACL. */
  readonly acl_level: number | null;
  readonly album_child_count: number;
  readonly newest_file: string | null;
};

/** The ids and names of the albums above one; null where the caller may not read. */
export interface AlbumStep {
  readonly album_id: string | null;
  readonly album_name: string | null;
}

/** The surroundings of an album: the children and newest member, and the albums above it. */
export interface Surroundings {
  readonly album_child_count: number;
  readonly newest_file: string | null;
  readonly album_path: readonly AlbumStep[];
}

export type AlbumDetailRow = AlbumRow & { readonly row_version: number; readonly album_path: readonly AlbumStep[] };

/** The caller's level, readable children and the newest member, for every row that leaves. */
const surroundings = (caller: Principal): Sql => sql`
  ${aclLevelSql('r.album_acl', caller)} AS acl_level,
  (SELECT count(*) FROM album c WHERE c.tenant_id = r.tenant_id AND c.album_parent = r.album_id AND ${aclAllows('c.album_acl', caller, 'view')}) AS album_child_count,
  (SELECT f.af_file FROM album_file f WHERE f.tenant_id = r.tenant_id AND f.af_album = r.album_id AND NOT f.af_hidden ORDER BY f.af_created DESC, f.af_id DESC LIMIT 1) AS newest_file`;

/** The albums above a row, root first. */
const pathOf = (caller: Principal): Sql => sql`
  CASE WHEN r.album_parent IS NULL THEN '[]'::json ELSE (
    SELECT coalesce(json_agg(CASE WHEN ${aclAllows('a.album_acl', caller, 'view')} THEN json_build_object('album_id', a.album_id, 'album_name', a.album_name)
                                  ELSE '{"album_id":null,"album_name":null}'::json END ORDER BY above.step), '[]')
    FROM unnest(r.album_path_ids) WITH ORDINALITY AS above (id, step) JOIN album a ON a.tenant_id = r.tenant_id AND a.album_id = above.id) END`;

/** Albums of one kind. */
@Injectable()
export class AlbumsRepository extends ResourceRepository<Album> {
  constructor(
    db: Database,
    private readonly kind: AlbumKind,
  ) {
    super(db, Album, kind.noun);
  }

  /** One page of the albums the caller may read. */
  listAlbums(
    caller: Principal,
    query: ListParameters,
    { where, ...how }: { readonly where: Sql } & Pick<ListOptions, 'steady' | 'effort'>,
  ): Promise<Page<AlbumRow>> {
    const readable = sql`r.album_kind = ${this.kind.name} AND ${aclAllows('r.album_acl', caller, 'view')} AND ${where}`;
    return listPage<AlbumRow>(this.db.current(), Album, query, {
      where: readable,
      select: surroundings(caller),
      ignore: ['album_active'],
      ...how,
    });
  }

  /** One album with the path above it, if the caller may read it (or has just written it). */
  async findAlbumDetail(
    caller: Principal,
    id: string,
    { written = false }: { readonly written?: boolean } = {},
  ): Promise<AlbumDetailRow | undefined> {
    return this.db.current().first<AlbumDetailRow>(
      sql`SELECT ${columnsOf(Album)}, r.row_version, ${surroundings(caller)}, ${pathOf(caller)} AS album_path FROM album r
          WHERE r.tenant_id = ${requireScope().tenant_id} AND r.album_id = ${id} AND r.album_kind = ${this.kind.name} AND ${written ? sql`true` : aclAllows('r.album_acl', caller, 'view')}`,
    );
  }

  /** The album locked for change, with its current surroundings. */
  async lockAround(
    caller: Principal,
    id: string,
    precondition?: Precondition,
    admit?: Admission<Album>,
  ): Promise<{ readonly album: Album; readonly around: Surroundings }> {
    const { row, beside } = await this.lockWith<Surroundings>(
      id,
      sql`${surroundings(caller)}, ${pathOf(caller)} AS album_path`,
      precondition,
      admit,
    );
    return { album: row, around: beside };
  }

  /** One move at a time in a workspace's tree; taken before any row is locked, so that two moves neither cross nor deadlock. */
  async lockTree(): Promise<void> {
    await this.db.current().query(sql`SELECT pg_advisory_xact_lock(hashtextextended('albums:' || ${requireScope().tenant_id}::text, 0))`);
  }

  /** Whether files are in the album, hidden ones too. */
  async hasFiles(id: string): Promise<boolean> {
    const row = await this.db
      .current()
      .first(sql`SELECT 1 FROM album_file WHERE tenant_id = ${requireScope().tenant_id} AND af_album = ${id} LIMIT 1`);
    return row !== undefined;
  }

  /** How many levels of albums are below one; asked under the lock of the tree. */
  async countLevelsBelow(id: string): Promise<number> {
    const row = await this.db
      .current()
      .first<{ levels: number }>(sql`SELECT coalesce(max(levels), 0) AS levels FROM albums_below(${id}::text)`);
    return row?.levels ?? 0;
  }

  /** Whether the workspace has as many albums of the kind as given; asked under the lock of the tree. */
  async hasAtLeast(most: number): Promise<boolean> {
    const row = await this.db
      .current()
      .first<{ count: number }>(
        sql`SELECT count(*) AS count FROM (SELECT FROM album WHERE tenant_id = ${requireScope().tenant_id} AND album_kind = ${this.kind.name} LIMIT ${most}) x`,
      );
    return (row?.count ?? 0) >= most;
  }

  /** With `shown`, a condition on the file `r`, albums without a file that it lets through are empty. */
  async countAlbums(caller: Principal, shown: Sql | null): Promise<Record<string, number>> {
    const unfilled =
      shown === null
        ? sql`album_file_count = 0`
        : sql`NOT EXISTS (SELECT FROM album_file m JOIN file r ON r.tenant_id = m.tenant_id AND r.file_id = m.af_file WHERE m.tenant_id = album.tenant_id AND m.af_album = album.album_id AND NOT m.af_hidden AND ${shown})`;
    const row = await this.db.current().first<Record<string, number>>(
      sql`SELECT count(*) AS count, count(*) FILTER (WHERE album_smart) AS smart, count(*) FILTER (WHERE NOT album_smart) AS curated,
                 count(*) FILTER (WHERE NOT album_smart AND ${unfilled}) AS empty, count(*) FILTER (WHERE album_parent IS NULL) AS top_level
          FROM album WHERE tenant_id = ${requireScope().tenant_id} AND album_kind = ${this.kind.name} AND ${aclAllows('album_acl', caller, 'view')}`,
    );
    return row ?? {};
  }

  /** Re-owns what one member made within one stretch of the workspace's albums, along the primary key. */
  async handOver(
    { from, to }: { readonly from: string; readonly to: string },
    { after, size }: { readonly after: string | null; readonly size: number },
  ): Promise<{ moved: number; seen: number; last: string | null }> {
    const { tenant_id } = requireScope();
    const stretch = await this.db.current().first<{ moved: number; seen: number; last: string | null }>(
      sql`WITH stretch AS MATERIALIZED (SELECT album_id FROM album WHERE tenant_id = ${tenant_id} AND ${after === null ? sql`true` : sql`album_id > ${after}`} ORDER BY album_id LIMIT ${size}),
          moved AS (UPDATE album a SET album_created_by = ${to}, row_version = a.row_version + 1 FROM stretch s
                    WHERE a.tenant_id = ${tenant_id} AND a.album_id = s.album_id AND a.album_created_by = ${from} RETURNING 1)
          SELECT (SELECT count(*) FROM moved) AS moved, (SELECT count(*) FROM stretch) AS seen, (SELECT album_id FROM stretch ORDER BY album_id DESC LIMIT 1) AS last`,
    );
    return stretch ?? { moved: 0, seen: 0, last: null };
  }
}

import { Injectable } from '@nestjs/common';
import { aclAllows, type Principal } from '@atrium/platform/access';
import { Database, empty, listPage, raw, requireScope, sql, type ListParameters, type Page, type Sql } from '@atrium/platform/database';
import { ranksAtEnd, ranksAtStart, ranksBetween } from '@atrium/platform/kernel';
import { AlbumKind } from '../domain/album-kind';
import { Membership, type MembershipRow } from '../domain/membership';

/** An end of an album in its manual order. */
export type Edge = 'first' | 'last';

/** Who adds files to an album, when, and to which end of it. */
export interface AddedBy {
  readonly by: string | null;
  readonly now: Date;
  readonly at?: Edge | undefined;
}

/** Who fills an album at once, when, and with how many files at most. */
export interface FilledBy {
  readonly by: string | null;
  readonly now: Date;
  readonly most: number;
}

/** A member, and on which side of it others are put. */
export interface Neighbour {
  readonly side: 'before' | 'after';
  readonly file: string;
}

/** A list of memberships; `af_album` and `af_file` name one id or several. */
export type MembershipQuery = ListParameters & { readonly af_album?: unknown; readonly af_file?: unknown };

/** Which files are in which albums. Files in trash keep their memberships, hidden. */
@Injectable()
export class MembershipsRepository {
  constructor(
    private readonly db: Database,
    private readonly kind: AlbumKind,
  ) {}

  /**
   * Memberships of albums the caller may read, of the albums and files that are named, one or several; with `shown`, a condition on
   * the file `r`, only those of files that it lets through.
   */
  listMemberships(caller: Principal, asked: MembershipQuery, shown: Sql | null): Promise<Page<MembershipRow>> {
    const { query, several } = oneOrSeveral(asked);
    const within = shown === null ? empty : sql` AND EXISTS (SELECT FROM file r WHERE r.file_id = m.file AND ${shown})`;
    return listPage<MembershipRow>(this.db.current(), Membership, query, {
      join: sql`JOIN album a ON a.tenant_id = r.tenant_id AND a.album_id = r.af_album${shown === null ? empty : sql` CROSS JOIN LATERAL (SELECT r.af_file AS file) m`}`,
      where: sql`NOT r.af_hidden AND a.album_kind = ${this.kind.name} AND ${aclAllows('a.album_acl', caller, 'view')}${within}${several}`,
      steady: true,
    });
  }

  /** Those of the files that were not in the album yet, put where they were asked to be, in the order given; asked with the album locked. */
  async addMembers(album: string, files: readonly string[], { by, now, at = 'last' }: AddedBy): Promise<string[]> {
    const edge = await this.edge(album, at);
    const ranks =
      (at === 'last' ? ranksAtEnd(edge, files.length, now) : ranksAtStart(edge, files.length, now)) ??
      (await this.respaced(album, () => this.ranksAt(album, at, files.length, now)));
    const rows = await this.db.current().query<{ af_file: string }>(
      sql`INSERT INTO album_file (tenant_id, af_album, af_file, af_added_by, af_position)
          SELECT ${requireScope().tenant_id}::uuid, ${album}::uuid, f.id, ${by}::uuid, f.rank FROM unnest(${[...files]}::uuid[], ${ranks}::text[]) AS f (id, rank) ON CONFLICT DO NOTHING RETURNING af_file`,
    );
    return rows.map(({ af_file }) => af_file);
  }

  /** Which of the files are in the album. */
  async filterMembers(album: string, files: readonly string[]): Promise<Set<string>> {
    const rows = await this.db
      .current()
      .query<{ af_file: string }>(
        sql`SELECT af_file FROM album_file WHERE tenant_id = ${requireScope().tenant_id} AND af_album = ${album} AND af_file = ANY(${[...files]}::uuid[]) AND NOT af_hidden`,
      );
    return new Set(rows.map(({ af_file }) => af_file));
  }

  /** One of the files that is in more than so many albums of the kind, if there is any. */
  async findHeldByMore(files: readonly string[], most: number): Promise<string | undefined> {
    const row = await this.db.current().first<{ af_file: string }>(
      sql`SELECT m.af_file FROM album_file m JOIN album a ON a.tenant_id = m.tenant_id AND a.album_id = m.af_album
          WHERE m.tenant_id = ${requireScope().tenant_id} AND m.af_file = ANY(${[...files]}::uuid[]) AND a.album_kind = ${this.kind.name} GROUP BY 1 HAVING count(*) > ${most} LIMIT 1`,
    );
    return row?.af_file;
  }

  /** Puts members behind all others, in the order given; asked with the album locked. */
  async placeLast(album: string, files: readonly string[], now: Date): Promise<void> {
    await this.rank(album, files, ranksAtEnd(await this.edge(album, 'last'), files.length, now));
  }

  /** Puts members beside another one, in the order given; asked with the album locked. */
  async moveMembers(album: string, files: readonly string[], beside: Neighbour): Promise<void> {
    const ranks =
      (await this.ranksBeside(album, files, beside)) ?? (await this.respaced(album, () => this.ranksBeside(album, files, beside)));
    await this.rank(album, files, ranks);
  }

  /** Puts copies of the members that one may see into another album, in their order; which. */
  async copyMembers(from: string, to: string, { by, most }: FilledBy): Promise<string[]> {
    const rows = await this.db.current().query<{ af_file: string }>(
      sql`INSERT INTO album_file (tenant_id, af_album, af_file, af_added_by, af_position, af_file_created)
          SELECT tenant_id, ${to}::uuid, af_file, ${by}::uuid, af_position, af_file_created FROM album_file WHERE tenant_id = ${requireScope().tenant_id} AND af_album = ${from} AND NOT af_hidden
          LIMIT ${most} RETURNING af_file`,
    );
    return rows.map(({ af_file }) => af_file);
  }

  /** Puts the files that a condition on `r` finds into an album, the oldest first; which. */
  async addMatching(album: string, condition: Sql, { by, now, most }: FilledBy): Promise<string[]> {
    const rows = await this.db.current().query<{ af_file: string }>(
      sql`INSERT INTO album_file (tenant_id, af_album, af_file, af_added_by, af_position, af_file_created)
          SELECT x.tenant_id, ${album}::uuid, x.file_id, ${by}::uuid, lpad(to_hex(${now.getTime() * 1000}::bigint + row_number() OVER (ORDER BY x.file_created, x.file_id)), 14, '0'), x.file_created
          FROM (SELECT r.tenant_id, r.file_id, r.file_created FROM file r WHERE ${condition} LIMIT ${most}) x RETURNING af_file`,
    );
    return rows.map(({ af_file }) => af_file);
  }

  /** Those of the files that lay in the album. */
  async removeMembers(album: string, files: readonly string[]): Promise<string[]> {
    const rows = await this.db
      .current()
      .query<{ af_file: string }>(
        sql`DELETE FROM album_file WHERE tenant_id = ${requireScope().tenant_id} AND af_album = ${album} AND af_file = ANY(${[...files]}::uuid[]) RETURNING af_file`,
      );
    return rows.map(({ af_file }) => af_file);
  }

  /** Takes files out of every album, as they leave the library. */
  async removeFromAll(files: readonly string[]): Promise<void> {
    await this.db
      .current()
      .execute(sql`DELETE FROM album_file WHERE tenant_id = ${requireScope().tenant_id} AND af_file = ANY(${[...files]}::uuid[])`);
  }

  /** Hides the memberships of files that go to trash, or shows them again. */
  async setHidden(files: readonly string[], hidden: boolean): Promise<void> {
    await this.db
      .current()
      .execute(
        sql`UPDATE album_file SET af_hidden = ${hidden} WHERE tenant_id = ${requireScope().tenant_id} AND af_file = ANY(${[...files]}::uuid[]) AND af_hidden <> ${hidden}`,
      );
  }

  /** Readable albums that hold the file; how many more hold it unseen. */
  async listAlbumsOfFile(
    caller: Principal,
    file: string,
  ): Promise<
    { readonly album_id: string; readonly album_name: string; readonly album_kind: AlbumKind['name']; readonly readable: boolean }[]
  > {
    return this.db.current().query(
      sql`SELECT a.album_id, a.album_name, a.album_kind, ${aclAllows('a.album_acl', caller, 'view')} AS readable FROM album_file f JOIN album a ON a.tenant_id = f.tenant_id AND a.album_id = f.af_album
          WHERE f.tenant_id = ${requireScope().tenant_id} AND f.af_file = ${file} ORDER BY a.album_name, a.album_id`,
    );
  }

  private async rank(album: string, files: readonly string[], ranks: readonly string[]): Promise<void> {
    await this.db
      .current()
      .execute(
        sql`UPDATE album_file m SET af_position = f.rank FROM unnest(${[...files]}::uuid[], ${[...ranks]}::text[]) AS f (id, rank) WHERE m.tenant_id = ${requireScope().tenant_id} AND m.af_album = ${album} AND m.af_file = f.id`,
      );
  }

  private async ranksAt(album: string, at: Edge, count: number, now: Date): Promise<string[] | null> {
    const edge = await this.edge(album, at);
    return at === 'last' ? ranksAtEnd(edge, count, now) : ranksAtStart(edge, count, now);
  }

  private async edge(album: string, at: Edge): Promise<string | null> {
    const direction = raw(at === 'last' ? 'DESC' : 'ASC');
    const row = await this.db
      .current()
      .first<{ af_position: string }>(
        sql`SELECT af_position FROM album_file WHERE tenant_id = ${requireScope().tenant_id} AND af_album = ${album} ORDER BY af_position ${direction} LIMIT 1`,
      );
    return row?.af_position ?? null;
  }

  /** Ranks between a member and the one next to it, those that move left out of account; null without room. */
  private async ranksBeside(album: string, files: readonly string[], { side, file }: Neighbour): Promise<string[] | null> {
    const before = side === 'before';
    const row = await this.db.current().first<{ anchor: string; next: string | null }>(
      sql`SELECT a.af_position AS anchor,
                 (SELECT m.af_position FROM album_file m WHERE m.tenant_id = a.tenant_id AND m.af_album = a.af_album AND m.af_file <> ALL(${[...files]}::uuid[])
                    AND (m.af_position, m.af_file) ${raw(before ? '<' : '>')} (a.af_position, a.af_file)
                  ORDER BY m.af_position ${raw(before ? 'DESC' : 'ASC')}, m.af_file ${raw(before ? 'DESC' : 'ASC')} LIMIT 1) AS next
          FROM album_file a WHERE a.tenant_id = ${requireScope().tenant_id} AND a.af_album = ${album} AND a.af_file = ${file}`,
    );
    if (!row) return null;
    return before ? ranksBetween(row.next, row.anchor, files.length) : ranksBetween(row.anchor, row.next, files.length);
  }

  /** Spreads the ranks of an album again and asks once more: where two are equal, or their gap has become too fine. */
  private async respaced(album: string, ranks: () => Promise<string[] | null>): Promise<string[]> {
    const { tenant_id } = requireScope();
    await this.db.current().execute(
      sql`UPDATE album_file m SET af_position = lpad(to_hex(s.step * 65536), 14, '0')
          FROM (SELECT af_file, row_number() OVER (ORDER BY af_position, af_file) AS step FROM album_file WHERE tenant_id = ${tenant_id} AND af_album = ${album}) s
          WHERE m.tenant_id = ${tenant_id} AND m.af_album = ${album} AND m.af_file = s.af_file`,
    );
    const found = await ranks();
    if (!found) throw new Error('An album whose ranks were just spread has no room between two of them.');
    return found;
  }
}

/** One id is a filter as declared, along its index; several are a condition besides. */
function oneOrSeveral({ af_album, af_file, ...query }: MembershipQuery): { readonly query: ListParameters; readonly several: Sql } {
  const [albums, files] = [distinct(af_album), distinct(af_file)];
  return {
    query: {
      ...query,
      ...(albums?.length === 1 ? { af_album: albums[0] } : {}),
      ...(files?.length === 1 ? { af_file: files[0] } : {}),
    },
    several: sql`${among(sql`r.af_album`, albums)}${among(sql`r.af_file`, files)}`,
  };
}

const distinct = (ids: unknown): readonly string[] | undefined => (ids === undefined ? undefined : [...new Set([ids].flat().map(String))]);

const among = (column: Sql, ids: readonly string[] | undefined): Sql =>
  ids === undefined || ids.length === 1 ? empty : sql` AND ${column} = ANY(${[...ids]}::uuid[])`;

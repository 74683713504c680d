import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Database, join, requireScope, sql, type Sql } from '@atrium/platform/database';
import type { JsonObject } from '@atrium/platform/kernel';
import { SavedSearches, SearchLanguage, toJson, type SearchQuery } from '@atrium/files';
import type { Album } from '../domain/album';
import { AlbumKind } from '../domain/album-kind';

/** What a smart album holds for one reader: how many files (counted up to 10,000), the newest, and by which query. */
export interface HeldFiles {
  readonly count: number;
  readonly exact: boolean;
  readonly newest: string | null;
  readonly query: JsonObject;
}

type Smart = Pick<Album, 'album_id' | 'album_smart' | 'album_query'>;

/** Where counting the files of a smart album stops. */
export const COUNTED = 10_000;

/** What smart albums show: their saved searches, run with the reader's rights at the moment of reading. */
@Injectable()
export class SmartContents {
  constructor(
    private readonly db: Database,
    private readonly searches: SavedSearches,
    private readonly language: SearchLanguage,
    private readonly kind: AlbumKind,
  ) {}

  /** What fills an album that a condition on `a` lets the reader see: a saved search, or people. */
  findAlbum(id: string, readable: Sql): Promise<{ readonly album_query: string | null } | undefined> {
    return this.db
      .current()
      .first(
        sql`SELECT a.album_query FROM album a WHERE a.tenant_id = ${requireScope().tenant_id} AND a.album_id = ${id} AND a.album_kind = ${this.kind.name} AND ${readable}`,
      );
  }

  /** The query of one smart album. */
  async readQuery(album: Pick<Album, 'album_query'>): Promise<SearchQuery> {
    const found = album.album_query === null ? undefined : (await this.searches.queriesOf([album.album_query])).get(album.album_query);
    return found ?? {};
  }

  /** Condition on `r`: a library file that the reader may see and that the query finds. */
  async buildContentCondition(reader: Principal, query: SearchQuery): Promise<Sql> {
    const { where } = await this.language.compileQuery({ scope: this.kind.name, query, reader });
    return sql`${this.language.scopeCondition(this.kind.name, reader)} AND (${where})`;
  }

  /** Conditions on `r` of the smart ones among the albums; a number of statements that does not grow with them. */
  async buildContentConditions(reader: Principal, albums: readonly Smart[]): Promise<readonly Sql[]> {
    const asked = albums.flatMap(({ album_query }) => (album_query === null ? [] : [album_query]));
    const queries = await this.searches.queriesOf(asked);
    const compiled = await this.language.compileMany([...queries.values()].map((query) => ({ scope: this.kind.name, query, reader })));
    return compiled.map(({ where }) => sql`(${where})`);
  }

  /** Whether the condition holds for a file. */
  async matchesFile(condition: Sql, file_id: string): Promise<boolean> {
    return (await this.db.current().first(sql`SELECT 1 FROM file r WHERE ${condition} AND r.file_id = ${file_id}::uuid`)) !== undefined;
  }

  /** What the smart ones among the albums hold, in a number of statements that does not grow with them. */
  async countContents(reader: Principal, albums: readonly Smart[]): Promise<ReadonlyMap<string, HeldFiles>> {
    const smart = albums.flatMap(({ album_id, album_query }) => (album_query === null ? [] : [{ album_id, album_query }]));
    if (smart.length === 0) return new Map();
    const queries = await this.searches.queriesOf(smart.map(({ album_query }) => album_query));
    const asked = smart.flatMap(({ album_id, album_query }) => {
      const query = queries.get(album_query);
      return query ? [{ album_id, query }] : [];
    });
    const compiled = await this.language.compileMany(asked.map(({ query }) => ({ scope: this.kind.name, query, reader })));
    const within = this.language.scopeCondition(this.kind.name, reader);
    const each = asked.map(({ album_id }, at) => counted(album_id, sql`${within} AND (${compiled[at]?.where ?? sql`false`})`));
    const rows = await this.db.current().query<{ album_id: string; count: number; newest: string | null }>(join(each, ' UNION ALL '));
    const byAlbum = new Map(rows.map((row) => [row.album_id, row]));
    return new Map(
      asked.map(({ album_id, query }) => {
        const { count = 0, newest = null } = byAlbum.get(album_id) ?? {};
        return [album_id, { count: Math.min(count, COUNTED), exact: count <= COUNTED, newest, query: toJson(query) }];
      }),
    );
  }
}

/**
 * The newest so many, and of them the first: along an index of the files by when they were added, or of those that an
 * index finds; never through the files of all workspaces until enough have been met.
 */
const counted = (album_id: string, condition: Sql): Sql => sql`
  SELECT ${album_id}::uuid AS album_id, count(*)::integer AS count, (array_agg(x.file_id ORDER BY x.file_created DESC, x.file_id DESC))[1] AS newest
  FROM (SELECT r.file_id, r.file_created FROM file r WHERE ${condition} ORDER BY r.file_created DESC, r.file_id DESC LIMIT ${COUNTED + 1}) x`;

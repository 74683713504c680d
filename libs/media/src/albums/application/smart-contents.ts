import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { sql, type Sql } from '@atrium/platform/database';
import type { JsonObject } from '@atrium/platform/kernel';
import { SavedSearches, SearchLanguage, toJson, type SearchQuery } from '@atrium/files';
import type { Album } from '../domain/album';
import { AlbumKind } from '../domain/album-kind';
import { AlbumFileRows } from '../infrastructure/album-files.rows';
import { AlbumReadingRows, type FilledAlbum } from '../infrastructure/album-reading.rows';

/** What a smart album holds for one reader: how many files (counted up to 10,000), the newest, and by which query. */
export interface HeldFiles {
  readonly count: number;
  readonly exact: boolean;
  readonly newest: string | null;
  readonly query: JsonObject;
}

/** Where counting the files of a smart album stops. */
export const COUNTED = 10_000;

/** What smart albums show: their saved searches, run with the reader's rights at the moment of reading. */
@Injectable()
export class SmartContents {
  constructor(
    private readonly albums: AlbumReadingRows,
    private readonly files: AlbumFileRows,
    private readonly searches: SavedSearches,
    private readonly language: SearchLanguage,
    private readonly kind: AlbumKind,
  ) {}

  /** What fills an album that a condition on `a` lets the reader see: a saved search, or people. */
  findAlbum(id: string, readable: Sql): Promise<{ readonly album_query: string | null } | undefined> {
    return this.albums.findQuery(this.kind.name, id, readable);
  }

  /** The query of one smart album. */
  async readQuery(album: Pick<Album, 'album_query'>): Promise<SearchQuery> {
    const found = album.album_query === null ? undefined : (await this.searches.findQueries([album.album_query])).get(album.album_query);
    return found ?? {};
  }

  /** Condition on `r`: a library file that the reader may see and that the query finds. */
  async buildContentCondition(reader: Principal, query: SearchQuery): Promise<Sql> {
    const { where } = await this.language.compileQuery({ scope: this.kind.name, query, reader });
    return sql`${this.language.scopeCondition(this.kind.name, reader)} AND (${where})`;
  }

  /** Conditions on `r` of the smart ones among the albums; a number of statements that does not grow with them. */
  async buildContentConditions(reader: Principal, albums: readonly FilledAlbum[]): Promise<readonly Sql[]> {
    const asked = albums.flatMap(({ album_query }) => (album_query === null ? [] : [album_query]));
    const queries = await this.searches.findQueries(asked);
    const compiled = await this.language.compileMany([...queries.values()].map((query) => ({ scope: this.kind.name, query, reader })));
    return compiled.map(({ where }) => sql`(${where})`);
  }

  /** Whether the condition holds for a file. */
  matchesFile(condition: Sql, file_id: string): Promise<boolean> {
    return this.files.matchesFile(condition, file_id);
  }

  /** What the smart ones among the albums hold, in a number of statements that does not grow with them. */
  async countContents(reader: Principal, albums: readonly FilledAlbum[]): Promise<ReadonlyMap<string, HeldFiles>> {
    const smart = albums.flatMap(({ album_id, album_query }) => (album_query === null ? [] : [{ album_id, album_query }]));
    if (smart.length === 0) return new Map();
    const queries = await this.searches.findQueries(smart.map(({ album_query }) => album_query));
    const asked = smart.flatMap(({ album_id, album_query }) => {
      const query = queries.get(album_query);
      return query ? [{ album_id, query }] : [];
    });
    const compiled = await this.language.compileMany(asked.map(({ query }) => ({ scope: this.kind.name, query, reader })));
    const within = this.language.scopeCondition(this.kind.name, reader);
    const byAlbum = await this.files.countFound(
      asked.map(({ album_id }, at) => ({ album_id, condition: sql`${within} AND (${compiled[at]?.where ?? sql`false`})` })),
      COUNTED + 1,
    );
    return new Map(
      asked.map(({ album_id, query }) => {
        const { count = 0, newest = null } = byAlbum.get(album_id) ?? {};
        return [album_id, { count: Math.min(count, COUNTED), exact: count <= COUNTED, newest, query: toJson(query) }];
      }),
    );
  }
}

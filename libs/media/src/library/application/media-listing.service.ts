import { Injectable } from '@nestjs/common';
import { aclAllows, type Principal } from '@atrium/platform/access';
import { Database, empty, isLargePage, sql, type ListOptions, type Page, type Sql } from '@atrium/platform/database';
import { isId, notFound } from '@atrium/platform/kernel';
import { FileSimilarity, LibraryFiles, type FileRow } from '@atrium/files';
import { Embedder, VectorIndex, type Near } from '@atrium/retrieval';
import { AlbumAccess } from '../../albums/application/album-access';
import { MediaFiles, type MediaFileExtras } from './media-files';
import { MediaQuery, type MediaFilters } from './media-query';
import { MOST_SCORED, scoredPage } from './scored-pages';
import { SmartContents } from '../../albums/application/smart-contents';

export type ListedMediaFile = FileRow & MediaFileExtras & { readonly similarity?: number };

/** How a page was found: by meaning, or by words where meaning was asked for and could not be computed. */
export type SearchMode = 'meaning' | 'text';

export interface MediaPage {
  readonly page: Page<ListedMediaFile>;
  readonly mode: SearchMode | null;
}

/** What decides which files of the library are meant: a condition on `r`, and a join where an album's own order is read. */
export interface Selection {
  readonly where: Sql;
  readonly join: Sql;
  readonly orders: NonNullable<ListOptions['orders']>;
  readonly sort: string | undefined;
}

const DEFAULT_THRESHOLD = 0.2;
const KIND = 'media-file';
const TAKEN = { taken: { key: sql`r.file_taken` } };
/** Filters that are answered here and not by the declared fields of files. */
const OWN = ['file_name', 'file_metadata'];

/**
 * Lists the media library: filters are leaves of the search language, albums are read along their own indexes, and
 * likeness orders by score. Whatever the filters, a page costs a constant number of statements.
 */
@Injectable()
export class MediaListing {
  constructor(
    private readonly db: Database,
    private readonly library: LibraryFiles,
    private readonly media: MediaFiles,
    private readonly asked: MediaQuery,
    private readonly albums: AlbumAccess,
    private readonly contents: SmartContents,
    private readonly likeness: FileSimilarity,
    private readonly embedder: Embedder,
    private readonly vectors: VectorIndex,
  ) {}

  async listMedia(caller: Principal, filters: MediaFilters): Promise<MediaPage> {
    if (filters.embedding_search !== undefined) return this.byMeaning(caller, filters, filters.embedding_search);
    if (filters.similar_to !== undefined) return { page: await this.byLooks(caller, filters, filters.similar_to), mode: null };
    return { page: await this.inOrder(caller, filters), mode: null };
  }

  /** What an album holds, curated or smart alike; one that the caller may not read is not found. */
  async listAlbum(caller: Principal, album: string, filters: MediaFilters): Promise<MediaPage> {
    await this.db.read(() => this.albums.requireReadable(caller, album));
    return this.listMedia(caller, { ...filters, album });
  }

  /** The files that the filters mean; within a unit of work. */
  async selectFiles(caller: Principal, filters: MediaFilters): Promise<Selection> {
    const [{ where, sort }, album] = [await this.asked.compileFilters(caller, filters), await this.inAlbum(caller, filters.album)];
    return { where: sql`${where} AND ${album.where}`, join: album.join, orders: { ...TAKEN, ...album.orders }, sort: filters.sort ?? sort };
  }

  private inOrder(caller: Principal, filters: MediaFilters): Promise<Page<ListedMediaFile>> {
    const read = async (): Promise<Page<ListedMediaFile>> => {
      const { where, join, orders, sort } = await this.selectFiles(caller, filters);
      const page = await this.library.listFiles(caller, 'media', { ...filters, sort }, { where: [where], join, orders, ignore: OWN });
      return { ...page, data: await this.media.completeRows(caller, page.data) };
    };
    return isLargePage(filters) ? this.db.readMany(read) : this.db.read(read);
  }

  /** The text is embedded before the unit of work begins; where that fails, its words are searched. */
  private async byMeaning(caller: Principal, filters: MediaFilters, text: string): Promise<MediaPage> {
    const query = await this.embedder.embedQuery(text);
    if (!query)
      return { page: await this.inOrder(caller, { ...filters, embedding_search: undefined, q: filters.q ?? text }), mode: 'text' };
    const page = await this.scored(caller, filters, (among) =>
      this.vectors.findNearest(
        KIND,
        { vector: query.vector },
        {
          model: query.model,
          limit: MOST_SCORED,
          threshold: filters.similarityThreshold ?? Math.min(query.threshold, DEFAULT_THRESHOLD),
          ...(among ? { among } : {}),
        },
      ),
    );
    return { page, mode: 'meaning' };
  }

  /** Pictures that look like another one; the file itself is not among them. */
  private byLooks(caller: Principal, filters: MediaFilters, id: string): Promise<Page<ListedMediaFile>> {
    return this.scored(caller, filters, async () => {
      if ((await this.library.findVisible(caller, 'media', [id])).length === 0) throw notFound('file');
      const near = await this.likeness.findCandidates(id, {
        by: 'visual',
        threshold: filters.similarityThreshold ?? DEFAULT_THRESHOLD,
        limit: MOST_SCORED,
      });
      return near.map(({ file_id, similarity }) => ({ id: file_id, similarity }));
    });
  }

  private scored(
    caller: Principal,
    filters: MediaFilters,
    find: (among: Sql | undefined) => Promise<readonly Near[]>,
  ): Promise<Page<ListedMediaFile>> {
    return this.db.read(async () => {
      const { where, join } = await this.selectFiles(caller, filters);
      const chosen = this.library.selectionQuery(caller, 'media', filters, { where: [where], join, ignore: OWN });
      const near = await find(isNarrowed(filters) ? chosen : undefined);
      const kept = await this.library.filterChosen(
        chosen,
        near.map(({ id }) => id),
      );
      const { slice, ...position } = scoredPage(
        near.filter(({ id }) => kept.has(id)),
        filters,
      );
      const score = new Map(slice.map(({ id, similarity }) => [id, similarity]));
      const rows = await this.media.findVisible(
        caller,
        slice.map(({ id }) => id),
      );
      return {
        ...position,
        data: rows.map(({ file_kind: _, row_version: __, ...row }) => ({ ...row, similarity: score.get(row.file_id) ?? 0 })),
      };
    });
  }

  /** Members of a curated album come along its indexes, in its own orders; what fills a smart one is a condition. */
  private async inAlbum(caller: Principal, id: string | undefined): Promise<Omit<Selection, 'sort'>> {
    if (id === undefined) return { where: sql`true`, join: empty, orders: {} };
    const album = isId(id) ? await this.contents.findAlbum(id, aclAllows('a.album_acl', caller, 'view')) : undefined;
    if (!album) return { where: sql`false`, join: empty, orders: {} };
    if (album.album_query !== null)
      return { where: await this.contents.buildContentCondition(caller, await this.contents.readQuery(album)), join: empty, orders: {} };
    return {
      where: sql`true`,
      join: sql`JOIN album_file m ON m.tenant_id = r.tenant_id AND m.af_file = r.file_id AND m.af_album = ${id}::uuid AND NOT m.af_hidden`,
      orders: {
        file_created: { key: sql`m.af_file_created`, id: sql`m.af_file` },
        af_position: { key: sql`m.af_position`, id: sql`m.af_file` },
      },
    };
  }
}

const NARROWING_NOT: ReadonlySet<string> = new Set([
  'cursor',
  'limit',
  'limit_extended',
  'offset',
  'sort',
  'embedding_search',
  'similar_to',
  'similarityThreshold',
]);

/** Whether less than the whole library is searched by likeness. */
const isNarrowed = (filters: MediaFilters): boolean =>
  Object.entries(filters).some(([name, value]) => value !== undefined && !NARROWING_NOT.has(name));

import { Injectable } from '@nestjs/common';
import { LibraryFiles, type LibraryFileRow } from '@atrium/files';
import type { Principal } from '@atrium/platform/access';
import { Database, isLargePage, sql, type Page } from '@atrium/platform/database';
import { notFound } from '@atrium/platform/kernel';
import { scoredDepth, scoredPage } from '@atrium/media';
import { Embedder, NearFiles } from '@atrium/retrieval';
import { FolderFiles, type NamedFolder } from '../folders/folder-files.service';
import { DocumentQuery, type DocumentFilters } from './document-query';
import { DocumentRows, type DocumentRow } from './document-rows';
import { DocumentsRepository, type DocumentFormat } from './documents.repository';

export type ScoredDocument = DocumentRow & { readonly similarity: number };

type QueryVector = NonNullable<Awaited<ReturnType<Embedder['embedQuery']>>>;

export type DocumentDetails = DocumentRow & { readonly folders: readonly NamedFolder[]; readonly row_version: number };

/** How a page was found: by meaning, or by words because the text could not be embedded. */
export type SearchMode = 'meaning' | 'text';

/** A document of a list; with a similarity if the list was asked for by meaning, null if its words were searched instead. */
export type ListedDocument = DocumentRow & { readonly similarity?: ScoredDocument['similarity'] | null };

export interface DocumentList {
  readonly page: Page<ListedDocument>;
  readonly mode: SearchMode | null;
}

export interface FormatsAnswer {
  readonly data: readonly DocumentFormat[];
  readonly counted: boolean;
}

const LIBRARY = 'docs';
const PAGES = { file_pages: { key: sql`coalesce(r.file_pages, 0)` } };
/** Documents beyond which formats are listed without counts. */
const MOST_COUNTED = 500_000;

/** The documents of the library as they are listed, counted and read. */
@Injectable()
export class DocumentsService {
  constructor(
    private readonly db: Database,
    private readonly library: LibraryFiles,
    private readonly asked: DocumentQuery,
    private readonly rows: DocumentRows,
    private readonly folders: FolderFiles,
    private readonly documents: DocumentsRepository,
    private readonly embedder: Embedder,
    private readonly near: NearFiles,
  ) {}

  /** By meaning where that is asked for; if the text cannot be embedded, it is searched for in names and summaries. */
  async list(caller: Principal, filters: DocumentFilters): Promise<DocumentList> {
    const { embedding_search: text } = filters;
    if (text === undefined) return { page: await this.inOrder(caller, filters), mode: null };
    const near = await this.listByMeaning(caller, text, filters);
    if (near) return { page: near, mode: 'meaning' };
    const page = await this.inOrder(caller, { ...filters, sort: undefined }, text);
    return { page: { ...page, data: page.data.map((row) => ({ ...row, similarity: null })) }, mode: 'text' };
  }

  /** One document with the folders that hold it, deprecated too. */
  get(caller: Principal, id: string): Promise<DocumentDetails> {
    return this.db.read(async () => {
      const row = await this.requireRow(caller, id);
      const [document] = await this.rows.completeRows(caller, [row]);
      if (!document) throw notFound('document');
      const { file_kind: _, ...shown } = document;
      return { ...shown, folders: (await this.folders.findHoldingFolders(caller, [id])).get(id) ?? [] };
    });
  }

  /** The row of a document that the caller sees; within a unit of work. */
  async requireRow(caller: Principal, id: string): Promise<LibraryFileRow> {
    const [row] = await this.library.findVisible(caller, LIBRARY, [id]);
    if (!row) throw notFound('document');
    return row;
  }

  listFormats(caller: Principal, filters: Pick<DocumentFilters, 'folder' | 'lifecycle'>, most = MOST_COUNTED): Promise<FormatsAnswer> {
    return this.db.readMany(async () => {
      const where = await this.asked.buildFilterCondition(caller, filters);
      const selection = this.library.countClauses(caller, LIBRARY, {}, { where: [where] });
      return this.documents.countFormats(selection.from, selection.where, most);
    });
  }

  private inOrder(caller: Principal, filters: DocumentFilters, words?: string): Promise<Page<DocumentRow>> {
    const read = async (): Promise<Page<DocumentRow>> => {
      const where = await this.asked.buildFilterCondition(caller, filters, words);
      const page = await this.library.listFiles(caller, LIBRARY, filters, { where: [where], orders: PAGES, ignore: OWN_FILTERS });
      return { ...page, data: await this.rows.completeRows(caller, page.data) };
    };
    return isLargePage(filters) ? this.db.readMany(read) : this.db.read(read);
  }

  /** Null where the text cannot be embedded, or not in time. Called outside of a unit of work. */
  private async listByMeaning(caller: Principal, text: string, filters: DocumentFilters): Promise<Page<ScoredDocument> | null> {
    const query = await this.embedder.embedQuery(text);
    return query && this.db.read(() => this.page(caller, query, filters));
  }

  private async page(
    caller: Principal,
    { vector, model, threshold }: QueryVector,
    filters: DocumentFilters,
  ): Promise<Page<ScoredDocument>> {
    const where = await this.asked.buildFilterCondition(caller, filters);
    const near = await this.near.findNearFiles({
      vector,
      model,
      threshold: filters.similarityThreshold ?? threshold,
      limit: scoredDepth(filters),
      scope: LIBRARY,
      among: this.library.selectionQuery(caller, LIBRARY, filters, { where: [where], ignore: OWN_FILTERS }),
    });
    const { slice, ...position } = scoredPage(near, filters);
    const similarity = new Map(slice.map(({ id, similarity: score }) => [id, score]));
    const found = await this.library.findVisible(
      caller,
      LIBRARY,
      slice.map(({ id }) => id),
    );
    const rows = found.map(({ file_kind: _, row_version: __, ...row }) => ({ ...row, similarity: similarity.get(row.file_id) ?? 0 }));
    return { ...position, data: await this.rows.completeRows(caller, rows) };
  }
}

/** Filters that are answered here and not by the declared fields of files. */
const OWN_FILTERS = ['file_metadata', 'file_id'];

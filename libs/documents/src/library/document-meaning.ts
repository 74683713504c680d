import { Injectable } from '@nestjs/common';
import { LibraryFiles } from '@atrium/files';
import { scoredDepth, scoredPage } from '@atrium/media';
import type { Principal } from '@atrium/platform/access';
import { Database, type Page } from '@atrium/platform/database';
import { Embedder, NearFiles } from '@atrium/retrieval';
import { DocumentQuery, type DocumentFilters } from './document-query';
import { DocumentRows, type DocumentRow } from './document-rows';

const LIBRARY = 'docs';

export type ScoredDocument = DocumentRow & { readonly similarity: number };

type QueryVector = NonNullable<Awaited<ReturnType<Embedder['query']>>>;

/** The documents in the order of how near their best passage is to a text. Deprecated ones are in no index and never among them. */
@Injectable()
export class DocumentMeaning {
  constructor(
    private readonly db: Database,
    private readonly library: LibraryFiles,
    private readonly asked: DocumentQuery,
    private readonly rows: DocumentRows,
    private readonly embedder: Embedder,
    private readonly near: NearFiles,
  ) {}

  /** Null where the text cannot be embedded, or not in time. Called outside of a unit of work. */
  async list(caller: Principal, text: string, filters: DocumentFilters): Promise<Page<ScoredDocument> | null> {
    const query = await this.embedder.query(text);
    return query && this.db.read(() => this.page(caller, query, filters));
  }

  private async page(
    caller: Principal,
    { vector, model, threshold }: QueryVector,
    filters: DocumentFilters,
  ): Promise<Page<ScoredDocument>> {
    const where = await this.asked.condition(caller, filters);
    const near = await this.near.find({
      vector,
      model,
      threshold: filters.similarityThreshold ?? threshold,
      limit: scoredDepth(filters),
      scope: LIBRARY,
      among: this.library.chosen(caller, LIBRARY, filters, { where: [where], ignore: OWN_FILTERS }),
    });
    const { slice, ...position } = scoredPage(near, filters);
    const similarity = new Map(slice.map(({ id, similarity: score }) => [id, score]));
    const found = await this.library.among(
      caller,
      LIBRARY,
      slice.map(({ id }) => id),
    );
    const rows = found.map(({ file_kind: _, row_version: __, ...row }) => ({ ...row, similarity: similarity.get(row.file_id) ?? 0 }));
    return { ...position, data: await this.rows.complete(caller, rows) };
  }
}

/** Filters that are answered here and not by the declared fields of files. */
export const OWN_FILTERS = ['file_metadata', 'file_id'];

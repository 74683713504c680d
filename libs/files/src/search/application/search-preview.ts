import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Database, sql, type ListOrder } from '@atrium/platform/database';
import type { FieldFault, JsonObject, JsonValue } from '@atrium/platform/kernel';
import { toJson, type SearchScope } from '../domain/search-query';
import { FileAccess } from '../../core/application/file-access';
import type { FileRow } from '../../core/domain/file-row';
import { LibraryFiles } from '../../core/application/library-files';
import { SearchLanguage, type SearchCount } from './search-language';

export interface PreviewOrder {
  readonly sq_scope: SearchScope;
  readonly sq_query: JsonObject;
  readonly limit?: number;
  readonly explain?: boolean;
}

/** How many files one leaf of the canonical form matches on its own. */
export interface ExplainedLeaf extends SearchCount {
  readonly path: string;
  readonly field: string;
  readonly op: string;
  readonly value: JsonValue;
}

export interface SearchPreviewAnswer extends SearchCount {
  readonly data: readonly FileRow[];
  readonly warnings: readonly FieldFault[];
  readonly canonical: JsonObject;
  readonly leaves?: readonly ExplainedLeaf[];
}

const PREVIEWED = 20;
const ORDERS: Readonly<Record<string, ListOrder>> = {
  taken: { key: sql`r.file_taken` },
  file_pages: { key: sql`coalesce(r.file_pages, 0)` },
};

/** Tries a query out: how many files it finds for the caller, the first of them, and what each of its leaves adds. Keeps nothing. */
@Injectable()
export class SearchPreview {
  constructor(
    private readonly db: Database,
    private readonly language: SearchLanguage,
    private readonly library: LibraryFiles,
    private readonly access: FileAccess,
  ) {}

  previewSearch(
    reader: Principal,
    { sq_scope: scope, sq_query, limit = PREVIEWED, explain = false }: PreviewOrder,
  ): Promise<SearchPreviewAnswer> {
    return this.db.read(async () => {
      await this.access.assertRepository(reader, { type: scope, id: null }, 'view');
      const query = await this.language.readQuery(sq_query, scope, 'sq_query');
      const request = { scope, query, reader };
      const [warnings = []] = await this.language.findWarnings([request]);
      const { where, sort } = await this.language.compileQuery(request);
      const { data } = await this.library.listFiles<FileRow>(reader, scope, { limit, sort }, { where: [where], orders: ORDERS });
      const count = await this.language.countMatches(request, { fresh: true });
      const answer = { ...count, data, warnings, canonical: toJson(query) };
      if (!explain) return answer;
      const leaves = await this.language.explainLeaves(request);
      return {
        ...answer,
        leaves: leaves.map(({ path, leaf, count: matched, count_exact }) => ({
          path,
          field: leaf.field,
          op: leaf.op,
          value: leaf.value ?? null,
          count: matched,
          count_exact,
        })),
      };
    });
  }
}

import { Injectable } from '@nestjs/common';
import { licenseRequired, type Principal } from '@atrium/platform/access';
import { Database, listPage, sql, type ListParameters, type Page, type Precondition } from '@atrium/platform/database';
import { Clock, Ids, invalidField, notFound, type FieldFault, type JsonObject } from '@atrium/platform/kernel';
import { SavedSearch, searchInUse } from '../domain/saved-search';
import { SEARCH_SCOPES, toJson, type SearchQuery, type SearchScope } from '../domain/search-query';
import { SavedSearchesRepository } from '../infrastructure/saved-searches.repository';
import { FileAccess } from '../../core/application/file-access';
import { SavedSearchUses } from './saved-search-uses';
import { SearchLanguage } from './search-language';

export interface SavedSearchFacts {
  readonly sq_name: string;
  readonly sq_scope: SearchScope;
  readonly sq_query: JsonObject;
}

export interface ListedSearches extends ListParameters {
  readonly sq_scope?: SearchScope;
}

type SavedSearchRow = Pick<SavedSearch, 'sq_id' | 'sq_name' | 'sq_scope' | 'sq_query' | 'sq_created' | 'sq_updated' | 'sq_created_by'>;

/** A saved search as clients see it; `row_version` becomes the ETag. */
export type SavedSearchAnswer = SavedSearchRow & {
  readonly sq_warnings: readonly FieldFault[];
  readonly sq_used_by: number;
  readonly row_version?: number;
};

/** Queries that people named: who may see and change them follows from their library, what they find from who reads. */
@Injectable()
export class SavedSearches {
  constructor(
    private readonly db: Database,
    private readonly searches: SavedSearchesRepository,
    private readonly language: SearchLanguage,
    private readonly uses: SavedSearchUses,
    private readonly access: FileAccess,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  list(caller: Principal, query: ListedSearches): Promise<Page<SavedSearchAnswer>> {
    return this.db.read(async (tx) => {
      if (query.sq_scope === 'docs' && !caller.modules.has('module-documents')) throw licenseRequired('module-documents');
      const scopes = SEARCH_SCOPES.filter((scope) => this.access.isAllowed(caller, { type: scope, id: null }, 'view'));
      const page = await listPage<SavedSearchRow>(tx, SavedSearch, query, { where: sql`r.sq_scope = ANY(${scopes}::text[])` });
      return { ...page, data: await this.answers(caller, page.data) };
    });
  }

  get(caller: Principal, id: string): Promise<SavedSearchAnswer> {
    return this.db.read(async () => {
      const search = await this.searches.findRow(id);
      if (!search || !this.mayView(caller, search)) throw notFound('saved search');
      return this.answer(caller, search);
    });
  }

  create(caller: Principal, { sq_name, sq_scope, sq_query }: SavedSearchFacts): Promise<SavedSearchAnswer> {
    return this.db.write(async () => {
      await this.access.assertRepository(caller, { type: sq_scope, id: null }, 'edit');
      const query = await this.language.readQueryToStore(sq_query, sq_scope, caller, 'sq_query');
      return this.answer(caller, await this.insert(caller, { sq_name, sq_scope, query }));
    });
  }

  change(
    caller: Principal,
    id: string,
    { sq_name, sq_query }: Partial<Pick<SavedSearchFacts, 'sq_name' | 'sq_query'>>,
    precondition?: Precondition,
  ): Promise<SavedSearchAnswer> {
    if (sq_name === undefined && sq_query === undefined)
      throw invalidField('', 'at least one of sq_name and sq_query is required', 'required');
    return this.db.write(async () => {
      const search = await this.lock(caller, id, precondition);
      if (sq_name !== undefined) search.rename(sq_name, this.clock);
      if (sq_query !== undefined)
        search.ask(await this.language.readQueryToStore(sq_query, search.sq_scope, caller, 'sq_query'), this.clock);
      await this.searches.save(search);
      return this.answer(caller, search);
    });
  }

  /** Whatever uses it keeps the row from going, also what comes to use it right now. */
  remove(caller: Principal, id: string, precondition?: Precondition): Promise<void> {
    return this.db.write(async () => {
      const search = await this.lock(caller, id, precondition);
      const used = (await this.uses.countUses([id], null)).get(id) ?? 0;
      if (used > 0) throw searchInUse((await this.uses.countUses([id], caller)).get(id) ?? 0);
      await this.searches.remove(search);
    });
  }

  /** Keeps a query that was read for keeping, for what it fills. Within a unit of work; answers its id. */
  async insertSearch(
    caller: Principal,
    search: { readonly sq_name: string; readonly sq_scope: SearchScope; readonly query: SearchQuery },
  ): Promise<string> {
    return (await this.insert(caller, search)).sq_id;
  }

  /** Puts another query, read for keeping, in the place of one. Within a unit of work. */
  async replaceQuery(id: string, query: SearchQuery): Promise<void> {
    const search = await this.searches.lock(id);
    search.ask(query, this.clock);
    await this.searches.save(search);
  }

  /** Deletes a search that nothing uses any more; one in use stays. Within a unit of work. */
  async removeUnused(id: string): Promise<boolean> {
    const [search] = await this.searches.lockMany([id]);
    if (!search || ((await this.uses.countUses([id], null)).get(id) ?? 0) > 0) return false;
    await this.searches.remove(search);
    return true;
  }

  /** The library that a saved search is about, or null when there is no such search. Within a unit of work. */
  async findScope(id: string): Promise<SearchScope | null> {
    const [search] = await this.searches.findQueries([id]);
    return search?.sq_scope ?? null;
  }

  /** The queries of those among the ids that there are, in one statement. Within a unit of work. */
  async findQueries(ids: readonly string[]): Promise<ReadonlyMap<string, SearchQuery>> {
    if (ids.length === 0) return new Map();
    return new Map((await this.searches.findQueries(ids)).map(({ sq_id, sq_query }) => [sq_id, sq_query]));
  }

  private async insert(
    caller: Principal,
    { sq_name, sq_scope, query }: { readonly sq_name: string; readonly sq_scope: SearchScope; readonly query: SearchQuery },
  ): Promise<SavedSearch> {
    const search = SavedSearch.named({ sq_id: this.ids.next(), sq_name, sq_scope, query, by: caller.user_id }, this.clock);
    return this.searches.insert(search);
  }

  private lock(caller: Principal, id: string, precondition?: Precondition): Promise<SavedSearch> {
    return this.searches.lock(id, precondition, async (search) => {
      if (!this.mayView(caller, search)) throw notFound('saved search');
      await this.access.assertRepository(caller, { type: search.sq_scope, id: null }, 'edit');
    });
  }

  private mayView(caller: Principal, { sq_scope }: SavedSearch): boolean {
    return (
      this.access.isAllowed(caller, { type: sq_scope, id: null }, 'view') ||
      this.access.isAllowed(caller, { type: sq_scope, id: null }, 'edit')
    );
  }

  private async answer(
    caller: Principal,
    { sq_id, sq_name, sq_scope, sq_query, sq_created, sq_updated, sq_created_by, row_version }: SavedSearch,
  ): Promise<SavedSearchAnswer> {
    const [answer] = await this.answers(caller, [{ sq_id, sq_name, sq_scope, sq_query, sq_created, sq_updated, sq_created_by }]);
    return { ...(answer as SavedSearchAnswer), row_version };
  }

  /** The missing references of each row and its number of uses: some statements for a whole page. */
  private async answers(caller: Principal, rows: readonly SavedSearchRow[]): Promise<SavedSearchAnswer[]> {
    const warnings = await this.language.findWarnings(
      rows.map(({ sq_scope, sq_query }) => ({ scope: sq_scope, query: sq_query, reader: caller })),
    );
    const used = await this.uses.countUses(
      rows.map(({ sq_id }) => sq_id),
      caller,
    );
    return rows.map((row, at) => ({
      ...row,
      sq_query: toJson(row.sq_query as SearchQuery),
      sq_warnings: warnings[at] ?? [],
      sq_used_by: used.get(row.sq_id) ?? 0,
    }));
  }
}

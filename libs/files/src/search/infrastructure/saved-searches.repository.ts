import { Injectable } from '@nestjs/common';
import { Database, requireScope, ResourceRepository, sql } from '@atrium/platform/database';
import { SavedSearch } from '../domain/saved-search';
import type { SearchQuery, SearchScope } from '../domain/search-query';

interface StoredQuery {
  readonly sq_id: string;
  readonly sq_scope: SearchScope;
  readonly sq_query: SearchQuery;
}

/** Saved searches as rows. */
@Injectable()
export class SavedSearchesRepository extends ResourceRepository<SavedSearch> {
  constructor(db: Database) {
    super(db, SavedSearch, 'saved search');
  }

  /** Scope and query of those among the ids that there are. */
  findQueries(ids: readonly string[]): Promise<StoredQuery[]> {
    return this.db
      .current()
      .query<StoredQuery & Record<string, unknown>>(
        sql`SELECT sq_id, sq_scope, sq_query FROM saved_search WHERE tenant_id = ${requireScope().tenant_id} AND sq_id = ANY(${[...ids]}::uuid[])`,
      );
  }
}

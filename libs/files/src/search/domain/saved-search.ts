import { Choice, Id, Json, Ref, Resource, Stamp, TenantRow, Text } from '@atrium/platform/database';
import { Problem, type Clock, type JsonObject } from '@atrium/platform/kernel';
import { SEARCH_LIMITS, SEARCH_SCOPES, toJson, type SearchQuery, type SearchScope } from './search-query';

/** A query that people named. It is kept in canonical form and runs with the rights of the reader; its scope never changes. */
@Resource({ table: 'saved_search', sort: '-sq_created' })
export class SavedSearch extends TenantRow {
  @Id({ about: 'Id of the saved search, as used in `album_query`.' }) readonly sq_id!: string;
  @Text({ min: 1, about: 'Name of the saved search; not unique.', example: 'Portraits of the harbour', filter: 'contains', sort: true })
  sq_name!: string;
  @Choice(SEARCH_SCOPES, { about: 'Library that is searched. Cannot be changed.', example: 'media', filter: 'equals' })
  sq_scope!: SearchScope;
  @Json({
    max: SEARCH_LIMITS.bytes,
    about: 'Query in the search language, in canonical form.',
    example: {
      where: {
        all: [
          { field: 'kind', op: 'eq', value: 'image' },
          { field: 'taken', op: 'within', value: 'P30D' },
        ],
      },
    },
  })
  sq_query!: JsonObject;
  @Stamp({ about: 'When it was created.', filter: 'range', sort: true }) sq_created!: Date;
  @Stamp({ about: 'When it was last changed.', filter: 'range', sort: true }) sq_updated!: Date;
  @Ref({ optional: true, about: 'User who created it.' }) sq_created_by!: string | null;

  static named(
    {
      sq_id,
      sq_name,
      sq_scope,
      query,
      by,
    }: Pick<SavedSearch, 'sq_id' | 'sq_name' | 'sq_scope'> & {
      readonly query: SearchQuery;
      readonly by: string | null;
    },
    clock: Clock,
  ): SavedSearch {
    const now = clock.now();
    return Object.assign(new SavedSearch(), {
      sq_id,
      sq_name,
      sq_scope,
      sq_query: toJson(query),
      sq_created: now,
      sq_updated: now,
      sq_created_by: by,
    });
  }

  get query(): SearchQuery {
    return this.sq_query;
  }

  ask(query: SearchQuery, clock: Clock): void {
    this.sq_query = toJson(query);
    this.sq_updated = clock.now();
  }

  rename(name: string, clock: Clock): void {
    this.sq_name = name;
    this.sq_updated = clock.now();
  }
}

/** `uses` are those that the caller may read; without any, it fills some that are closed to the caller. */
export const searchInUse = (uses: number): Problem =>
  new Problem(
    'in_use',
    uses === 0
      ? 'The saved search fills albums or folders that you cannot read. Ask someone who can to change or delete them first.'
      : `The saved search fills ${uses === 1 ? 'one album or folder' : `${uses} albums or folders`}. Change or delete ${uses === 1 ? 'it' : 'them'} first.`,
  );

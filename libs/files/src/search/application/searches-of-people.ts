import { Injectable } from '@nestjs/common';
import { PersonDataSources } from '@atrium/governance';
import { sql } from '@atrium/platform/database';
import { FileAccess } from '../../core/application/file-access';
import { SEARCH_SCOPES } from '../domain/search-query';

/** Saved searches in the archive of a person: those of libraries that the person may read now, because others change them as well. */
@Injectable()
export class SearchesOfPeople {
  constructor(sources: PersonDataSources, access: FileAccess) {
    sources.registerTableHandler('saved_search', {
      readable: (reader) => {
        const scopes = SEARCH_SCOPES.filter((type) => reader === null || access.isAllowed(reader, { type, id: null }, 'view'));
        return sql`r.sq_scope = ANY (${scopes}::text[])`;
      },
    });
  }
}

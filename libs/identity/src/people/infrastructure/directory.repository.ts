import { Injectable } from '@nestjs/common';
import { Database, join, listPage, sql, type ListParameters, type Page } from '@atrium/platform/database';
import { DirectoryEntry } from '../domain/directory-entry';
import { nameConditions } from './users.repository';

export interface DirectoryFilters extends ListParameters {
  readonly user_name?: string;
}

/** The active members of the workspace, as everybody may see them. */
@Injectable()
export class DirectoryRepository {
  constructor(private readonly db: Database) {}

  listDirectory(query: DirectoryFilters): Promise<Page<DirectoryEntry>> {
    const where = join([sql`r.user_status = 'active'`, ...nameConditions(query.user_name)], ' AND ');
    return listPage<DirectoryEntry>(this.db.current(), DirectoryEntry, query, { where, ignore: ['user_name'] });
  }
}

import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { empty, join, sql, type Sql } from '@atrium/platform/database';
import type { RepoType } from '../domain/repositories';
import { FileAccess } from './file-access';
import { FileOwners } from './file-owners';

/** Which files of a kind of repositories a caller may read, for contexts that look into many repositories in one statement. */
@Injectable()
export class ReadableFiles {
  constructor(
    private readonly access: FileAccess,
    private readonly owners: FileOwners,
  ) {}

  /** Condition on `r` (a row of `file`): it is of one of the kinds, and a list of its repository shows it to the caller. */
  condition(caller: Principal, types: readonly RepoType[]): Sql {
    const open = types.filter((type) => this.owners.of(type) && this.access.allows(caller, { type, id: null }, 'view'));
    if (open.length === 0) return sql`false`;
    return sql`(${join(
      open.map((type) => {
        const readable = this.owners.of(type)?.readable(caller, { type, id: null }) ?? empty;
        return readable === empty ? sql`r.repo_type = ${type}` : sql`(r.repo_type = ${type} AND ${readable})`;
      }),
      ' OR ',
    )})`;
  }
}

import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { empty, join, requireScope, sql, type Sql } from '@atrium/platform/database';
import { REPOSITORIES, type RepoType } from '../domain/repositories';
import { ReadableFileRows, type NamedFile } from '../infrastructure/readable-files.rows';
import { FileAccess } from './file-access';
import { FileOwners, UNGUARDED } from './file-owners';

const ALL = Object.keys(REPOSITORIES) as RepoType[];

/** Which files of a kind of repositories a caller may read, for contexts that look into many repositories in one statement. */
@Injectable()
export class ReadableFiles {
  constructor(
    private readonly rows: ReadableFileRows,
    private readonly access: FileAccess,
    private readonly owners: FileOwners,
  ) {}

  /** Condition on `r` (a row of `file`): it is of one of the kinds, and a list of its repository shows it to the caller. */
  readableCondition(caller: Principal, types: readonly RepoType[]): Sql {
    const open = types.filter((type) => this.owners.findOwner(type) && this.access.isAllowed(caller, { type, id: null }, 'view'));
    if (open.length === 0) return sql`false`;
    return sql`(${join(
      open.map((type) => {
        const readable = this.owners.findOwner(type)?.readableCondition(caller, { type, id: null }) ?? empty;
        return readable === empty ? sql`r.repo_type = ${type}` : sql`(r.repo_type = ${type} AND ${readable})`;
      }),
      ' OR ',
    )})`;
  }

  /** Condition on `r` (a row of `file`), of whatever kind: the reader may read it; nobody (null) reads those of libraries whose files nobody guards. */
  openCondition(reader: Principal | null): Sql {
    return reader ? this.readableCondition(reader, ALL) : sql`r.repo_type = ANY (${[...UNGUARDED]}::text[])`;
  }

  /** Condition on a row of another table that names a file: the file is there, and the reader may read it. */
  openBy(file: Sql, reader: Principal | null): Sql {
    // The name is read outside of the row that is looked for, whose alias may be the same.
    return sql`EXISTS (SELECT FROM (SELECT ${file} AS id OFFSET 0) named, LATERAL (
      SELECT FROM file r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.file_id = named.id AND ${this.openCondition(reader)}) there)`;
  }

  /** Of the files those that are live, of one of the kinds and readable by the caller; one statement for however many. Within a unit of work. */
  async findReadable(caller: Principal, file_ids: readonly string[], types: readonly RepoType[]): Promise<ReadonlyMap<string, NamedFile>> {
    if (file_ids.length === 0) return new Map();
    const rows = await this.rows.findLiveFiles(file_ids, this.readableCondition(caller, types));
    return new Map(rows.map((row) => [row.file_id, row]));
  }
}

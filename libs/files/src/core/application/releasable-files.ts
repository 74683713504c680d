import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { empty, join, requireScope, sql, type Sql } from '@atrium/platform/database';
import { invalidState, notFound } from '@atrium/platform/kernel';
import { REPOSITORIES, repositoryOf, type FileAction, type RepoType } from '../domain/repositories';
import { FilesRepository, type ReleasableFile, type ShownFile } from '../infrastructure/files.repository';
import { FileAccess } from './file-access';
import { FileOwners } from './file-owners';
import { FileQueries } from './file-queries';

/**
 * Files for the context that makes them public: one file kept as it is while it is released, and who may see which in
 * lists of what was released.
 */
@Injectable()
export class ReleasableFiles {
  constructor(
    private readonly files: FilesRepository,
    private readonly access: FileAccess,
    private readonly owners: FileOwners,
    private readonly queries: FileQueries,
  ) {}

  /**
   * The file with what it shows now; its row stays so until the unit of work ends. Only callers who may see the file learn that
   * it is in the trash.
   */
  async lockReleasable(caller: Principal, id: string, action: FileAction): Promise<ReleasableFile> {
    const row = await this.files.lockReleasable(id);
    if (!row) throw notFound('file');
    const { is_trashed, ...file } = row;
    await this.access.assertFile(caller, { file_id: id, repository: repositoryOf(row) }, action);
    if (is_trashed) throw invalidState('The file is in the trash. Restore it first.');
    return file;
  }

  /**
   * The files among the ids with what they show now, in the trash too; their rows stay so until the unit of work ends. Rights are
   * those of whom put them where they are shown, and were asked then.
   */
  lockAllReleasable(ids: Iterable<string>): Promise<ReadonlyMap<string, ShownFile>> {
    return this.findAll(ids, { lock: true });
  }

  /** The same for reading: nothing is locked. */
  findAllReleasable(ids: Iterable<string>): Promise<ReadonlyMap<string, ShownFile>> {
    return this.findAll(ids, { lock: false });
  }

  private async findAll(ids: Iterable<string>, how: { readonly lock: boolean }): Promise<ReadonlyMap<string, ShownFile>> {
    const wanted = [...new Set(ids)];
    if (wanted.length === 0) return new Map();
    return new Map((await this.files.findAllReleasable(wanted, how)).map((file) => [file.file_id, file]));
  }

  /** Throws `not_found` unless the caller may see the file, in the trash too; a purged file is visible to everyone who sees its kind. */
  async assertVisible(caller: Principal, { file_id, repo_type }: { readonly file_id: string; readonly repo_type: string }): Promise<void> {
    const file = await this.files.findOwnedRow(file_id);
    const visible = file
      ? (await this.queries.filterPermitted(caller, [file], 'view')).length > 0
      : this.visibleTypes(caller).includes(repo_type as RepoType);
    if (!visible) throw notFound('file');
  }

  /** Condition for lists of rows that name a file and its kind: the caller may see the file, in the trash too, or it was removed for good and its kind is open. */
  visibleCondition(caller: Principal, row: { readonly file: Sql; readonly type: Sql }): Sql {
    const { tenant_id } = requireScope();
    const types = this.visibleTypes(caller);
    const owned = types.flatMap((type) => {
      const readable = this.owners.findOwner(type)?.readableCondition(caller, { type, id: null }) ?? empty;
      return readable === empty ? [] : [sql`(r.repo_type <> ${type} OR ${readable})`];
    });
    const seen = join(
      [sql`r.tenant_id = ${tenant_id}`, sql`r.file_id = named.id`, sql`r.repo_type = ANY(${types}::text[])`, ...owned],
      ' AND ',
    );
    return sql`(EXISTS (SELECT FROM (SELECT ${row.file} AS id OFFSET 0) named, LATERAL (SELECT FROM file r WHERE ${seen}) seen)
      OR (${row.type} = ANY(${types}::text[]) AND NOT EXISTS (SELECT FROM file gone WHERE gone.tenant_id = ${tenant_id} AND gone.file_id = ${row.file})))`;
  }

  private visibleTypes(caller: Principal): RepoType[] {
    return (Object.keys(REPOSITORIES) as RepoType[]).filter(
      (type) => this.owners.findOwner(type) && this.access.isAllowed(caller, { type, id: null }, 'view'),
    );
  }
}

import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import {
  Database,
  empty,
  isLargePage,
  join,
  raw,
  requireScope,
  sql,
  writtenPage,
  type ListParameters,
  type Sql,
  type UnitOfWork,
  type WrittenPage,
} from '@atrium/platform/database';
import { normalized, notFound, Problem, type ProblemCode } from '@atrium/platform/kernel';
import { File, SYSTEM_KEY } from '../domain/file';
import type { FileRow, OwnedRow } from '../domain/file-row';
import {
  LISTED_REPO_TYPES,
  listedRepository,
  repoKey,
  repositoryOf,
  type FileAction,
  type RepoType,
  type Repository,
} from '../domain/repositories';
import { FilesRepository } from '../infrastructure/files.repository';
import { ShownFileRows } from '../infrastructure/shown-files.rows';
import { FileAccess } from './file-access';
import { FileOwners } from './file-owners';
import { metadataCondition, type MetadataFilter } from './metadata-filter';

/** Which repository a list shows; its further filters are the declared ones. */
export interface ListedFiles extends ListParameters {
  readonly repo_type: RepoType;
  readonly repo_id?: string;
  readonly file_metadata?: MetadataFilter;
}

export interface NameSearch {
  readonly q: string;
  readonly repo_type?: RepoType;
  readonly file_type?: string;
  readonly limit?: number;
}

const SEARCH_LIMIT = 20;
const MAX_SEARCHED = 1_000;
const REFUSALS: ReadonlySet<ProblemCode> = new Set(['not_found', 'permission_denied', 'license_required']);

/** Reads files for answers: rows as stored, each with the caller's own favorite, in one statement for however many. */
@Injectable()
export class FileQueries {
  constructor(
    private readonly db: Database,
    private readonly access: FileAccess,
    private readonly owners: FileOwners,
    private readonly files: FilesRepository,
    private readonly shown: ShownFileRows,
  ) {}

  /** One page of a repository the caller may see; trash is never in it. */
  listFiles(caller: Principal, query: ListedFiles): Promise<WrittenPage> {
    const page = async (tx: UnitOfWork): Promise<WrittenPage> => {
      const repository = listedRepository(query.repo_type, query.repo_id);
      await this.access.assertRepository(caller, repository, 'view');
      const conditions = [
        sql`r.repo_key = ${repoKey(repository)}`,
        LIVE,
        this.unlessQuarantined(caller, repository),
        this.readable(caller, repository),
        metadataCondition(query.file_metadata),
      ];
      const where = join(conditions.filter(said), ' AND ');
      return writtenPage(tx, File, query, {
        where,
        select: favoriteOf(caller),
        instead: { file_metadata: SHOWN_METADATA },
        ignore: ['file_metadata'],
        steady: !query.file_metadata,
      });
    };
    return isLargePage(query) ? this.db.readMany(page) : this.db.read(page);
  }

  /** The live file, if the caller may do this with it. */
  getFile(caller: Principal, id: string, action: FileAction = 'view'): Promise<FileRow> {
    return this.db.read(async () => {
      const { repo_type, repo_id, ...file } = await this.row(caller, id);
      await this.access.assertFile(caller, { file_id: id, repository: repositoryOf({ repo_type, repo_id }) }, action);
      return file;
    });
  }

  /** The row for an answer to a caller whose right was decided otherwise, such as to what they have just made. */
  async getFileUnchecked(caller: Principal, id: string): Promise<FileRow> {
    const { repo_type: _, repo_id: __, ...file } = await this.row(caller, id);
    return file;
  }

  /** Of the ids, the live files that a list of this file's repository shows the caller; the caller may see that file. */
  listShownFiles(caller: Principal, { file_id }: Pick<FileRow, 'file_id'>, ids: readonly string[]): Promise<FileRow[]> {
    if (ids.length === 0) return Promise.resolve([]);
    return this.db.read(async () => {
      const owner = await this.files.findOwnedRow(file_id);
      if (!owner) throw notFound('file');
      const repository = repositoryOf(owner);
      const conditions = [
        sql`r.repo_key = ${repoKey(repository)}`,
        LIVE,
        this.unlessQuarantined(caller, repository),
        this.readable(caller, repository),
      ];
      return this.shown.findFiles(ids, { where: join(conditions.filter(said), ' AND '), favorite: favoriteOf(caller) });
    });
  }

  /** By name among all repositories the caller may see: beginnings first, then substrings, then typing errors. */
  searchNames(caller: Principal, { q, repo_type, file_type, limit = SEARCH_LIMIT }: NameSearch): Promise<FileRow[]> {
    const types = this.visibleTypes(caller, repo_type);
    if (types.length === 0) return Promise.resolve([]);
    const conditions = [
      LIVE,
      ...types.map((type) => this.unlessUnreadable(caller, type)),
      ...types.map((type) => this.unlessQuarantinedIn(caller, type)),
      typeCondition(file_type),
    ];
    return this.db.read(() =>
      this.shown.searchNames(
        { name: normalized(q, 'NFC'), types, most: file_type ? MAX_SEARCHED : limit, limit },
        { where: join(conditions.filter(said), ' AND '), favorite: favoriteOf(caller) },
      ),
    );
  }

  /** Of many rows, those with which the caller may do this: each repository is decided once, and of its files those that its owner refuses at once. */
  async filterPermitted<R extends OwnedRow>(caller: Principal, rows: readonly R[], action: FileAction): Promise<R[]> {
    const decisions = new Map<string, boolean>();
    for (const row of rows) {
      const repository = repositoryOf(row);
      const key = repoKey(repository);
      if (!decisions.has(key)) decisions.set(key, await this.permits(caller, repository, action));
    }
    const open = rows.filter((row) => decisions.get(repoKey(repositoryOf(row))));
    const refused = new Set<string>();
    for (const type of new Set(open.map((row) => repositoryOf(row).type))) {
      const ids = open.filter((row) => row.repo_type === type).map(({ file_id }) => file_id);
      for (const id of (await this.access.findRefusals(caller, type, ids, action)).keys()) refused.add(id);
    }
    return open.filter(({ file_id }) => !refused.has(file_id));
  }

  private async row(caller: Principal, id: string): Promise<FileRow & OwnedRow> {
    const row = await this.db.read(() => this.shown.findLiveFile(id, { metadata: SHOWN_METADATA, favorite: favoriteOf(caller) }));
    if (!row) throw notFound('file');
    return row;
  }

  private async permits(caller: Principal, repository: Repository, action: FileAction): Promise<boolean> {
    try {
      await this.access.assertOpen(caller, repository, action);
      return true;
    } catch (error) {
      if (error instanceof Problem && REFUSALS.has(error.code)) return false;
      throw error;
    }
  }

  /** Kinds of repositories whose files the caller may see in lists, narrowed to one when it is named. */
  private visibleTypes(caller: Principal, only: RepoType | undefined): RepoType[] {
    return LISTED_REPO_TYPES.filter(
      (type) => (!only || type === only) && this.owners.findOwner(type) && this.access.isAllowed(caller, { type, id: null }, 'view'),
    );
  }

  private readable(caller: Principal, repository: Repository): Sql {
    return this.owners.findOwner(repository.type)?.readableCondition(caller, repository) ?? empty;
  }

  private unlessUnreadable(caller: Principal, type: RepoType): Sql {
    const readable = this.readable(caller, { type, id: null });
    return said(readable) ? sql`(r.repo_type <> ${type} OR ${readable})` : empty;
  }

  /** Quarantined files show to those who may edit the repository. */
  private unlessQuarantined(caller: Principal, repository: Repository): Sql {
    return this.access.isAllowed(caller, repository, 'edit') ? empty : sql`r.file_processing <> 'quarantined'`;
  }

  private unlessQuarantinedIn(caller: Principal, type: RepoType): Sql {
    return said(this.unlessQuarantined(caller, { type, id: null }))
      ? sql`(r.repo_type <> ${type} OR r.file_processing <> 'quarantined')`
      : empty;
  }
}

export const LIVE = sql`r.file_deleted IS NULL`;

/** The metadata, whose `system` also shows the current state of the file: shared or damaged bytes, legal holds. */
const SHOWN_METADATA = raw(`
  CASE WHEN r.file_shared OR r.file_corrupt OR r.file_held OR r.file_replicas = '' AND r.file_processing <> 'pending'
       THEN r.file_metadata || jsonb_build_object('${SYSTEM_KEY}', coalesce(r.file_metadata -> '${SYSTEM_KEY}', '{}')
            || CASE WHEN r.file_shared THEN '{"shared_blob":true}' ELSE '{}' END::jsonb || CASE WHEN r.file_corrupt THEN '{"corrupt":true}' ELSE '{}' END::jsonb || CASE WHEN r.file_held THEN '{"hold":true}' ELSE '{}' END::jsonb
            || CASE WHEN r.file_replicas = '' AND r.file_processing <> 'pending' THEN jsonb_build_object('no_renditions', why_no_renditions(r.file_kind, r.file_size, r.file_processing, r.file_metadata #>> '{${SYSTEM_KEY},error}')) ELSE '{}' END)
       ELSE r.file_metadata END`);

const said = (condition: Sql): boolean => condition !== empty;

/** The caller's own favorite, looked up by key for the rows that leave; a caller without favorites costs one statement. */
export const favoriteOf = ({ user_id }: Principal): Sql => sql`
  CASE WHEN EXISTS (SELECT FROM file_pref p WHERE p.tenant_id = ${requireScope().tenant_id} AND p.user_id = ${user_id})
        AND (SELECT p.favorite FROM file_pref p WHERE p.tenant_id = r.tenant_id AND p.file_id = r.file_id AND p.user_id = ${user_id})
       THEN '{"favorite":true}'::json ELSE '{"favorite":false}'::json END AS file_pref`;

const typeCondition = (type: string | undefined): Sql => {
  if (!type) return empty;
  return type.endsWith('/') ? sql`starts_with(r.file_type, ${type})` : sql`r.file_type = ${type}`;
};

import { Injectable } from '@nestjs/common';
import { LegalHolds, type RemovedBatch } from '@atrium/governance';
import type { Principal } from '@atrium/platform/access';
import {
  Database,
  empty,
  join,
  listPage,
  sql,
  type ListParameters,
  type Page,
  type Precondition,
  type Sql,
  Ref,
  Resource,
  Stamp,
} from '@atrium/platform/database';
import { Clock, invalidState, notFound, Problem, type ProblemCode } from '@atrium/platform/kernel';
import { File } from '../../core/domain/file';
import { LISTED_REPO_TYPES, listedRepository, repoKey, type RepoType } from '../../core/domain/repositories';
import { FilesRepository } from '../../core/infrastructure/files.repository';
import { TrashRows } from '../infrastructure/trash-rows';
import { FileAccess } from '../../core/application/file-access';
import { FileOwners } from '../../core/application/file-owners';
import type { FileRow } from '../../core/domain/file-row';
import { FileQueries } from '../../core/application/file-queries';
import { TrashMoves } from './trash-moves';

/** A file as the trash shows it: with when and by whom it was deleted, and when it goes for good. */
@Resource({ table: 'file', sort: '-file_deleted' })
export class TrashedFile extends File {
  @Stamp({ optional: true, about: 'When it was moved to the trash.', filter: 'range', sort: true }) override file_deleted!: Date | null;
  @Ref({ optional: true, about: 'User who deleted it.', filter: 'equals' }) override file_deleted_by!: string | null;
  @Stamp({ optional: true, about: 'When it is permanently deleted.' }) override file_purge_at!: Date | null;
}

export interface ListedTrash extends ListParameters {
  readonly repo_type?: RepoType;
  readonly repo_id?: string;
}

/** What became of one file of a batch; `code` says why it was skipped. */
export interface BatchOutcome {
  readonly file_id: string;
  readonly outcome: 'trashed' | 'restored' | 'purged' | 'skipped';
  readonly code?: ProblemCode;
}

const skipped = (file_id: string, code: ProblemCode): BatchOutcome => ({ file_id, outcome: 'skipped', code });

/**
 * Deleting in two steps: into the trash, where a file is hidden and comes back with its albums, tags and favorites; and
 * out of it for good, when its time is over or somebody says so.
 */
@Injectable()
export class Trash {
  constructor(
    private readonly db: Database,
    private readonly files: FilesRepository,
    private readonly rows: TrashRows,
    private readonly queries: FileQueries,
    private readonly access: FileAccess,
    private readonly owners: FileOwners,
    private readonly moves: TrashMoves,
    private readonly holds: LegalHolds,
    private readonly clock: Clock,
  ) {}

  /** The trash of one repository, or of all the caller may delete from. */
  list(caller: Principal, query: ListedTrash): Promise<Page<FileRow>> {
    return this.db.read(async (tx) => {
      const where = sql`r.file_deleted IS NOT NULL AND ${await this.buildScopeCondition(caller, query)}`;
      return listPage<FileRow>(tx, TrashedFile, query, { where, select: NOT_FAVORITE });
    });
  }

  async trashFile(caller: Principal, id: string, precondition?: Precondition): Promise<void> {
    await this.db.write(async () => {
      const file = await this.files.lock(id, precondition, (row) => this.access.assertLive(caller, row, 'delete'));
      await this.moves.trashFiles([file], caller.user_id);
    });
  }

  restore(caller: Principal, id: string): Promise<FileRow> {
    return this.db.write(async () => {
      const [file] = await this.files.lockMany([id]);
      if (!file) throw (await this.rows.isPurged(id)) ? new Problem('gone', 'The file was permanently deleted.') : notFound('file');
      await this.access.assertRepository(caller, file.repository, 'delete', ownerIsGone);
      await this.access.assertFile(caller, file, 'delete');
      file.restore(this.clock);
      await this.moves.restoreFiles([file]);
      return this.queries.getFile(caller, id, 'delete');
    });
  }

  /**
   * Puts files into the trash because the context that accepted them decides so, whatever the rights of the caller; those in it
   * already stay.
   */
  trashUnchecked(ids: readonly string[], by: string | null): Promise<void> {
    return this.db.write(async () => {
      const files = (await this.files.lockMany(ids)).filter((file) => !file.isInTrash);
      if (files.length > 0) await this.moves.trashFiles(files, by);
    });
  }

  /** Takes files out of the trash because the context that let them go decides so; what has come back or is gone already stays. */
  restoreUnchecked(ids: readonly string[]): Promise<void> {
    return this.db.write(async () => {
      const files = (await this.files.lockMany(ids)).filter((file) => file.isInTrash && this.refusalToRestore(file) === null);
      await this.moves.restoreFiles(files);
    });
  }

  deleteMany(caller: Principal, ids: readonly string[]): Promise<BatchOutcome[]> {
    return this.batch(
      caller,
      ids,
      'trashed',
      (file) => (file.isInTrash ? 'not_found' : null),
      (files) => this.moves.trashFiles(files, caller.user_id),
    );
  }

  restoreMany(caller: Principal, ids: readonly string[]): Promise<BatchOutcome[]> {
    return this.batch(
      caller,
      ids,
      'restored',
      (file) => this.refusalToRestore(file),
      (files) => this.moves.restoreFiles(files),
    );
  }

  /** Out of the trash for good; what is not in it or held is skipped. */
  purgeMany(caller: Principal, ids: readonly string[]): Promise<BatchOutcome[]> {
    return this.db.write(async () => {
      await this.holds.blockNewHolds();
      const held = await this.holds.filterHeldFiles(ids);
      const refusal = (file: File): ProblemCode | null => (!file.isInTrash ? 'invalid_state' : held.has(file.file_id) ? 'in_use' : null);
      return this.batch(caller, ids, 'purged', refusal, async (files) => void (await this.moves.purgeFiles(files)));
    });
  }

  /** Removes files of the workspace at hand whose time in the trash is over, but for what is held; one that is being restored is waited for, and then stays. */
  purgeDue(most: number): Promise<RemovedBatch> {
    return this.db.write(async () => {
      await this.holds.blockNewHolds();
      const now = this.clock.now();
      const ids = await this.rows.findDueFiles(now, most);
      const due = (await this.files.lockMany(ids)).filter(({ file_purge_at }) => file_purge_at !== null && file_purge_at <= now);
      return { removed: due.length, bytes: await this.moves.purgeFiles(due), left: ids.length === most };
    });
  }

  /** A condition on `r`: files of the named repository, or of all that the caller may delete from. */
  async buildScopeCondition(caller: Principal, { repo_type, repo_id }: ListedTrash): Promise<Sql> {
    if (repo_type) {
      const repository = listedRepository(repo_type, repo_id);
      await this.access.assertRepository(caller, repository, 'delete');
      const readable = this.owners.findOwner(repo_type)?.readableCondition(caller, repository, 'delete') ?? empty;
      return readable === empty ? sql`r.repo_key = ${repoKey(repository)}` : sql`r.repo_key = ${repoKey(repository)} AND ${readable}`;
    }
    const types = LISTED_REPO_TYPES.filter(
      (type) => this.owners.findOwner(type) && this.access.isAllowed(caller, { type, id: null }, 'delete'),
    );
    const owned = types.flatMap((type) => {
      const readable = this.owners.findOwner(type)?.readableCondition(caller, { type, id: null }, 'delete') ?? empty;
      return readable === empty ? [] : [sql`(r.repo_type <> ${type} OR ${readable})`];
    });
    return join([sql`r.repo_type = ANY(${types}::text[])`, ...owned], ' AND ');
  }

  private async batch(
    caller: Principal,
    ids: readonly string[],
    outcome: BatchOutcome['outcome'],
    refusal: (file: File) => ProblemCode | null,
    act: (files: readonly File[]) => Promise<void>,
  ): Promise<BatchOutcome[]> {
    const wanted = [...new Set(ids)];
    return this.db.write(async () => {
      const found = await this.files.lockMany(wanted);
      const permitted = new Set(await this.queries.filterPermitted(caller, found, 'delete'));
      const refusals = new Map(found.map((file) => [file.file_id, permitted.has(file) ? refusal(file) : ('not_found' as const)]));
      await act(found.filter((file) => refusals.get(file.file_id) === null));
      return wanted.map((file_id) => {
        const code = refusals.has(file_id) ? refusals.get(file_id) : 'not_found';
        return code ? skipped(file_id, code) : { file_id, outcome };
      });
    });
  }

  /** Why a file cannot come back; restores it when nothing speaks against it. */
  private refusalToRestore(file: File): ProblemCode | null {
    try {
      file.restore(this.clock);
      return null;
    } catch (error) {
      if (error instanceof Problem) return error.code;
      throw error;
    }
  }
}

const ownerIsGone = (): Problem => invalidState('The owner of the file no longer exists, so the file cannot be restored.');

const NOT_FAVORITE = sql`'{"favorite":false}'::json AS file_pref`;

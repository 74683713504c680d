import { Injectable } from '@nestjs/common';
import { LegalHolds } from '@atrium/governance';
import type { Principal } from '@atrium/platform/access';
import { Database, type Precondition } from '@atrium/platform/database';
import { Clock, Problem, type JsonObject, type ProblemCode } from '@atrium/platform/kernel';
import { Outbox } from '@atrium/platform/messaging';
import type { File } from '../core/domain/file';
import { isStamped, readMoveTarget, repoKey, stampedMove, type Repository } from '../core/domain/repositories';
import { FilesRepository } from '../core/infrastructure/files.repository';
import { FileAccess } from '../core/application/file-access';
import { HistoryWriter } from '../core/application/file-history';
import { FileStatuses } from '../core/application/file-statuses';
import { FileLifecycle } from '../core/application/file-lifecycle';
import type { FileRow } from '../core/domain/file-row';
import { FileQueries } from '../core/application/file-queries';
import { StorageAccount } from '../versions/application/storage-account';
import { MovedFileRows } from './moved-files.rows';

/** What became of one file that was to be moved; `code` says why it was left where it is. */
export interface MoveOutcome {
  readonly file_id: string;
  readonly outcome: 'moved' | 'skipped';
  readonly code?: ProblemCode;
}

/**
 * Gives files to another repository: their bytes and versions stay as they are, what the repository they leave has
 * written about them is let go by its context. The caller who moves may edit the file where it is and add files where it goes.
 */
@Injectable()
export class FileMoves {
  constructor(
    private readonly db: Database,
    private readonly files: FilesRepository,
    private readonly queries: FileQueries,
    private readonly access: FileAccess,
    private readonly lifecycle: FileLifecycle,
    private readonly statuses: FileStatuses,
    private readonly history: HistoryWriter,
    private readonly storage: StorageAccount,
    private readonly outbox: Outbox,
    private readonly holds: LegalHolds,
    private readonly clock: Clock,
    private readonly rows: MovedFileRows,
  ) {}

  moveFile(caller: Principal, id: string, file_repo: JsonObject, precondition?: Precondition): Promise<FileRow> {
    const target = readMoveTarget(file_repo);
    return this.db.write(async () => {
      const file = await this.files.lock(id, precondition, (row) => this.access.assertLive(caller, row, 'edit'));
      if (isStamped(file.repository)) throw stampedMove();
      await this.access.assertNamed(caller, target, 'upload');
      await this.statuses.assertEditable(file);
      if ((await this.kept([file], target)).size > 0)
        throw new Problem(
          'in_use',
          'The file is under a legal hold that may apply through an album. It cannot be moved out of the media library.',
        );
      await this.hand([file], target);
      return this.queries.getFile(caller, id, 'upload');
    });
  }

  moveMany(caller: Principal, ids: readonly string[], file_repo: JsonObject): Promise<MoveOutcome[]> {
    const target = readMoveTarget(file_repo);
    const wanted = [...new Set(ids)];
    return this.db.write(async () => {
      await this.access.assertNamed(caller, target, 'upload');
      const found = (await this.files.lockMany(wanted)).filter((file) => !file.isInTrash);
      const permitted = new Set((await this.queries.filterPermitted(caller, found, 'edit')).map(({ file_id }) => file_id));
      const locked = await this.statuses.findLocked(found);
      const kept = await this.kept(found, target);
      const refusals = new Map(
        found.map(
          (file) =>
            [
              file.file_id,
              !permitted.has(file.file_id)
                ? 'not_found'
                : isStamped(file.repository)
                  ? 'invalid_move'
                  : locked.has(file.file_id)
                    ? 'invalid_state'
                    : kept.has(file.file_id)
                      ? 'in_use'
                      : null,
            ] as const,
        ),
      );
      await this.hand(
        found.filter((file) => refusals.get(file.file_id) === null),
        target,
      );
      return wanted.map((file_id): MoveOutcome => {
        const code = refusals.has(file_id) ? refusals.get(file_id) : 'not_found';
        return code ? { file_id, outcome: 'skipped', code } : { file_id, outcome: 'moved' };
      });
    });
  }

  /** Files of the library that a legal hold keeps: it may reach them through an album, which they would leave. */
  private async kept(files: readonly File[], target: Repository): Promise<ReadonlySet<string>> {
    if (target.type === 'media') return new Set();
    await this.holds.blockNewHolds();
    return this.holds.filterHeldFiles(files.filter(({ repo_type }) => repo_type === 'media').map(({ file_id }) => file_id));
  }

  /** Files that are there already stay untouched; the others go together, by where they come from. */
  private async hand(files: readonly File[], target: Repository): Promise<void> {
    const sources = new Map<string, File[]>();
    for (const file of files) {
      const key = repoKey(file.repository);
      if (key !== repoKey(target)) sources.set(key, [...(sources.get(key) ?? []), file]);
    }
    for (const group of sources.values()) await this.handGroup(group, target);
  }

  private async handGroup(files: readonly File[], target: Repository): Promise<void> {
    const [first] = files;
    if (!first) return;
    const from = first.repository;
    const before = await this.storage.sumStorageUse(files);
    const status = await this.statuses.getInitialStatus(target);
    const left = new Map(files.map(({ file_id, file_status }) => [file_id, file_status]));
    for (const file of files) file.moveTo(target, status, this.clock);
    await this.rows.saveMoves(files);
    this.storage.recordChange(before, await this.storage.sumStorageUse(files));
    await this.lifecycle.notifyMoved(files, from);
    await this.history.addEntries(
      files.map(({ file_id }) => ({
        file_id,
        action: 'moved',
        details: { from: repoKey(from), to: repoKey(target), file_status: left.get(file_id) ?? '' },
      })),
    );
    for (const { file_id } of files)
      this.outbox.emitEvent({ name: 'file.moved', subject_id: file_id, payload: { from: { ...from }, to: { ...target } } });
  }
}

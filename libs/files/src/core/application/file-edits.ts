import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import type { Precondition } from '@atrium/platform/database';
import { Clock, notFound } from '@atrium/platform/kernel';
import type { File } from '../domain/file';
import type { FileRow, OwnedRow } from '../domain/file-row';
import type { FileAction } from '../domain/repositories';
import { FilesRepository } from '../infrastructure/files.repository';
import { FileAccess } from './file-access';
import { FileQueries } from './file-queries';

/**
 * How other contexts change what belongs to the record of files: they hold the rows, decide, write their own, and say
 * what it means for the files. What holds or changes belongs to a writing unit of work.
 */
@Injectable()
export class FileEdits {
  constructor(
    private readonly files: FilesRepository,
    private readonly queries: FileQueries,
    private readonly access: FileAccess,
    private readonly clock: Clock,
  ) {}

  /** The live file, held, if the caller may do this with it. */
  async lockLiveFile(caller: Principal, id: string, action: FileAction, precondition?: Precondition): Promise<File> {
    return this.files.lock(id, precondition, (row) => this.access.assertLive(caller, row, action));
  }

  /** The live files among the ids, held in the order of their ids; with a caller only those with which they may do this. */
  async holdMany(caller: Principal | null, ids: readonly string[], action: FileAction = 'view'): Promise<File[]> {
    const live = (await this.files.lockMany(ids)).filter((file) => !file.isInTrash);
    return caller ? this.queries.filterPermitted(caller, live, action) : live;
  }

  /** Of the files those with which the caller may do this. */
  filterPermitted<R extends OwnedRow>(caller: Principal, files: readonly R[], action: FileAction): Promise<R[]> {
    return this.queries.filterPermitted(caller, files, action);
  }

  /** The live file, if the caller sees it; for looking. */
  async requireVisibleFile(caller: Principal, id: string): Promise<File> {
    const file = await this.files.findRow(id);
    if (!file) throw notFound('file');
    await this.access.assertLive(caller, file, 'view');
    return file;
  }

  /** The files are locked, those in the trash included. */
  async holdAll(ids: readonly string[]): Promise<void> {
    await this.files.lockMany(ids);
  }

  /** Something that belongs to the record of the files changed. */
  async touchFiles(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await this.files.touchFiles(ids, this.clock.now());
  }

  /** The files have this status from now on. */
  async setStatus(ids: readonly string[], file_status: string): Promise<void> {
    if (ids.length === 0) return;
    await this.files.setStatus(ids, file_status, this.clock.now());
  }

  /** The file as answers show it. */
  getRow(caller: Principal, id: string, action: FileAction = 'view'): Promise<FileRow> {
    return this.queries.getFile(caller, id, action);
  }
}

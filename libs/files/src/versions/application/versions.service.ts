import { Injectable } from '@nestjs/common';
import { LegalHolds } from '@atrium/governance';
import type { Principal } from '@atrium/platform/access';
import { Database, listPage, sql, type ListParameters, type Page, type Precondition } from '@atrium/platform/database';
import { Clock, notFound } from '@atrium/platform/kernel';
import { Outbox } from '@atrium/platform/messaging';
import { currentVersionStays, FileVersion, versionShown, versionsHeld, type VersionRow } from '../domain/file-version';
import { BlobsRepository } from '../../blobs/infrastructure/blobs.repository';
import { FilesRepository } from '../../core/infrastructure/files.repository';
import { VersionsRepository } from '../infrastructure/versions.repository';
import { EditableFiles } from '../../core/application/editable-files';
import { HistoryWriter } from '../../core/application/file-history';
import { FileQueries } from '../../core/application/file-queries';
import { StorageAccount } from './storage-account';

export interface VersionChanges {
  readonly fv_note?: string | null;
  readonly fv_pinned?: boolean;
}

const CURRENT = sql`r.fv_id = f.file_current_version AS fv_current`;
const WITH_FILE = sql`JOIN file f ON f.tenant_id = r.tenant_id AND f.file_id = r.fv_file`;

/** The states of a file's bytes: looking at them, noting, pinning, and removing them. */
@Injectable()
export class VersionsService {
  constructor(
    private readonly db: Database,
    private readonly files: FilesRepository,
    private readonly editable: EditableFiles,
    private readonly versions: VersionsRepository,
    private readonly blobs: BlobsRepository,
    private readonly storage: StorageAccount,
    private readonly queries: FileQueries,
    private readonly history: HistoryWriter,
    private readonly outbox: Outbox,
    private readonly holds: LegalHolds,
    private readonly clock: Clock,
  ) {}

  list(caller: Principal, file_id: string, query: ListParameters): Promise<Page<VersionRow>> {
    return this.db.read(async (tx) => {
      await this.queries.getFile(caller, file_id);
      return listPage<VersionRow>(tx, FileVersion, query, { where: sql`r.fv_file = ${file_id}`, select: CURRENT, join: WITH_FILE });
    });
  }

  get(caller: Principal, file_id: string, fv_id: string): Promise<VersionRow> {
    return this.db.read(async () => {
      await this.queries.getFile(caller, file_id);
      return this.row(file_id, fv_id);
    });
  }

  change(caller: Principal, file_id: string, fv_id: string, changes: VersionChanges, precondition?: Precondition): Promise<VersionRow> {
    return this.db.write(async () => {
      await this.editable.lockEditable(caller, file_id);
      const version = await this.versions.lockOf(file_id, fv_id, precondition);
      if (changes.fv_note !== undefined) version.fv_note = changes.fv_note;
      if (changes.fv_pinned !== undefined) version.fv_pinned = changes.fv_pinned;
      await this.versions.save(version);
      return this.row(file_id, fv_id);
    });
  }

  remove(caller: Principal, file_id: string, fv_id: string, precondition?: Precondition): Promise<void> {
    return this.db.write(async () => {
      const file = await this.editable.lockEditable(caller, file_id, { action: 'delete' });
      const version = await this.versions.lockOf(file_id, fv_id, precondition);
      if (file.file_current_version === fv_id) throw currentVersionStays();
      if (await this.versions.isShown(fv_id)) throw versionShown();
      await this.holds.blockNewHolds();
      if ((await this.holds.filterHeldFiles([file_id])).size > 0) throw versionsHeld();
      this.storage.recordChange(this.storage.storageUse(file, version), []);
      await this.versions.remove(version);
      await this.blobs.releaseReferences([version.fv_blob]);
      file.touch(this.clock);
      await this.files.save(file);
      await this.history.addEntries([{ file_id, action: 'version_removed', details: { fv_id, fv_number: version.fv_number } }]);
      this.outbox.emitEvent({ name: 'file.updated', subject_id: file_id, payload: { version_removed: version.fv_number } });
    });
  }

  private async row(file_id: string, fv_id: string): Promise<VersionRow> {
    const row = await this.versions.findShownVersion(file_id, fv_id, { besides: CURRENT, joined: WITH_FILE });
    if (!row) throw notFound('version');
    return row;
  }
}

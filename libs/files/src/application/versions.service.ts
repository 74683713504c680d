import { Injectable } from '@nestjs/common';
import { LegalHolds } from '@atrium/governance';
import type { Principal } from '@atrium/platform/access';
import {
  columnsOf,
  Database,
  listPage,
  requireScope,
  sql,
  type ListParameters,
  type Page,
  type Precondition,
} from '@atrium/platform/database';
import { Clock, invalidField, invalidState, notFound, Problem } from '@atrium/platform/kernel';
import { Outbox } from '@atrium/platform/messaging';
import type { File } from '../domain/file';
import { currentVersionStays, FileVersion, versionShown, versionsHeld } from '../domain/file-version';
import { BlobsRepository } from '../infrastructure/blobs.repository';
import { FilesRepository } from '../infrastructure/files.repository';
import { typeByBytes, TYPE_HEAD_BYTES } from '../inspection/infrastructure';
import { VersionsRepository } from '../infrastructure/versions.repository';
import { BlobStore } from './blobs.service';
import { FileAccess } from './file-access';
import { HistoryWriter } from './file-history';
import { FileQueries, type FileRow } from './file-queries';
import { FileStatuses } from './file-statuses';
import { StorageAccount } from './storage-account';
import { VersionWriter } from './versions-writer';

/** A version as answers show it; `row_version` becomes the ETag. */
export type VersionRow = Omit<
  FileVersion,
  'fv_blob' | 'fv_quarantine' | 'fv_rendition_bytes' | 'fv_provider' | 'tenant_id' | 'row_version' | 'becomeCurrent' | 'describe' | 'reveal'
> & { readonly row_version?: number };

export interface VersionChanges {
  readonly fv_note?: string | null;
  readonly fv_pinned?: boolean;
}

const MOST_CONTENT_BYTES = 2 * 1024 * 1024;
const WRITABLE = /^(text\/.+|application\/(json|yaml|xml|x-subrip)|image\/svg\+xml)$/;
const CURRENT = sql`r.fv_id = f.file_current_version AS fv_current`;
const WITH_FILE = sql`JOIN file f ON f.tenant_id = r.tenant_id AND f.file_id = r.fv_file`;

/** The states of a file's bytes: looking at them, noting, pinning, bringing one back, and writing text as a new one. */
@Injectable()
export class VersionsService {
  constructor(
    private readonly db: Database,
    private readonly files: FilesRepository,
    private readonly versions: VersionsRepository,
    private readonly blobs: BlobsRepository,
    private readonly blobStore: BlobStore,
    private readonly writer: VersionWriter,
    private readonly storage: StorageAccount,
    private readonly queries: FileQueries,
    private readonly access: FileAccess,
    private readonly history: HistoryWriter,
    private readonly outbox: Outbox,
    private readonly holds: LegalHolds,
    private readonly statuses: FileStatuses,
    private readonly clock: Clock,
  ) {}

  list(caller: Principal, file_id: string, query: ListParameters): Promise<Page<VersionRow>> {
    return this.db.read(async (tx) => {
      await this.queries.one(caller, file_id);
      return listPage<VersionRow>(tx, FileVersion, query, { where: sql`r.fv_file = ${file_id}`, select: CURRENT, join: WITH_FILE });
    });
  }

  get(caller: Principal, file_id: string, fv_id: string): Promise<VersionRow> {
    return this.db.read(async () => {
      await this.queries.one(caller, file_id);
      return this.row(file_id, fv_id);
    });
  }

  /** Writes text as the next version of a text file. */
  async write(
    caller: Principal,
    file_id: string,
    { content, fv_note }: { readonly content: string; readonly fv_note?: string | null },
    precondition?: Precondition,
  ): Promise<FileRow> {
    const bytes = Buffer.from(content, 'utf8');
    if (bytes.length > MOST_CONTENT_BYTES) throw invalidField('content', 'must have at most 2 MiB in UTF-8; use an upload', 'too_long');
    const before = await this.db.read(() => this.queries.one(caller, file_id, 'edit'));
    assertWritable(before);
    const file_type = await typeByBytes({ head: bytes.subarray(0, TYPE_HEAD_BYTES), name: before.file_name, size: bytes.length });
    return this.blobStore.storing(bytes, file_type, async (blob) => {
      const file = await this.lock(caller, file_id, { precondition });
      assertWritable(file);
      await this.storage.admit(bytes.length, caller.user_id);
      await this.writer.append(file, {
        blob,
        file_name: file.file_name,
        file_type,
        source: 'edit',
        note: fv_note ?? null,
        by: caller.user_id,
        action: 'version_added',
      });
      return this.queries.one(caller, file_id, 'edit');
    });
  }

  change(caller: Principal, file_id: string, fv_id: string, changes: VersionChanges, precondition?: Precondition): Promise<VersionRow> {
    return this.db.write(async () => {
      await this.lock(caller, file_id);
      const version = await this.lockVersion(file_id, fv_id, precondition);
      if (changes.fv_note !== undefined) version.fv_note = changes.fv_note;
      if (changes.fv_pinned !== undefined) version.fv_pinned = changes.fv_pinned;
      await this.versions.save(version);
      return this.row(file_id, fv_id);
    });
  }

  /** The bytes of an earlier version become a new, current one; nothing is copied and nothing is lost. */
  restore(caller: Principal, file_id: string, fv_id: string, precondition?: Precondition): Promise<FileRow> {
    return this.db.write(async () => {
      const file = await this.lock(caller, file_id, { precondition });
      const version = await this.lockVersion(file_id, fv_id);
      if (version.fv_quarantine !== null) throw invalidState('The bytes of this version are quarantined.');
      const blob = await this.blobs.find(version.fv_blob);
      if (!blob || version.fv_hash === null) throw invalidState('The bytes of this version have not been read yet; try again shortly.');
      await this.storage.admit(blob.blob_size, caller.user_id);
      await this.blobs.share(blob.blob_id);
      const details = { restored: version.fv_number };
      await this.writer.append(file, {
        blob,
        file_name: version.fv_name,
        file_type: version.fv_type,
        source: 'restore',
        by: caller.user_id,
        action: 'version_restored',
        details,
      });
      return this.queries.one(caller, file_id, 'edit');
    });
  }

  remove(caller: Principal, file_id: string, fv_id: string, precondition?: Precondition): Promise<void> {
    return this.db.write(async () => {
      const file = await this.lock(caller, file_id, { action: 'delete' });
      const version = await this.lockVersion(file_id, fv_id, precondition);
      if (file.file_current_version === fv_id) throw currentVersionStays();
      if (await this.versions.isShown(fv_id)) throw versionShown();
      await this.holds.settle();
      if ((await this.holds.heldFiles([file_id])).size > 0) throw versionsHeld();
      this.storage.moved(this.storage.standing(file, version), []);
      await this.versions.remove(version);
      await this.blobs.release([version.fv_blob]);
      file.touch(this.clock);
      await this.files.save(file);
      await this.history.add([{ file_id, action: 'version_removed', details: { fv_id, fv_number: version.fv_number } }]);
      this.outbox.emit({ name: 'file.updated', subject_id: file_id, payload: { version_removed: version.fv_number } });
    });
  }

  private async lock(
    caller: Principal,
    file_id: string,
    { action = 'edit', precondition }: { readonly action?: 'edit' | 'delete'; readonly precondition?: Precondition | undefined } = {},
  ): Promise<File> {
    const file = await this.files.lock(file_id, precondition, (row) => this.access.assertLive(caller, row, action));
    await this.statuses.assertEditable(file);
    return file;
  }

  private lockVersion(file_id: string, fv_id: string, precondition?: Precondition): Promise<FileVersion> {
    return this.versions.lock(fv_id, precondition, (version) => {
      if (version.fv_file !== file_id) throw notFound('version');
    });
  }

  private async row(file_id: string, fv_id: string): Promise<VersionRow> {
    const row = await this.db.current().first<VersionRow>(sql`
      SELECT ${columnsOf(FileVersion)}, r.row_version, ${CURRENT} FROM file_version r ${WITH_FILE}
      WHERE r.tenant_id = ${requireScope().tenant_id} AND r.fv_id = ${fv_id} AND r.fv_file = ${file_id}`);
    if (!row) throw notFound('version');
    return row;
  }
}

function assertWritable({ file_type }: Pick<File, 'file_type'>): void {
  if (!WRITABLE.test(file_type))
    throw new Problem('unsupported_media_type', `Only text can be written this way; the file is ${file_type}.`);
}

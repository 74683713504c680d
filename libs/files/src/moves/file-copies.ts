import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { invalidState, type JsonObject, notYet } from '@atrium/platform/kernel';
import { fileName, renamedFile } from '../core/domain/file-name';
import { SYSTEM_KEY, type File } from '../core/domain/file';
import { BlobsRepository } from '../blobs/infrastructure/blobs.repository';
import { FilesRepository } from '../core/infrastructure/files.repository';
import { FileAccess } from '../core/application/file-access';
import { HistoryWriter } from '../core/application/file-history';
import type { FileRow } from '../core/domain/file-row';
import { FileQueries } from '../core/application/file-queries';
import { FileStatuses } from '../core/application/file-statuses';
import { StorageAccount } from '../versions/application/storage-account';
import { UploadExtensions, type MediaTags } from '../uploads/application/uploads-extensions';
import { VersionWriter } from '../versions/application/versions-writer';

/** Name, albums and tags of the copy in the library. */
export interface WantedCopy {
  readonly album_ids?: readonly string[];
  readonly media_tags?: MediaTags;
  readonly file_name?: string;
}

const MEDIA = { type: 'media', id: null } as const;

/** Copies files into the media library. No byte is moved: the copy is a file of its own that shares what the original shows now. */
@Injectable()
export class FileCopies {
  constructor(
    private readonly db: Database,
    private readonly files: FilesRepository,
    private readonly blobs: BlobsRepository,
    private readonly queries: FileQueries,
    private readonly access: FileAccess,
    private readonly statuses: FileStatuses,
    private readonly extensions: UploadExtensions,
    private readonly versions: VersionWriter,
    private readonly history: HistoryWriter,
    private readonly storage: StorageAccount,
  ) {}

  /** Who may see the original may copy it: the route's list is the whole permission. */
  toMedia(caller: Principal, id: string, { album_ids = [], media_tags = {}, file_name }: WantedCopy): Promise<FileRow> {
    const wanted = file_name === undefined ? undefined : fileName(file_name);
    return this.db.write(async () => {
      const original = await this.files.lock(id, undefined, (row) => this.access.assertLive(caller, row, 'view'));
      await this.statuses.assertDownloadable(caller, original);
      const extras = { album_ids, media_tags };
      await this.extensions.validateExtras(caller, MEDIA, extras);
      const name = wanted === undefined ? original.file_name : fileName(renamedFile(wanted, original.file_name));
      const copy = await this.copy(caller, original, name);
      await this.extensions.applyExtras(caller, copy, extras);
      await this.history.addEntries([{ file_id: id, action: 'copied', details: { to: copy.file_id } }]);
      return this.queries.getFileUnchecked(caller, copy.file_id);
    });
  }

  private async copy(caller: Principal, original: File, file_name: string): Promise<File> {
    const { file_id, file_blob, file_processing, file_type, file_size, file_summary } = original;
    if (file_processing === 'pending') throw notYet('The file is still being processed. Copy it when it is ready.', 2);
    if (file_processing === 'quarantined') throw invalidState('The file is in quarantine and cannot be copied.');
    const blob = await this.blobs.findBlob(file_blob);
    if (!blob) throw invalidState('The content of the file is not in storage.');
    await this.storage.assertRoom(file_size, caller.user_id);
    await this.blobs.addReference(file_blob);
    const { [SYSTEM_KEY]: _, ...metadata } = original.file_metadata;
    const system: JsonObject = { source: { kind: 'copy', ref: file_id } };
    return this.versions.createFile({
      blob,
      repository: MEDIA,
      file_name,
      file_type,
      metadata,
      system,
      summary: file_summary,
      source: 'upload',
      by: caller.user_id,
      action: 'copied',
      details: { from: file_id },
    });
  }
}

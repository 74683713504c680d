import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Database, type Precondition } from '@atrium/platform/database';
import { invalidField, invalidState, notYet, Problem } from '@atrium/platform/kernel';
import type { File } from '../../core/domain/file';
import { BlobsRepository } from '../../blobs/infrastructure/blobs.repository';
import { VersionsRepository } from '../infrastructure/versions.repository';
import { typeByBytes, TYPE_HEAD_BYTES } from '../../inspection/infrastructure';
import { BlobStore } from '../../blobs/application/blobs.service';
import { EditableFiles } from '../../core/application/editable-files';
import type { FileRow } from '../../core/domain/file-row';
import { FileQueries } from '../../core/application/file-queries';
import { StorageAccount } from './storage-account';
import { VersionWriter } from './versions-writer';

const MOST_CONTENT_BYTES = 2 * 1024 * 1024;
const WRITABLE = /^(text\/.+|application\/(json|yaml|xml|x-subrip)|image\/svg\+xml)$/;

/** Next versions that no upload brings: text that is written, and an earlier version that comes back. */
@Injectable()
export class NextVersions {
  constructor(
    private readonly db: Database,
    private readonly editable: EditableFiles,
    private readonly versions: VersionsRepository,
    private readonly blobs: BlobsRepository,
    private readonly blobStore: BlobStore,
    private readonly writer: VersionWriter,
    private readonly storage: StorageAccount,
    private readonly queries: FileQueries,
  ) {}

  /** Writes text as the next version of a text file. */
  async writeVersion(
    caller: Principal,
    file_id: string,
    { content, fv_note }: { readonly content: string; readonly fv_note?: string | null },
    precondition?: Precondition,
  ): Promise<FileRow> {
    const bytes = Buffer.from(content, 'utf8');
    if (bytes.length > MOST_CONTENT_BYTES) throw invalidField('content', 'must have at most 2 MiB in UTF-8; use an upload', 'too_long');
    const before = await this.db.read(() => this.queries.getFile(caller, file_id, 'edit'));
    assertWritable(before);
    const file_type = await typeByBytes({ head: bytes.subarray(0, TYPE_HEAD_BYTES), name: before.file_name, size: bytes.length });
    return this.blobStore.useStoredBlob(bytes, file_type, async (blob) => {
      const file = await this.editable.lockEditable(caller, file_id, { precondition });
      assertWritable(file);
      await this.storage.assertRoom(bytes.length, caller.user_id);
      await this.writer.appendVersion(file, {
        blob,
        file_name: file.file_name,
        file_type,
        source: 'edit',
        note: fv_note ?? null,
        by: caller.user_id,
        action: 'version_added',
      });
      return this.queries.getFile(caller, file_id, 'edit');
    });
  }

  /** The bytes of an earlier version become a new, current one; nothing is copied and nothing is lost. */
  restoreVersion(caller: Principal, file_id: string, fv_id: string, precondition?: Precondition): Promise<FileRow> {
    return this.db.write(async () => {
      const file = await this.editable.lockEditable(caller, file_id, { precondition });
      const version = await this.versions.lockOf(file_id, fv_id);
      if (version.fv_quarantine !== null) throw invalidState('The content of this version is quarantined.');
      const blob = await this.blobs.findBlob(version.fv_blob);
      if (!blob || version.fv_hash === null) throw notYet('The content of this version has not been processed yet. Try again shortly.', 2);
      await this.storage.assertRoom(blob.blob_size, caller.user_id);
      await this.blobs.addReference(blob.blob_id);
      const details = { restored: version.fv_number };
      await this.writer.appendVersion(file, {
        blob,
        file_name: version.fv_name,
        file_type: version.fv_type,
        source: 'restore',
        by: caller.user_id,
        action: 'version_restored',
        details,
      });
      return this.queries.getFile(caller, file_id, 'edit');
    });
  }
}

function assertWritable({ file_type }: Pick<File, 'file_type'>): void {
  if (!WRITABLE.test(file_type))
    throw new Problem('unsupported_media_type', `Only text files can be written with this operation; the file is ${file_type}.`);
}

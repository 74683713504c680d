import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { notFound } from '@atrium/platform/kernel';
import type { Blob } from '../../blobs/domain/blob';
import type { File } from '../../core/domain/file';
import { UNDECLARED_TYPE } from '../../versions/domain/file-version';
import type { Repository } from '../../core/domain/repositories';
import type { Upload } from '../domain/upload';
import { BlobsRepository } from '../../blobs/infrastructure/blobs.repository';
import { FilesRepository } from '../../core/infrastructure/files.repository';
import { UploadsRepository } from '../infrastructure/uploads.repository';
import { FileAccess } from '../../core/application/file-access';
import { FileStatuses } from '../../core/application/file-statuses';
import { UploadExtensions } from './uploads-extensions';
import { VersionWriter } from '../../versions/application/versions-writer';

/** What the bytes of an upload become: a file of its own, or the next version of one. Within a writing unit of work. */
@Injectable()
export class UploadedFiles {
  constructor(
    private readonly uploads: UploadsRepository,
    private readonly files: FilesRepository,
    private readonly blobs: BlobsRepository,
    private readonly access: FileAccess,
    private readonly extensions: UploadExtensions,
    private readonly writer: VersionWriter,
    private readonly statuses: FileStatuses,
  ) {}

  /** The owner, or the file to be replaced, may have gone since the upload was opened. */
  async assertWanted(caller: Principal, upload: Upload): Promise<void> {
    if (!upload.upl_file) return this.access.assertRepository(caller, upload.repository, 'upload');
    const file = await this.files.findRow(upload.upl_file);
    if (!file || file.isInTrash) throw notFound('file');
    await this.access.assertFile(caller, file, 'edit');
  }

  /** A file with these bytes that the caller may see. */
  async findDuplicate(
    caller: Principal,
    repository: Repository,
    bytes: { readonly hash: string; readonly size: number },
  ): Promise<string | null> {
    if (!this.access.isAllowed(caller, repository, 'view')) return null;
    const [holder] = await this.uploads.findHolders(repository, [bytes], this.access.readableCondition(caller, repository));
    return holder?.file_id ?? null;
  }

  /** Makes the file or version; answers the id of the file. */
  async makeFile(caller: Principal, upload: Upload, repository: Repository): Promise<string> {
    const target = await this.target(caller, upload, repository);
    const { upl_id, upl_key, file_name, file_size, file_hash, upl_created_by: by } = upload;
    const file_type = upload.file_type ?? UNDECLARED_TYPE;
    const blob: Blob = await this.blobs.insertBlob({ blob_id: upl_id, blob_key: upl_key, blob_size: file_size, blob_type: file_type }, 1);
    const made = {
      blob,
      file_name,
      file_type,
      source: 'upload',
      note: upload.upl_note,
      promised_hash: file_hash,
      by,
      details: { upl_id },
    } as const;
    if (target) {
      await this.writer.appendVersion(target, { ...made, action: 'version_added' });
      return target.file_id;
    }
    const file = await this.writer.createFile({
      ...made,
      repository,
      metadata: upload.file_metadata,
      ...(upload.upl_source ? { system: { source: { ...upload.upl_source } } } : {}),
      action: 'uploaded',
    });
    await this.extensions.applyExtras(caller, file, { album_ids: upload.album_ids, media_tags: upload.media_tags });
    return file.file_id;
  }

  /** The file that gets a new version, locked; null when the upload becomes a file of its own. */
  private async target(caller: Principal, upload: Upload, repository: Repository): Promise<File | null> {
    const id =
      upload.upl_file ??
      (upload.upl_on_duplicate === 'version'
        ? await this.uploads.lockByName(repository, upload.file_name, this.access.readableCondition(caller, repository))
        : null);
    if (!id) return null;
    const file = await this.files.lock(id);
    if (file.isInTrash) throw notFound('file');
    await this.access.assertFile(caller, file, 'edit');
    await this.statuses.assertEditable(file);
    return file;
  }
}

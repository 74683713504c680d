import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Settings } from '@atrium/platform/config';
import { Database } from '@atrium/platform/database';
import { Problem, type JsonObject } from '@atrium/platform/kernel';
import type { Blob } from '../blobs/domain/blob';
import type { File } from '../core/domain/file';
import { UNDECLARED_TYPE } from '../versions/domain/file-version';
import { fileName } from '../core/domain/file-name';
import type { Repository } from '../core/domain/repositories';
import { isExecutableName } from '../inspection/infrastructure';
import { FileAccess } from '../core/application/file-access';
import { FileQueries, type FileRow } from '../core/application/file-queries';
import { memberOf } from '../core/application/guests';
import { ReservedBytes } from './reserved-bytes';
import { StorageAccount } from '../versions/application/storage-account';
import { UploadExtensions, type MediaTags } from '../uploads/application/uploads-extensions';
import { VersionWriter } from '../versions/application/versions-writer';

/** Bytes that come from elsewhere, and how the file is to be that they become. */
export interface ImportedBytes {
  readonly repository: Repository;
  readonly file_name: string;
  readonly stream: Readable;
  /** As their source declares it; the bytes decide in the end. */
  readonly file_type?: string | null;
  /** Free metadata, such as `rights`. */
  readonly metadata?: JsonObject;
  readonly summary?: string | null;
  readonly album_ids?: readonly string[];
  readonly media_tags?: MediaTags;
  /** Where they come from; shown as `file_metadata.system.source`. */
  readonly source: { readonly kind: string; readonly ref: string };
  /** Runs in the unit of work that makes the file: for what must happen exactly when it does. */
  readonly with?: (file: File) => Promise<void>;
}

/**
 * Makes files of bytes that the service fetches itself. They are streamed into storage, bounded in size, and then go the
 * way of every upload: hash, type, scan, deduplication, renditions. Called outside of any unit of work.
 */
@Injectable()
export class FileImports {
  constructor(
    private readonly db: Database,
    private readonly bytes: ReservedBytes,
    private readonly access: FileAccess,
    private readonly queries: FileQueries,
    private readonly extensions: UploadExtensions,
    private readonly versions: VersionWriter,
    private readonly storage: StorageAccount,
    private readonly settings: Settings,
  ) {}

  /** The file, still to be read by ingest. The stream is used up or destroyed, whatever happens. */
  async importStream(caller: Principal, { stream, ...wanted }: ImportedBytes): Promise<FileRow> {
    try {
      const file_name = this.allowedName(wanted.file_name);
      const extras = { album_ids: wanted.album_ids ?? [], media_tags: wanted.media_tags ?? {} };
      const reserved = await this.db.write(async () => {
        await this.access.assertRepository(caller, wanted.repository, 'upload');
        await this.extensions.validate(caller, wanted.repository, extras);
        return this.bytes.reserve(wanted.file_type ?? UNDECLARED_TYPE);
      });
      return await this.bytes.store(reserved, stream, (size) =>
        this.db.write(async () => {
          await this.access.assertRepository(caller, wanted.repository, 'upload');
          await this.storage.admit(size, memberOf(caller));
          const blob = await this.bytes.adopt(reserved, size);
          const file = await this.make(caller, { ...wanted, file_name }, blob);
          await this.extensions.apply(caller, file, extras);
          await wanted.with?.(file);
          return this.queries.made(caller, file.file_id);
        }),
      );
    } finally {
      stream.destroy();
    }
  }

  private allowedName(given: string): string {
    const name = fileName(given);
    if (!this.settings.UPLOAD_ALLOW_EXECUTABLES && isExecutableName(name))
      throw new Problem('unprocessable_content', 'The name is that of a program. Programs are not accepted.');
    return name;
  }

  private make(
    caller: Principal,
    { repository, file_name, file_type, metadata = {}, summary = null, source }: Omit<ImportedBytes, 'stream'>,
    blob: Blob,
  ): Promise<File> {
    const details = { source: { ...source } };
    return this.versions.create({
      blob,
      repository,
      file_name,
      file_type: file_type ?? UNDECLARED_TYPE,
      metadata,
      system: details,
      summary,
      source: 'import',
      by: memberOf(caller),
      action: 'uploaded',
      details,
    });
  }
}

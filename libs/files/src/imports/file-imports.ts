import { Readable } from 'node:stream';
import { Injectable, Logger } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Settings } from '@atrium/platform/config';
import { Database, requireScope } from '@atrium/platform/database';
import { Problem, type JsonObject, Ids } from '@atrium/platform/kernel';
import { WorkspaceStores } from '@atrium/governance';
import { ObjectStore } from '@atrium/platform/storage';
import { type Blob, blobKey } from '../blobs/domain/blob';
import type { File } from '../core/domain/file';
import { UNDECLARED_TYPE } from '../versions/domain/file-version';
import { fileName } from '../core/domain/file-name';
import type { Repository } from '../core/domain/repositories';
import { isExecutableName } from '../inspection/infrastructure';
import { FileAccess } from '../core/application/file-access';
import type { FileRow } from '../core/domain/file-row';
import { FileQueries } from '../core/application/file-queries';
import { memberOf } from '../core/application/guests';
import { StorageAccount } from '../versions/application/storage-account';
import { UploadExtensions, type MediaTags } from '../uploads/application/uploads-extensions';
import { VersionWriter } from '../versions/application/versions-writer';
import { BlobsRepository } from '../blobs/infrastructure/blobs.repository';
import { BlobStore } from '../blobs/application/blobs.service';

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
    private readonly access: FileAccess,
    private readonly queries: FileQueries,
    private readonly extensions: UploadExtensions,
    private readonly versions: VersionWriter,
    private readonly storage: StorageAccount,
    private readonly settings: Settings,
    private readonly objects: ObjectStore,
    private readonly stores: WorkspaceStores,
    private readonly blobs: BlobsRepository,
    private readonly blobStore: BlobStore,
    private readonly ids: Ids,
  ) {}

  /** The file, still to be read by ingest. The stream is used up or destroyed, whatever happens. */
  async importStream(caller: Principal, { stream, ...wanted }: ImportedBytes): Promise<FileRow> {
    try {
      const file_name = this.allowedName(wanted.file_name);
      const extras = { album_ids: wanted.album_ids ?? [], media_tags: wanted.media_tags ?? {} };
      const reserved = await this.db.write(async () => {
        await this.access.assertRepository(caller, wanted.repository, 'upload');
        await this.extensions.validateExtras(caller, wanted.repository, extras);
        return this.reserveBytes(wanted.file_type ?? UNDECLARED_TYPE);
      });
      return await this.storeBytes(reserved, stream, (size) =>
        this.db.write(async () => {
          await this.access.assertRepository(caller, wanted.repository, 'upload');
          await this.storage.assertRoom(size, memberOf(caller));
          const blob = await this.adoptBytes(reserved, size);
          const file = await this.make(caller, { ...wanted, file_name }, blob);
          await this.extensions.applyExtras(caller, file, extras);
          await wanted.with?.(file);
          return this.queries.getFileUnchecked(caller, file.file_id);
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
    return this.versions.createFile({
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

  /** Bytes of an import on their way into storage: a row is reserved for them before they come, and goes when they do not. */
  private readonly log = new Logger(FileImports.name);

  /** A row for bytes that are to come, within a writing unit of work. */
  private async reserveBytes(blob_type: string): Promise<Blob> {
    const blob_id = this.ids.next();
    return this.blobs.insertBlob(
      { blob_id, blob_key: blobKey(requireScope().tenant_id, blob_id, await this.stores.findHomeProvider()), blob_size: 0, blob_type },
      0,
    );
  }

  /** Puts the bytes where they were reserved and does the work with their size; what fails leaves nothing in storage, and what cannot be removed is left to the sweeper. */
  private async storeBytes<T>(reserved: Blob, stream: Readable, work: (size: number) => Promise<T>): Promise<T> {
    try {
      const { size } = await this.objects.putObject(reserved.blob_key, capped(stream, this.settings.UPLOAD_MAX_BYTES), {
        contentType: reserved.blob_type,
      });
      return await work(size);
    } catch (error) {
      await this.blobStore
        .removeOrphan(reserved.blob_id)
        .catch((failure: unknown) => this.log.warn({ msg: 'bytes of a failed import are left to the sweeper', err: failure }));
      throw error;
    }
  }

  /** The reserved bytes become those of a version; within a writing unit of work. */
  private async adoptBytes({ blob_id }: Blob, size: number): Promise<Blob> {
    const blob = await this.blobs.adoptOrphan(blob_id, size);
    if (!blob) throw new Error('The bytes of an import were swept away.');
    return blob;
  }
}

/** Ends with a problem as soon as there are too many bytes. */
function capped(stream: Readable, most: number): Readable {
  let size = 0;
  const bounded = async function* (): AsyncGenerator<Buffer, void> {
    for await (const chunk of stream) {
      size += (chunk as Buffer).length;
      if (size > most) throw new Problem('unprocessable_content', `The file exceeds ${most} bytes, the maximum for imports.`);
      yield chunk as Buffer;
    }
  };
  return Readable.from(bounded(), { objectMode: false });
}

import { Readable } from 'node:stream';
import { Injectable, Logger } from '@nestjs/common';
import { WorkspaceStores } from '@atrium/governance';
import type { Principal } from '@atrium/platform/access';
import { Settings } from '@atrium/platform/config';
import { Database, requireScope } from '@atrium/platform/database';
import { Ids, Problem, type JsonObject } from '@atrium/platform/kernel';
import { ObjectStore } from '@atrium/platform/storage';
import { blobKey, type Blob } from '../domain/blob';
import type { File } from '../domain/file';
import { fileName } from '../domain/file-name';
import type { Repository } from '../domain/repositories';
import { BlobsRepository } from '../infrastructure/blobs.repository';
import { isExecutableName } from '../inspection/infrastructure';
import { BlobStore } from './blobs.service';
import { FileAccess } from './file-access';
import { FileQueries, type FileRow } from './file-queries';
import { memberOf } from './guests';
import { StorageAccount } from './storage-account';
import { UploadExtensions, type MediaTags } from './uploads-extensions';
import { UNDECLARED_TYPE, VersionWriter } from './versions-writer';

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
  private readonly log = new Logger(FileImports.name);

  constructor(
    private readonly db: Database,
    private readonly store: ObjectStore,
    private readonly stores: WorkspaceStores,
    private readonly blobs: BlobsRepository,
    private readonly blobStore: BlobStore,
    private readonly access: FileAccess,
    private readonly queries: FileQueries,
    private readonly extensions: UploadExtensions,
    private readonly versions: VersionWriter,
    private readonly storage: StorageAccount,
    private readonly settings: Settings,
    private readonly ids: Ids,
  ) {}

  /** The file, still to be read by ingest. The stream is used up or destroyed, whatever happens. */
  async importStream(caller: Principal, { stream, ...wanted }: ImportedBytes): Promise<FileRow> {
    try {
      const file_name = this.allowedName(wanted.file_name);
      const extras = { album_ids: wanted.album_ids ?? [], media_tags: wanted.media_tags ?? {} };
      const reserved = await this.db.write(async () => {
        await this.access.assertRepository(caller, wanted.repository, 'upload');
        await this.extensions.validate(caller, wanted.repository, extras);
        return this.reserve(wanted.file_type ?? UNDECLARED_TYPE);
      });
      return await this.kept(reserved, async () => {
        const { size } = await this.store.put(reserved.blob_key, capped(stream, this.settings.UPLOAD_MAX_BYTES), {
          contentType: reserved.blob_type,
        });
        return this.db.write(async () => {
          await this.access.assertRepository(caller, wanted.repository, 'upload');
          await this.storage.admit(size, memberOf(caller));
          const file = await this.make(caller, { ...wanted, file_name }, reserved, size);
          await this.extensions.apply(caller, file, extras);
          await wanted.with?.(file);
          return this.queries.made(caller, file.file_id);
        });
      });
    } finally {
      stream.destroy();
    }
  }

  private allowedName(given: string): string {
    const name = fileName(given);
    if (!this.settings.UPLOAD_ALLOW_EXECUTABLES && isExecutableName(name))
      throw new Problem('unprocessable_content', 'The name is that of a program; programs are not accepted here.');
    return name;
  }

  private async reserve(blob_type: string): Promise<Blob> {
    const blob_id = this.ids.next();
    return this.blobs.insert(
      { blob_id, blob_key: blobKey(requireScope().tenant_id, blob_id, await this.stores.home()), blob_size: 0, blob_type },
      0,
    );
  }

  /** What fails leaves nothing in storage; what can not be removed is left to the sweeper. */
  private async kept<T>(reserved: Blob, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      await this.blobStore
        .remove(reserved.blob_id)
        .catch((failure: unknown) => this.log.warn({ msg: 'bytes of a failed import are left to the sweeper', err: failure }));
      throw error;
    }
  }

  private async make(
    caller: Principal,
    { repository, file_name, file_type, metadata = {}, summary = null, source }: Omit<ImportedBytes, 'stream'>,
    reserved: Blob,
    size: number,
  ): Promise<File> {
    const blob = await this.blobs.adopt(reserved.blob_id, size);
    if (!blob) throw new Error('The bytes of an import were swept away.');
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

/** Ends with a problem as soon as there are too many bytes. */
function capped(stream: Readable, most: number): Readable {
  let size = 0;
  const bounded = async function* (): AsyncGenerator<Buffer, void> {
    for await (const chunk of stream) {
      size += (chunk as Buffer).length;
      if (size > most) throw new Problem('unprocessable_content', `The address has more than ${most} bytes; an import may have no more.`);
      yield chunk as Buffer;
    }
  };
  return Readable.from(bounded(), { objectMode: false });
}

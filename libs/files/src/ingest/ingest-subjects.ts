import { Injectable } from '@nestjs/common';
import { Database } from '@atrium/platform/database';
import { Problem } from '@atrium/platform/kernel';
import type { Blob } from '../blobs/domain/blob';
import type { File } from '../core/domain/file';
import type { FileVersion } from '../versions/domain/file-version';
import { BlobsRepository } from '../blobs/infrastructure/blobs.repository';
import { FilesRepository } from '../core/infrastructure/files.repository';
import { VersionsRepository } from '../versions/infrastructure/versions.repository';

export interface IngestOrder {
  readonly file_id: string;
  readonly fv_id: string;
  readonly promised_hash?: string | undefined;
}

/** The file, version and blob that an ingest is about. */
export interface IngestSubject {
  readonly file: File;
  readonly version: FileVersion;
  readonly blob: Blob;
}

/** Finds what an ingest is about, and locks it for each of its steps; any of it may be gone in the meantime. */
@Injectable()
export class IngestSubjects {
  constructor(
    private readonly db: Database,
    private readonly files: FilesRepository,
    private readonly versions: VersionsRepository,
    private readonly blobs: BlobsRepository,
  ) {}

  findSubject({ file_id, fv_id }: IngestOrder): Promise<IngestSubject | null> {
    return this.db.read(async () => {
      const [file, version] = [await this.files.findRow(file_id), await this.versions.findRow(fv_id)];
      const blob = version && (await this.blobs.findBlob(version.fv_blob));
      return file && version && blob ? { file, version, blob } : null;
    });
  }

  /** File and version, locked, within a writing unit of work; null when one is gone. */
  async lockSubject({ file_id, fv_id }: IngestOrder): Promise<Pick<IngestSubject, 'file' | 'version'> | null> {
    const file = await unlessGone(this.files.lock(file_id));
    const version = file && (await unlessGone(this.versions.lock(fv_id)));
    return file && version ? { file, version } : null;
  }
}

async function unlessGone<T>(row: Promise<T>): Promise<T | null> {
  try {
    return await row;
  } catch (error) {
    if (error instanceof Problem && error.code === 'not_found') return null;
    throw error;
  }
}

import { Injectable } from '@nestjs/common';
import { Clock } from '@atrium/platform/kernel';
import { job, Outbox } from '@atrium/platform/messaging';
import type { Blob } from '../blobs/domain/blob';
import type { File } from '../core/domain/file';
import type { FileVersion } from '../versions/domain/file-version';
import { FilesRepository } from '../core/infrastructure/files.repository';
import { VersionsRepository } from '../versions/infrastructure/versions.repository';
import { ingest } from '../versions/jobs/ingest.jobs';
import { HistoryWriter } from '../core/application/file-history';
import { FileLifecycle } from '../core/application/file-lifecycle';
import { StorageAccount } from '../versions/application/storage-account';

/** A file in quarantine with the bytes that are kept back. */
export interface Quarantined {
  readonly file: File;
  readonly version: FileVersion;
  readonly blob: Blob;
}

/** What follows when a file leaves the quarantine. Within the unit of work that holds its rows. */
@Injectable()
export class ReleasedFiles {
  constructor(
    private readonly files: FilesRepository,
    private readonly versions: VersionsRepository,
    private readonly lifecycle: FileLifecycle,
    private readonly history: HistoryWriter,
    private readonly storage: StorageAccount,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  /** Ready at once where the bytes were read before; pictures and facts are made again behind it. */
  async letOut({ file, version, blob }: Quarantined): Promise<void> {
    const { file_id } = file;
    const { fv_id } = version;
    const before = this.storage.standing(file, version);
    version.fv_quarantine = null;
    if (blob.blob_hash === null) file.file_processing = 'pending';
    else {
      version.describe(blob);
      version.reveal(file, blob, this.clock);
    }
    await this.versions.save(version);
    await this.files.save(file);
    this.storage.moved(before, this.storage.standing(file, version));
    await this.history.add([{ file_id, action: 'restored', details: { from: 'quarantine' } }]);
    if (blob.blob_hash === null || blob.blob_system === null)
      this.outbox.add(job(ingest, { file_id, fv_id, ...(blob.blob_hash === null ? {} : { again: true }) }));
    if (file.file_processing !== 'ready') return;
    this.outbox.emit({ name: 'file.ready', subject_id: file_id, payload: { fv_id, file_type: file.file_type } });
    await this.lifecycle.ready(file);
  }
}

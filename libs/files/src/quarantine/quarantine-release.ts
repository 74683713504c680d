import { Injectable } from '@nestjs/common';
import { Audit, type Principal, defineAuditTypes } from '@atrium/platform/access';
import { Settings } from '@atrium/platform/config';
import { Database } from '@atrium/platform/database';
import { invalidState, notFound, Clock } from '@atrium/platform/kernel';
import { ObjectMissing, ObjectStore } from '@atrium/platform/storage';
import { planJob, Outbox } from '@atrium/platform/messaging';
import type { Blob } from '../blobs/domain/blob';
import { MalwareScanner } from '../blobs/domain/malware-scanner';
import { BlobsRepository } from '../blobs/infrastructure/blobs.repository';
import { FilesRepository } from '../core/infrastructure/files.repository';
import { VersionsRepository } from '../versions/infrastructure/versions.repository';
import { isExecutable } from '../inspection/infrastructure';
import { FileAccess } from '../core/application/file-access';
import type { FileRow } from '../core/domain/file-row';
import { FileQueries } from '../core/application/file-queries';
import type { File } from '../core/domain/file';
import type { FileVersion } from '../versions/domain/file-version';
import { ingest } from '../versions/jobs/ingest.jobs';
import { HistoryWriter } from '../core/application/file-history';
import { FileLifecycle } from '../core/application/file-lifecycle';
import { StorageAccount } from '../versions/application/storage-account';

/** What is kept of administrators' decisions about files. */
const FILES_AUDIT = defineAuditTypes({
  'file.released': 'A file was released from quarantine.',
});

/** A file in quarantine with the bytes that are kept back. */
export interface Quarantined {
  readonly file: File;
  readonly version: FileVersion;
  readonly blob: Blob;
}

/** Files that an administrator lets out of quarantine. */
@Injectable()
export class QuarantineRelease {
  constructor(
    private readonly db: Database,
    private readonly store: ObjectStore,
    private readonly files: FilesRepository,
    private readonly versions: VersionsRepository,
    private readonly blobs: BlobsRepository,
    private readonly scanner: MalwareScanner,
    private readonly queries: FileQueries,
    private readonly access: FileAccess,
    private readonly audit: Audit,
    private readonly settings: Settings,
    private readonly lifecycle: FileLifecycle,
    private readonly history: HistoryWriter,
    private readonly storage: StorageAccount,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  /** Lets a file out once its bytes were scanned again and nothing was found. */
  async releaseFile(caller: Principal, id: string, signal: AbortSignal): Promise<FileRow> {
    const { file, version, blob } = await this.db.read(() => this.find(caller, id));
    if (isExecutable(version.fv_type) && !this.settings.UPLOAD_ALLOW_EXECUTABLES)
      throw invalidState('The file is a program. Programs are not accepted.');
    await this.rescan(blob, signal);
    return this.db.write(async () => {
      const locked = await this.files.lock(id);
      if (locked.file_processing !== 'quarantined' || locked.file_current_version !== file.file_current_version)
        throw invalidState('The file has changed since it was scanned. Read it again.');
      await this.publishReleased({
        file: locked,
        version: await this.versions.lock(version.fv_id),
        blob: (await this.blobs.findBlob(blob.blob_id)) ?? blob,
      });
      this.audit.record({
        type: FILES_AUDIT['file.released'],
        target: { type: 'file', id, name: locked.file_name },
        before: { reason: version.fv_quarantine },
      });
      return this.queries.getFileUnchecked(caller, id);
    });
  }

  private async find(caller: Principal, id: string): Promise<Quarantined> {
    const file = await this.files.findRow(id);
    if (!file || file.isInTrash) throw notFound('file');
    await this.access.assertNotHidden(caller, file);
    if (file.file_processing !== 'quarantined') throw invalidState('The file is not in quarantine.');
    const version = await this.versions.findRow(file.file_current_version);
    const blob = version && (await this.blobs.findBlob(version.fv_blob));
    if (!version || !blob) throw notFound('file');
    return { file, version, blob };
  }

  private async rescan(blob: Blob, signal: AbortSignal): Promise<void> {
    if (!this.scanner.active) {
      if (blob.blob_malware !== null) throw invalidState('No malware scanner is available to verify that the file is clean.');
      return;
    }
    const { malware } = await this.scanner.scanBytes(await this.bytesOf(blob), signal);
    await this.db.write(() => this.blobs.saveScan(blob.blob_id, malware));
    if (malware !== null) throw invalidState(`The scan found ${malware} again.`);
  }

  private async bytesOf({ blob_key }: Blob): Promise<AsyncIterable<unknown>> {
    try {
      return await this.store.get(blob_key);
    } catch (error) {
      if (error instanceof ObjectMissing) throw invalidState('The content of the file is no longer in storage.');
      throw error;
    }
  }

  /** Ready at once where the bytes were read before; pictures and facts are made again behind it. */
  private async publishReleased({ file, version, blob }: Quarantined): Promise<void> {
    const { file_id } = file;
    const { fv_id } = version;
    const before = this.storage.storageUse(file, version);
    version.fv_quarantine = null;
    if (blob.blob_hash === null) file.file_processing = 'pending';
    else {
      version.describe(blob);
      version.reveal(file, blob, this.clock);
    }
    await this.versions.save(version);
    await this.files.save(file);
    this.storage.recordChange(before, this.storage.storageUse(file, version));
    await this.history.addEntries([{ file_id, action: 'restored', details: { from: 'quarantine' } }]);
    if (blob.blob_hash === null || blob.blob_system === null)
      this.outbox.addJob(planJob(ingest, { file_id, fv_id, ...(blob.blob_hash === null ? {} : { again: true }) }));
    if (file.file_processing !== 'ready') return;
    this.outbox.emitEvent({ name: 'file.ready', subject_id: file_id, payload: { fv_id, file_type: file.file_type } });
    await this.lifecycle.notifyReady(file);
  }
}

import { Injectable, type OnModuleInit } from '@nestjs/common';
import { RetentionTargets, type RemovedBatch } from '@atrium/governance';
import { Clock } from '@atrium/platform/kernel';
import { BlobsRepository } from '../../blobs/infrastructure/blobs.repository';
import { DownloadJobsRepository } from '../../downloads/infrastructure/download-jobs.repository';
import { FilesRepository } from '../../core/infrastructure/files.repository';
import { RetainedVersions } from '../infrastructure/retained-versions';
import { TrashRows } from '../../trash/infrastructure/trash-rows';
import { ArchiveAccount } from '../../downloads/application/archive-account';
import { HistoryWriter } from '../../core/application/file-history';
import { StorageAccount } from '../../versions/application/storage-account';
import { Trash } from '../../trash/application/trash';

/**
 * What this context keeps for a time: deleted files, earlier versions, packed archives. Rows go here; bytes that nothing
 * refers to any more go with the sweeper.
 */
@Injectable()
export class FileRetention implements OnModuleInit {
  constructor(
    private readonly targets: RetentionTargets,
    private readonly trash: Trash,
    private readonly trashed: TrashRows,
    private readonly files: FilesRepository,
    private readonly versions: RetainedVersions,
    private readonly blobs: BlobsRepository,
    private readonly downloads: DownloadJobsRepository,
    private readonly history: HistoryWriter,
    private readonly storage: StorageAccount,
    private readonly archives: ArchiveAccount,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.targets.register({
      key: 'trash',
      countDue: () => this.trashed.countDue(this.clock.now()),
      findHeldRows: (_before, most) => this.trashed.findHeldRows(this.clock.now(), most),
      purgeBatch: (_before, batch) => this.trash.purgeDue(batch),
    });
    this.targets.register({
      key: 'file_versions',
      countDue: (before) => this.versions.countDue(before),
      findHeldRows: (before, most) => this.versions.findHeldRows(before, most),
      purgeBatch: (before, batch) => this.purgeVersions(before, batch),
    });
    // An archive holds copies only: the files in it are what a hold keeps.
    this.targets.register({
      key: 'download_archives',
      countDue: () => this.downloads.countDue(this.clock.now()),
      findHeldRows: () => Promise.resolve([]),
      purgeBatch: (_before, batch) => this.expireArchives(batch),
    });
  }

  private async expireArchives(batch: number): Promise<RemovedBatch> {
    const expired = await this.downloads.expireDue(this.clock.now(), batch);
    for (const job of expired) this.archives.uncountPacked(job);
    return {
      removed: expired.length,
      bytes: expired.reduce((sum, { archive_size }) => sum + (archive_size ?? 0), 0),
      left: expired.length === batch,
    };
  }

  /** Restoring or pinning a version locks its file, and so does this. */
  private async purgeVersions(before: Date, batch: number): Promise<RemovedBatch> {
    const due = await this.versions.findDueVersions(before, batch);
    if (due.length === 0) return { removed: 0, bytes: 0, left: false };
    const files = new Map((await this.files.lockMany([...new Set(due.map(({ fv_file }) => fv_file))])).map((file) => [file.file_id, file]));
    const removed = await this.versions.deleteVersions(due.map(({ fv_id }) => fv_id));
    this.storage.recordChange(
      removed.flatMap((version) => this.storage.getUseOf(files.get(version.fv_file), version)),
      [],
    );
    await this.blobs.releaseReferences(removed.map(({ fv_blob }) => fv_blob));
    await this.history.addEntries(
      removed.map(({ fv_file, fv_id, fv_number }) => ({
        file_id: fv_file,
        action: 'version_removed',
        details: { fv_id, fv_number, retention: true },
      })),
    );
    return { removed: removed.length, bytes: removed.reduce((sum, { fv_size }) => sum + fv_size, 0), left: due.length === batch };
  }
}

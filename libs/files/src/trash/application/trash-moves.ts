import { Injectable } from '@nestjs/common';
import { Clock } from '@atrium/platform/kernel';
import { Outbox } from '@atrium/platform/messaging';
import type { File } from '../../core/domain/file';
import { BlobsRepository } from '../../blobs/infrastructure/blobs.repository';
import { TrashRows } from '../infrastructure/trash-rows';
import { HistoryWriter } from '../../core/application/file-history';
import { FileLifecycle } from '../../core/application/file-lifecycle';
import { inTrash, StorageAccount } from '../../versions/application/storage-account';
import { TrashRetention } from './trash-retention';

/** What every move into the trash, back, and out of it for good brings with it. Within a unit of work that holds the files. */
@Injectable()
export class TrashMoves {
  constructor(
    private readonly rows: TrashRows,
    private readonly blobs: BlobsRepository,
    private readonly lifecycle: FileLifecycle,
    private readonly history: HistoryWriter,
    private readonly outbox: Outbox,
    private readonly storage: StorageAccount,
    private readonly retention: TrashRetention,
    private readonly clock: Clock,
  ) {}

  async trashFiles(files: readonly File[], by: string | null): Promise<void> {
    if (files.length === 0) return;
    const days = await this.retention.getRetentionDays();
    const before = await this.storage.sumStorageUse(files);
    for (const file of files) file.trash(by, days, this.clock);
    await this.rows.saveFiles(files);
    this.storage.recordChange(before, inTrash(before));
    await this.lifecycle.notifyTrashed(files);
    await this.tell(files, 'trashed');
  }

  async restoreFiles(files: readonly File[]): Promise<void> {
    if (files.length === 0) return;
    await this.rows.saveFiles(files);
    const after = await this.storage.sumStorageUse(files);
    this.storage.recordChange(inTrash(after), after);
    await this.lifecycle.notifyRestored(files);
    await this.tell(files, 'restored');
  }

  /** Out of the trash for good; how many bytes their versions had. */
  async purgeFiles(files: readonly File[]): Promise<number> {
    if (files.length === 0) return 0;
    const ids = files.map((file) => file.file_id);
    await this.lifecycle.notifyPurged(ids);
    this.storage.recordChange(await this.storage.sumStorageUse(files), []);
    await this.storage.closeAll(ids);
    const versions = await this.rows.deleteFiles(ids);
    await this.blobs.releaseReferences(versions.map(({ fv_blob }) => fv_blob));
    await this.tell(files, 'purged');
    return versions.reduce((sum, { fv_size }) => sum + fv_size, 0);
  }

  private async tell(files: readonly File[], action: 'trashed' | 'restored' | 'purged'): Promise<void> {
    await this.history.addEntries(
      files.map(({ file_id, file_name }) => ({ file_id, action, ...(action === 'purged' ? { details: { file_name } } : {}) })),
    );
    for (const { file_id, repository } of files)
      this.outbox.emitEvent({ name: `file.${action}`, subject_id: file_id, payload: { ...repository } });
  }
}

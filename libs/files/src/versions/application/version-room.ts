import { Injectable } from '@nestjs/common';
import { LegalHolds } from '@atrium/governance';
import { Settings } from '@atrium/platform/config';
import type { File } from '../../core/domain/file';
import { versionsAtLimit, versionsHeld } from '../domain/file-version';
import { BlobsRepository } from '../../blobs/infrastructure/blobs.repository';
import { VersionsRepository } from '../infrastructure/versions.repository';
import { HistoryWriter } from '../../core/application/file-history';
import { StorageAccount } from './storage-account';

/** A file has only so many versions: the oldest that nobody pinned make room for the next one. */
@Injectable()
export class VersionRoom {
  constructor(
    private readonly versions: VersionsRepository,
    private readonly blobs: BlobsRepository,
    private readonly history: HistoryWriter,
    private readonly storage: StorageAccount,
    private readonly holds: LegalHolds,
    private readonly settings: Settings,
  ) {}

  /** Within the unit of work that holds the file; refused when too few may go. */
  async make(file: File): Promise<void> {
    const most = this.settings.FILE_VERSIONS_MAX;
    const surplus = (await this.versions.count(file.file_id)) + 1 - most;
    if (surplus <= 0) return;
    await this.holds.settle();
    if ((await this.holds.heldFiles([file.file_id])).size > 0) throw versionsHeld();
    const removed = await this.versions.prune(file, surplus);
    if (removed.length < surplus) throw versionsAtLimit(most);
    await this.blobs.release(removed.map(({ fv_blob }) => fv_blob));
    this.storage.moved(
      removed.flatMap((version) => this.storage.standing(file, version)),
      [],
    );
    await this.history.add(
      removed.map(({ fv_id, fv_number }) => ({
        file_id: file.file_id,
        action: 'version_removed',
        details: { fv_id, fv_number, pruned: true },
      })),
    );
  }
}

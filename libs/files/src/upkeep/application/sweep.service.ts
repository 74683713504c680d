import { Injectable, Logger } from '@nestjs/common';
import { Database, runInScope, SYSTEM_ACTOR } from '@atrium/platform/database';
import { Clock, newId } from '@atrium/platform/kernel';
import { UPLOAD_LIFE } from '../../uploads/domain/upload';
import { removeStaleWorkFolders } from '../../blobs/infrastructure/blobs-work-folder';
import { BlobsRepository } from '../../blobs/infrastructure/blobs.repository';
import { UploadsRepository } from '../../uploads/infrastructure/uploads.repository';
import { BlobStore } from '../../blobs/application/blobs.service';
import { DownloadJobs } from '../../downloads/application/download-jobs.service';
import { StorageAccount } from '../../versions/application/storage-account';
import { Trash } from '../../trash/application/trash';
import { AllWorkspacesRows, type DueItem } from '../infrastructure/all-workspaces.rows';
import { UploadExtensions } from '../../uploads/application/uploads-extensions';
import { UploadStorage } from '../../uploads/application/uploads-storage';

const BATCH = 500;
const MOST_ROUNDS = 20;

/**
 * Ends what nobody will end otherwise: lapsed uploads and what they left in storage, files whose time in the trash is
 * over, bytes that nothing refers to, archives that expired or were never completed. Any number may run at once; each item is decided
 * under its lock.
 */
@Injectable()
export class Sweep {
  private readonly log = new Logger(Sweep.name);

  constructor(
    private readonly db: Database,
    private readonly uploads: UploadsRepository,
    private readonly uploadStorage: UploadStorage,
    private readonly account: StorageAccount,
    private readonly extensions: UploadExtensions,
    private readonly blobs: BlobsRepository,
    private readonly blobStore: BlobStore,
    private readonly trash: Trash,
    private readonly downloads: DownloadJobs,
    private readonly clock: Clock,
    private readonly rows: AllWorkspacesRows,
  ) {}

  /** Removes what killed processes left in this machine's temporary folder. */
  tidyHost(): Promise<void> {
    return removeStaleWorkFolders(this.clock.now());
  }

  /** One pass over everything that is due; how many items were ended. */
  async sweepFiles(): Promise<number> {
    let ended = 0;
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const due = await this.db.acrossTenants(() => this.rows.findDueItems(BATCH));
      const done = await this.endAll(due);
      ended += done;
      if (done === 0 || due.length < BATCH) break;
    }
    return ended;
  }

  private async endAll(due: readonly DueItem[]): Promise<number> {
    let done = 0;
    for (const { kind, tenant_id, id } of due) {
      const scope = { tenant_id, actor: SYSTEM_ACTOR, request_id: `sweep-${newId()}` };
      try {
        if (await runInScope(scope, () => this.end(kind, id))) done += 1;
      } catch (error) {
        this.log.warn({ msg: 'an item could not be swept and is tried again later', kind, tenant_id, id, err: error });
      }
    }
    return done;
  }

  private async end(kind: DueItem['kind'], id: string): Promise<boolean> {
    if (kind === 'upload') return this.endUpload(id);
    if (kind === 'trash') return this.emptyTrash();
    if (kind === 'blob') return this.blobStore.removeOrphan(id);
    return this.downloads.expireArchive(id);
  }

  /** Removes all of the trash whose day has come; false when a hold keeps what there is. */
  private async emptyTrash(): Promise<boolean> {
    let removed = 0;
    for (let left = true; left;) {
      const batch = await this.trash.purgeDue(BATCH);
      removed += batch.removed;
      left = batch.left;
    }
    return removed > 0;
  }

  /** Expires an upload that is still open, and clears what an ended one may have left or been sent later. */
  private async endUpload(id: string): Promise<boolean> {
    const ended = await this.db.write(async () => {
      const upload = await this.uploads.lock(id);
      if (!upload.upl_staged || upload.upl_expires > this.clock.now() || upload.isHeld(this.clock)) return null;
      const inUse = await this.blobs.hasKey(upload.upl_key, upload.upl_id);
      if (inUse) upload.upl_expires = this.clock.after(UPLOAD_LIFE);
      else if (upload.upl_state === 'open' || upload.upl_state === 'completing') {
        upload.expire();
        this.account.releaseUpload(upload);
        await this.extensions.notifyEnded(upload);
      }
      await this.uploads.save(upload);
      return inUse ? null : upload;
    });
    if (!ended) return false;
    await this.uploadStorage.dropBytes(ended);
    await this.db.write(async () => {
      const upload = await this.uploads.lock(id);
      upload.upl_staged = false;
      await this.uploads.save(upload);
    });
    return true;
  }
}

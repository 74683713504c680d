import { Injectable } from '@nestjs/common';
import { Database } from '@atrium/platform/database';
import { Clock, DAY, type JsonObject } from '@atrium/platform/kernel';
import { planJob, Outbox } from '@atrium/platform/messaging';
import { ObjectStore } from '@atrium/platform/storage';
import { keysOf, type Blob } from '../blobs/domain/blob';
import { BlobsRepository } from '../blobs/infrastructure/blobs.repository';
import { FilesRepository } from '../core/infrastructure/files.repository';
import { VersionsRepository } from '../versions/infrastructure/versions.repository';
import { discarded } from '../blobs/jobs/discarded.jobs';
import { FileLifecycle } from '../core/application/file-lifecycle';
import type { Described } from './ingest-inspection';
import { IngestSubjects, type IngestOrder, type IngestSubject } from './ingest-subjects';
import { StorageAccount } from '../versions/application/storage-account';

/** What of a file may be another after another look into its bytes. */
const LOOKED_INTO = ['file_metadata', 'file_replicas'];

/** Stores the result of an inspection with the blob, and shows it in version and file. */
@Injectable()
export class IngestFindings {
  constructor(
    private readonly db: Database,
    private readonly store: ObjectStore,
    private readonly subjects: IngestSubjects,
    private readonly files: FilesRepository,
    private readonly versions: VersionsRepository,
    private readonly blobs: BlobsRepository,
    private readonly lifecycle: FileLifecycle,
    private readonly outbox: Outbox,
    private readonly storage: StorageAccount,
    private readonly clock: Clock,
  ) {}

  /** What was found belongs to the blob from now on, unless another run has reported first; the blob as this run described it, or null. */
  async storeFindings(
    order: IngestOrder,
    found: Blob,
    { described, again = false }: { readonly described: Described | null; readonly again?: boolean },
  ): Promise<Blob | null> {
    const kept = await this.db.write(async () => {
      const locked = await this.subjects.lockSubject(order);
      if (!locked) return null;
      const won = described !== null && (await this.blobs.saveInspection(found, described.blob_replicas, described.blob_system));
      const told = won || described === null ? { ...found, ...described } : await this.blobs.findBlob(found.blob_id);
      if (told) await this.show(locked, told, again);
      if (won) this.discardLater(found);
      return won ? { ...found, ...described } : null;
    });
    if (described && !kept) await this.store.delete(keysOf({ '': described.blob_replicas }));
    return kept;
  }

  private async show({ file, version }: Pick<IngestSubject, 'file' | 'version'>, blob: Blob, again: boolean): Promise<void> {
    const { file_id } = file;
    const { fv_id } = version;
    const before = this.storage.storageUse(file, version);
    version.describe(blob);
    await this.versions.save(version);
    this.storage.recordChange(before, this.storage.storageUse(file, version));
    const was = file.file_processing;
    if (file.file_current_version !== fv_id || (was !== 'pending' && (!again || was === 'quarantined'))) return;
    const outcome = version.reveal(file, blob, this.clock);
    await this.files.save(file);
    const payload: JsonObject = { fv_id, file_type: file.file_type, file_processing: outcome };
    const isNewlyReady = outcome === 'ready' && was !== 'ready';
    this.outbox.emitEvent(
      isNewlyReady
        ? { name: 'file.ready', subject_id: file_id, payload }
        : { name: 'file.updated', subject_id: file_id, payload: again ? { ...payload, fields: LOOKED_INTO } : payload },
    );
    if (isNewlyReady) await this.lifecycle.notifyReady(file);
  }

  /** Addresses of what was shown until now were handed out for a while. */
  private discardLater({ blob_replicas }: Blob): void {
    const keys = keysOf({ '': blob_replicas });
    if (keys.length > 0) this.outbox.addJob(planJob(discarded, { keys }, { delayMs: DAY }));
  }
}

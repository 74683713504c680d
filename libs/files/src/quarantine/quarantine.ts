import { Injectable } from '@nestjs/common';
import { Database } from '@atrium/platform/database';
import { Clock } from '@atrium/platform/kernel';
import { ObjectStore } from '@atrium/platform/storage';
import { keysOf, type Blob } from '../blobs/domain/blob';
import type { File } from '../core/domain/file';
import { MALWARE, type FileVersion } from '../versions/domain/file-version';
import { BlobsRepository } from '../blobs/infrastructure/blobs.repository';
import { FilesRepository } from '../core/infrastructure/files.repository';
import { VersionsRepository } from '../versions/infrastructure/versions.repository';
import { BlobObjects } from '../blobs/application/blob-objects';
import { PictureAccount } from '../blobs/application/picture-account';
import { QuarantineNotices, type QuarantineReason } from '../versions/application/quarantine-notices';
import { StorageAccount } from '../versions/application/storage-account';
import { WithheldVersionRows } from './withheld-versions.rows';

const FILES_AT_ONCE = 200;

/**
 * The state of files whose bytes no one may have: because a scanner found something, because they are not the promised ones,
 * or because they are programs. Bytes with malware take every file and version with them that shows them.
 */
@Injectable()
export class Quarantine {
  constructor(
    private readonly db: Database,
    private readonly store: ObjectStore,
    private readonly files: FilesRepository,
    private readonly versions: VersionsRepository,
    private readonly blobs: BlobsRepository,
    private readonly objects: BlobObjects,
    private readonly storage: StorageAccount,
    private readonly pictures: PictureAccount,
    private readonly notices: QuarantineNotices,
    private readonly clock: Clock,
    private readonly withheld: WithheldVersionRows,
  ) {}

  /** Within the unit of work that holds both rows. */
  async quarantineFile(file: File, version: FileVersion, { reason, malware = null }: QuarantineReason): Promise<void> {
    version.withhold(file, reason, this.clock);
    await this.versions.save(version);
    await this.files.save(file);
    await this.notices.sendNotices([{ file, fv_id: version.fv_id }], { reason, malware });
  }

  /** Takes everything out of reach that shows these bytes, and removes what was made of them. */
  async withholdBlob(blob: Blob, malware: string): Promise<void> {
    await this.db.write(() => this.blobs.saveScan(blob.blob_id, malware));
    await this.store.delete(await this.objects.listDerived(blob));
    while ((await this.db.write(() => this.withholdSome(blob.blob_id, malware))) === FILES_AT_ONCE);
    const marked = await this.db.write(async () => {
      const known = await this.blobs.dropRenditions(blob.blob_id);
      this.pictures.uncountMarked(known);
      return known;
    });
    // Pictures may have got a mark while all this went on.
    if (marked) await this.store.delete(keysOf(marked.blob_marked));
  }

  private async withholdSome(blob_id: string, malware: string): Promise<number> {
    const shown = await this.withheld.findExposedFiles(blob_id, FILES_AT_ONCE);
    const files = await this.files.lockMany(shown);
    const ids = files.map(({ file_id }) => file_id);
    const before = await this.storage.sumStorageUse(files);
    await this.withheld.withholdVersions(blob_id, ids);
    this.storage.recordChange(before, await this.storage.sumStorageUse(files));
    const showing = files.filter((file) => file.file_blob === blob_id && file.file_processing !== 'quarantined');
    for (const file of showing) await this.hide(file);
    await this.notices.sendNotices(
      showing.map((file) => ({ file, fv_id: file.file_current_version })),
      { reason: MALWARE, malware },
    );
    return shown.length;
  }

  private async hide(file: File): Promise<void> {
    const version = await this.versions.lock(file.file_current_version);
    version.withhold(file, MALWARE, this.clock);
    await this.versions.save(version);
    await this.files.save(file);
  }
}

import { Injectable } from '@nestjs/common';
import { Settings } from '@atrium/platform/config';
import { requireScope } from '@atrium/platform/database';
import { Clock, Ids, type JsonObject } from '@atrium/platform/kernel';
import { LegalHolds } from '@atrium/governance';
import { blobFolder, providerOf, type Blob } from '../../blobs/domain/blob';
import { File } from '../../core/domain/file';
import { FileVersion, MALWARE, versionsAtLimit, versionsHeld } from '../domain/file-version';
import { MalwareScanner } from '../../blobs/domain/malware-scanner';
import type { Repository } from '../../core/domain/repositories';
import { FilesRepository } from '../../core/infrastructure/files.repository';
import { isFinal, isLookedInto, kindOf } from '../../inspection/infrastructure';
import { VersionsRepository } from '../infrastructure/versions.repository';
import { FileStatuses } from '../../core/application/file-statuses';
import { StorageAccount } from './storage-account';
import { VersionNotifier, type NewVersion } from './version-notifier';
import { BlobsRepository } from '../../blobs/infrastructure/blobs.repository';
import { HistoryWriter } from '../../core/application/file-history';

export interface NewFile extends NewVersion {
  readonly repository: Repository;
  readonly metadata?: JsonObject;
  /** Facts of the file itself for `file_metadata.system`, such as its source. */
  readonly system?: JsonObject;
  readonly summary?: string | null;
}

/**
 * The two kinds of writes that make bytes visible: as the first version of a new file, and as the next version of a file
 * whose row is locked. Both happen within a unit of work, tell everybody, and ask for the bytes to be read unless they
 * were read before.
 */
@Injectable()
export class VersionWriter {
  constructor(
    private readonly files: FilesRepository,
    private readonly versions: VersionsRepository,
    private readonly notifier: VersionNotifier,
    private readonly storage: StorageAccount,
    private readonly settings: Settings,
    private readonly scanner: MalwareScanner,
    private readonly statuses: FileStatuses,
    private readonly clock: Clock,
    private readonly ids: Ids,
    private readonly blobs: BlobsRepository,
    private readonly history: HistoryWriter,
    private readonly holds: LegalHolds,
  ) {}

  async createFile(made: NewFile): Promise<File> {
    const file = this.newFile(made, await this.statuses.getInitialStatus(made.repository));
    const version = this.newVersion(file, 1, made);
    this.show(file, version, made.blob);
    await this.files.insert(file);
    await this.versions.insert(version);
    this.storage.recordChange([], this.storage.storageUse(file, version));
    await this.notifier.announceCreated(file, version, made);
    return file;
  }

  /** The next version becomes the current one; the oldest that nobody pinned make room for it. */
  async appendVersion(file: File, made: NewVersion): Promise<FileVersion> {
    await this.makeRoom(file);
    const shown = await this.storage.findCurrentUse(file);
    const version = this.newVersion(file, file.file_version + 1, made);
    const kindBefore = file.file_kind;
    Object.assign(file, this.getPlace(made.blob.blob_key));
    this.show(file, version, made.blob);
    await this.versions.insert(version);
    await this.files.save(file);
    this.storage.recordChange(shown?.use ?? [], [
      ...(shown ? this.storage.storageUse(file, shown.version) : []),
      ...this.storage.storageUse(file, version),
    ]);
    await this.notifier.announceVersion(file, version, { ...made, kindBefore });
    return version;
  }

  private show(file: File, version: FileVersion, blob: Blob): void {
    version.becomeCurrent(file, kindOf(version.fv_type), this.clock);
    if (blob.blob_malware !== null) {
      version.describe(blob);
      version.withhold(file, MALWARE, this.clock);
      return;
    }
    if (!isKnown(blob, version.fv_type) || isUnscanned(blob, this.scanner)) return;
    version.describe(blob);
    version.reveal(file, blob, this.clock);
  }

  private newFile({ blob, repository, metadata, system, summary = null, file_name, by }: NewFile, file_status: string): File {
    return File.added(
      {
        file_id: this.ids.next(),
        repository,
        file_name,
        ...(metadata ? { metadata } : {}),
        ...(system ? { system } : {}),
        ...this.getPlace(blob.blob_key),
        file_status,
        file_summary: summary,
        file_added_by: by,
      },
      this.clock,
    );
  }

  /** The platform's own provider has the workspace's id. */
  getPlace(blob_key: string): Pick<File, 'file_provider_id' | 'file_bucket' | 'file_folder'> {
    const { tenant_id } = requireScope();
    const provider = providerOf(blob_key);
    const home = this.settings.S3_ENDPOINT ? this.settings.S3_BUCKET : 'disk';
    return { file_provider_id: provider ?? tenant_id, file_bucket: provider ?? home, file_folder: blobFolder(tenant_id, provider) };
  }

  private newVersion(file: File, fv_number: number, made: NewVersion): FileVersion {
    return FileVersion.startedFor(
      file,
      {
        fv_id: this.ids.next(),
        fv_number,
        fv_name: made.file_name,
        fv_type: made.file_type,
        fv_note: made.note ?? null,
        fv_source: made.source,
        fv_created_by: made.by,
        blob: made.blob,
      },
      this.clock,
    );
  }

  /** Within the unit of work that holds the file; refused when too few may go. */
  private async makeRoom(file: File): Promise<void> {
    const most = this.settings.FILE_VERSIONS_MAX;
    const surplus = (await this.versions.countVersions(file.file_id)) + 1 - most;
    if (surplus <= 0) return;
    await this.holds.blockNewHolds();
    if ((await this.holds.filterHeldFiles([file.file_id])).size > 0) throw versionsHeld();
    const removed = await this.versions.pruneVersions(file, surplus);
    if (removed.length < surplus) throw versionsAtLimit(most);
    await this.blobs.releaseReferences(removed.map(({ fv_blob }) => fv_blob));
    this.storage.recordChange(
      removed.flatMap((version) => this.storage.storageUse(file, version)),
      [],
    );
    await this.history.addEntries(
      removed.map(({ fv_id, fv_number }) => ({
        file_id: file.file_id,
        action: 'version_removed',
        details: { fv_id, fv_number, pruned: true },
      })),
    );
  }
}

/** Whether the bytes still have to be scanned. */
export const isUnscanned = ({ blob_size, blob_scanned }: Blob, { active }: MalwareScanner): boolean =>
  active && blob_scanned === null && blob_size > 0;

/** Whether nothing is left to find out about the bytes. */
const isKnown = (blob: Blob, type: string): boolean =>
  blob.blob_hash !== null && ((blob.blob_system !== null && isFinal(blob.blob_system, type)) || !isLookedInto(type));

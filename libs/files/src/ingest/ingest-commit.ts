import { Injectable, Logger } from '@nestjs/common';
import { Settings } from '@atrium/platform/config';
import { Database } from '@atrium/platform/database';
import { ObjectStore } from '@atrium/platform/storage';
import type { Blob } from '../blobs/domain/blob';
import type { File } from '../core/domain/file';
import { MALWARE, setSystem, systemOf, UNDECLARED_TYPE, type FileVersion } from '../versions/domain/file-version';
import type { ReadBytes } from '../blobs/infrastructure/blobs-reader';
import { BlobsRepository } from '../blobs/infrastructure/blobs.repository';
import { FilesRepository } from '../core/infrastructure/files.repository';
import { VersionsRepository } from '../versions/infrastructure/versions.repository';
import { isExecutable, kindOf } from '../inspection/infrastructure';
import { BlobStore } from '../blobs/application/blobs.service';
import type { ReadByRun } from './ingest-reading';
import { IngestSubjects, type IngestOrder } from './ingest-subjects';
import { Quarantine } from '../quarantine/quarantine';
import { StorageAccount } from '../versions/application/storage-account';
import { VersionWriter } from '../versions/application/versions-writer';

/** The blob that holds the bytes in the end, or null when they were taken out of reach. */
interface Settled {
  /** Whether this run has decided it; else another one had before. */
  readonly won: boolean;
  readonly blob: Blob | null;
  /** The blob that equal bytes made superfluous. */
  readonly superseded: string | null;
  /** Where malware was found, and what. */
  readonly infected: { readonly blob: Blob; readonly malware: string } | null;
}

/**
 * Decides once what the bytes of a version are, however many runs have read them: which blob holds them, of which type they
 * are, and whether anybody may have them. What a run that comes too late has put into storage goes.
 */
@Injectable()
export class IngestCommit {
  private readonly log = new Logger(IngestCommit.name);

  constructor(
    private readonly db: Database,
    private readonly store: ObjectStore,
    private readonly subjects: IngestSubjects,
    private readonly files: FilesRepository,
    private readonly versions: VersionsRepository,
    private readonly blobs: BlobsRepository,
    private readonly blobStore: BlobStore,
    private readonly storage: StorageAccount,
    private readonly writer: VersionWriter,
    private readonly quarantine: Quarantine,
    private readonly settings: Settings,
  ) {}

  /** The blob that holds the bytes from now on; null when they were taken out of reach, or what they belong to is gone. */
  async settleBlob(order: IngestOrder, found: Blob, read: ReadByRun): Promise<Blob | null> {
    const settled = await this.db.write(() => this.decide(order, found, read));
    const needless = settled?.won ? found.blob_key : read.key;
    if (settled && found.blob_key !== read.key)
      await this.store
        .delete([needless])
        .catch((error: unknown) => this.log.warn({ msg: 'needless bytes are left to the sweeper', err: error }));
    if (settled?.superseded && settled.blob?.blob_corrupt) await this.mend(settled.blob, read.key);
    if (settled?.superseded) await this.blobStore.discardObjects([settled.superseded]);
    if (settled?.infected) await this.quarantine.withholdBlob(settled.infected.blob, settled.infected.malware);
    return settled?.blob ?? null;
  }

  /** Equal bytes came that are sound: they take the place of those that are not. */
  private async mend(corrupt: Blob, sound: string): Promise<void> {
    await this.store.copy(sound, corrupt.blob_key);
    await this.db.write(() => this.blobs.saveVerification(corrupt.blob_id, true));
    this.log.log({ msg: 'corrupt bytes were replaced by equal ones that came', blob_id: corrupt.blob_id });
  }

  /** What the bytes are becomes known: to the blob, or to the one that holds equal bytes, and to version and file. */
  private async decide(order: IngestOrder, found: Blob, own: ReadByRun): Promise<Settled | null> {
    const locked = await this.subjects.lockSubject(order);
    if (!locked) return null;
    const { file, version } = locked;
    const settledBefore = await this.settledBefore(version, found);
    const blob = settledBefore ?? (await this.oneBlob(found, own));
    // What another run has settled counts, whatever this one read: the staged bytes may be others by now.
    const read = settledBefore
      ? { ...own, hash: settledBefore.blob_hash ?? '', size: settledBefore.blob_size, type: settledBefore.blob_type, verdict: null }
      : own;
    if (settledBefore && version.fv_quarantine !== null) return { won: false, blob: null, superseded: null, infected: null };
    const declared = version.fv_type;
    const before = this.storage.storageUse(file, version);
    version.fv_type = read.type;
    version.describe(blob);
    await this.versions.save(version);
    this.storage.recordChange(before, this.storage.storageUse(file, version));
    if (file.file_current_version === version.fv_id) await this.tellFile(file, { declared, blob, read });
    if (read.verdict) await this.blobs.saveScan(blob.blob_id, read.verdict.malware);
    const malware = read.verdict ? read.verdict.malware : blob.blob_malware;
    const fault = malware === null ? this.faultOf(read, order.promised_hash) : MALWARE;
    if (fault) await this.quarantine.quarantineFile(file, version, { reason: fault, malware });
    return {
      won: !settledBefore,
      blob: fault ? null : blob,
      superseded: settledBefore || blob.blob_id === found.blob_id ? null : found.blob_id,
      infected: malware === null ? null : { blob, malware },
    };
  }

  private faultOf({ hash, type }: ReadBytes, promised: string | undefined): string | null {
    if (promised && promised !== hash) return 'hash_mismatch';
    return isExecutable(type) && !this.settings.UPLOAD_ALLOW_EXECUTABLES ? 'executable' : null;
  }

  /** The blob that another run has settled for the version, its row locked; null while nobody has. */
  private async settledBefore({ fv_blob }: FileVersion, found: Blob): Promise<Blob | null> {
    const now = await this.blobs.lockBlob(fv_blob);
    return now && (now.blob_id !== found.blob_id || now.blob_hash !== null) ? now : null;
  }

  private async oneBlob({ blob_id }: Blob, { key, hash, size, type }: ReadByRun): Promise<Blob> {
    await this.blobs.lockHash(hash);
    const equal = await this.blobs.reuseBlob(hash, size, (await this.blobs.lockBlob(blob_id))?.blob_refs ?? 0);
    if (equal) await this.blobs.supersedeBlob(blob_id, equal.blob_id, key);
    else await this.blobs.saveContent(blob_id, { blob_hash: hash, blob_size: size, blob_type: type, blob_key: key });
    const blob = equal ?? (await this.blobs.findBlob(blob_id));
    if (!blob) throw new Error('A blob in use has a row.');
    return blob;
  }

  private async tellFile(
    file: File,
    { declared, blob, read }: { readonly declared: string; readonly blob: Blob; readonly read: ReadBytes },
  ): Promise<void> {
    file.file_blob = blob.blob_id;
    Object.assign(file, this.writer.getPlace(blob.blob_key));
    file.file_type = read.type;
    file.file_kind = kindOf(read.type);
    file.file_size = read.size;
    if (declared !== read.type && declared !== UNDECLARED_TYPE) setSystem(file, { ...systemOf(file), declared_type: declared });
    await this.files.save(file);
  }
}

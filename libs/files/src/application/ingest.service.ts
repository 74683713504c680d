import { Injectable, Logger } from '@nestjs/common';
import { Settings } from '@atrium/platform/config';
import { Database, requireScope } from '@atrium/platform/database';
import { Clock, DAY, Ids, Problem, type JsonObject, type ProblemCode } from '@atrium/platform/kernel';
import { job, Outbox, type JobRun } from '@atrium/platform/messaging';
import { ObjectStore } from '@atrium/platform/storage';
import { copiedKey, isStaged, keysOf, type Blob } from '../domain/blob';
import type { File } from '../domain/file';
import { setSystem, systemOf, type FileVersion } from '../domain/file-version';
import { MalwareScanner } from '../domain/malware-scanner';
import { BlobReader, type ReadBytes } from '../infrastructure/blobs-reader';
import { inWorkFolder } from '../infrastructure/blobs-work-folder';
import { BlobsRepository } from '../infrastructure/blobs.repository';
import { FilesRepository } from '../infrastructure/files.repository';
import { isExecutable, isLookedInto, kindOf } from '../inspection/infrastructure';
import { VersionsRepository } from '../infrastructure/versions.repository';
import { discarded } from '../jobs/discarded.jobs';
import { BlobObjects } from './blob-objects';
import { BlobStore } from './blobs.service';
import { FileLifecycle } from './file-lifecycle';
import { BlobInspections, type Described } from './ingest-inspection';
import { StorageAccount } from './storage-account';
import { Quarantine } from './quarantine';
import { UnreadFiles } from './unread-files';
import { isUnscanned, MALWARE, UNDECLARED_TYPE, VersionWriter } from './versions-writer';

export interface IngestOrder {
  readonly file_id: string;
  readonly fv_id: string;
  readonly promised_hash?: string | undefined;
}

/** What an ingest has to know of the run it is made in. */
export type IngestRun = Pick<JobRun, 'signal' | 'isFirst'>;

/** What of a file may be another after another look into its bytes. */
const LOOKED_INTO = ['file_metadata', 'file_replicas'];

interface Subject {
  readonly file: File;
  readonly version: FileVersion;
  readonly blob: Blob;
}

/** What one run read, and where the bytes lie that it read: a copy of its own, unless nobody outside can write to them. */
interface ReadByRun extends ReadBytes {
  readonly key: string;
}

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
 * Reads the bytes of a new version: hash and type, whether the workspace holds them already, then renditions and facts.
 * Each step ends in one unit of work and is passed over when it was done before, so a run that was killed anywhere is
 * taken up by the next one. What a run puts into storage lies under keys of its own until the row names it; a run that comes
 * too late removes what it made, and nothing else.
 */
@Injectable()
export class Ingest {
  private readonly log = new Logger(Ingest.name);

  constructor(
    private readonly db: Database,
    private readonly store: ObjectStore,
    private readonly files: FilesRepository,
    private readonly versions: VersionsRepository,
    private readonly blobs: BlobsRepository,
    private readonly blobStore: BlobStore,
    private readonly objects: BlobObjects,
    private readonly reader: BlobReader,
    private readonly inspections: BlobInspections,
    private readonly lifecycle: FileLifecycle,
    private readonly outbox: Outbox,
    private readonly storage: StorageAccount,
    private readonly writer: VersionWriter,
    private readonly scanner: MalwareScanner,
    private readonly quarantine: Quarantine,
    private readonly unread: UnreadFiles,
    private readonly settings: Settings,
    private readonly ids: Ids,
    private readonly clock: Clock,
  ) {}

  async run(order: IngestOrder, { signal, isFirst }: IngestRun): Promise<void> {
    const subject = await this.find(order);
    if (!subject || isDone(subject)) return;
    await inWorkFolder(async (folder) => {
      const read = subject.blob.blob_hash === null ? await this.read(subject, folder, signal) : null;
      const blob = read ? await this.settle(order, subject.blob, read) : await this.cleared(subject.blob, signal);
      if (!blob) return;
      const type = read?.type ?? subject.version.fv_type;
      const path = read?.hash === blob.blob_hash ? read.path : null;
      const described =
        isLookedInto(type) && !(await this.inspections.isCurrent(blob, type))
          ? await this.inspections.inspect({ blob, type, folder, path, signal })
          : null;
      const kept = await this.finish(order, blob, { described });
      if (kept && !isFirst) await this.objects.tidy(kept);
    });
  }

  /** Looks once more into bytes that were read before, and has those read that were given up; answers why that can not be, or null. */
  async again(order: IngestOrder, signal: AbortSignal): Promise<ProblemCode | null> {
    const subject = await this.find(order);
    if (!subject) return 'not_found';
    const { file, version, blob } = subject;
    if (this.unread.isGivenUp(file, version) && (await this.unread.revive(order))) return null;
    if (blob.blob_hash === null || file.file_current_version !== version.fv_id || version.fv_quarantine !== null) return 'invalid_state';
    if (!isLookedInto(version.fv_type)) return null;
    await inWorkFolder(async (folder) => {
      const described = await this.inspections.inspect({ blob, type: version.fv_type, folder, path: null, signal });
      await this.finish(order, blob, { described, again: true });
    });
    return null;
  }

  /** Ends the processes that look into files. */
  close(): Promise<void> {
    return this.inspections.close();
  }

  private find({ file_id, fv_id }: IngestOrder): Promise<Subject | null> {
    return this.db.read(async () => {
      const [file, version] = [await this.files.find(file_id), await this.versions.find(fv_id)];
      const blob = version && (await this.blobs.find(version.fv_blob));
      return file && version && blob ? { file, version, blob } : null;
    });
  }

  /** A single upload's bytes are copied first: what is read is what nobody outside can change any more. */
  private async read({ version, blob }: Subject, folder: string, signal: AbortSignal): Promise<ReadByRun> {
    const key = isStaged(blob.blob_key) ? copiedKey(requireScope().tenant_id, blob, this.ids.next()) : blob.blob_key;
    if (key !== blob.blob_key) await this.store.copy(blob.blob_key, key);
    return {
      key,
      ...(await this.reader.read({
        key,
        name: version.fv_name,
        size: blob.blob_size,
        folder,
        keeps: isLookedInto,
        scanner: this.scanner,
        signal,
      })),
    };
  }

  /** The blob, once it is known that no malware is in it; null when there is. */
  private async cleared(blob: Blob, signal: AbortSignal): Promise<Blob | null> {
    const unscanned = isUnscanned(blob, this.scanner);
    const malware = unscanned ? (await this.scanner.scan(await this.store.get(blob.blob_key), signal)).malware : blob.blob_malware;
    if (malware !== null) await this.quarantine.withhold(blob, malware);
    else if (unscanned) await this.db.write(() => this.blobs.scanned(blob.blob_id, null));
    return malware === null ? blob : null;
  }

  private async settle(order: IngestOrder, found: Blob, read: ReadByRun): Promise<Blob | null> {
    const settled = await this.db.write(() => this.decide(order, found, read));
    const needless = settled?.won ? found.blob_key : read.key;
    if (settled && found.blob_key !== read.key)
      await this.store
        .delete([needless])
        .catch((error: unknown) => this.log.warn({ msg: 'needless bytes are left to the sweeper', err: error }));
    if (settled?.superseded && settled.blob?.blob_corrupt) await this.mend(settled.blob, read.key);
    if (settled?.superseded) await this.blobStore.discard([settled.superseded]);
    if (settled?.infected) await this.quarantine.withhold(settled.infected.blob, settled.infected.malware);
    return settled?.blob ?? null;
  }

  /** Equal bytes came that are sound: they take the place of those that are not. */
  private async mend(corrupt: Blob, sound: string): Promise<void> {
    await this.store.copy(sound, corrupt.blob_key);
    await this.db.write(() => this.blobs.verified(corrupt.blob_id, true));
    this.log.log({ msg: 'corrupt bytes were replaced by equal ones that came', blob_id: corrupt.blob_id });
  }

  /** What the bytes are becomes known: to the blob, or to the one that holds equal bytes, and to version and file. */
  private async decide({ file_id, fv_id, promised_hash }: IngestOrder, found: Blob, own: ReadByRun): Promise<Settled | null> {
    const file = await this.lockFile(file_id);
    const version = file && (await this.lockVersion(fv_id));
    if (!file || !version) return null;
    const settledBefore = await this.settledBefore(version, found);
    const blob = settledBefore ?? (await this.oneBlob(found, own));
    // What another run has settled counts, whatever this one read: the staged bytes may be others by now.
    const read = settledBefore
      ? { ...own, hash: settledBefore.blob_hash ?? '', size: settledBefore.blob_size, type: settledBefore.blob_type, verdict: null }
      : own;
    if (settledBefore && version.fv_quarantine !== null) return { won: false, blob: null, superseded: null, infected: null };
    const declared = version.fv_type;
    const before = this.storage.standing(file, version);
    version.fv_type = read.type;
    version.describe(blob);
    await this.versions.save(version);
    this.storage.moved(before, this.storage.standing(file, version));
    if (file.file_current_version === fv_id) await this.tellFile(file, { declared, blob, read });
    if (read.verdict) await this.blobs.scanned(blob.blob_id, read.verdict.malware);
    const malware = read.verdict ? read.verdict.malware : blob.blob_malware;
    const fault = malware === null ? this.faultOf(read, promised_hash) : MALWARE;
    if (fault) await this.quarantine.put(file, version, { reason: fault, malware });
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
    const now = await this.blobs.lock(fv_blob);
    return now && (now.blob_id !== found.blob_id || now.blob_hash !== null) ? now : null;
  }

  private async oneBlob({ blob_id }: Blob, { key, hash, size, type }: ReadByRun): Promise<Blob> {
    await this.blobs.lockHash(hash);
    const equal = await this.blobs.reuse(hash, size, (await this.blobs.lock(blob_id))?.blob_refs ?? 0);
    if (equal) await this.blobs.supersede(blob_id, equal.blob_id, key);
    else await this.blobs.settle(blob_id, { blob_hash: hash, blob_size: size, blob_type: type, blob_key: key });
    const blob = equal ?? (await this.blobs.find(blob_id));
    if (!blob) throw new Error('A blob in use has a row.');
    return blob;
  }

  private async tellFile(
    file: File,
    { declared, blob, read }: { readonly declared: string; readonly blob: Blob; readonly read: ReadBytes },
  ): Promise<void> {
    file.file_blob = blob.blob_id;
    Object.assign(file, this.writer.whereIs(blob.blob_key));
    file.file_type = read.type;
    file.file_kind = kindOf(read.type);
    file.file_size = read.size;
    if (declared !== read.type && declared !== UNDECLARED_TYPE) setSystem(file, { ...systemOf(file), declared_type: declared });
    await this.files.save(file);
  }

  /** What was found belongs to the blob from now on, unless another run has told before; the blob as this run described it, or null. */
  private async finish(
    order: IngestOrder,
    found: Blob,
    { described, again = false }: { readonly described: Described | null; readonly again?: boolean },
  ): Promise<Blob | null> {
    const kept = await this.db.write(async () => {
      const file = await this.lockFile(order.file_id);
      const version = file && (await this.lockVersion(order.fv_id));
      if (!file || !version) return null;
      const won = described !== null && (await this.blobs.describe(found, described.blob_replicas, described.blob_system));
      const told = won || described === null ? { ...found, ...described } : await this.blobs.find(found.blob_id);
      if (told) await this.show(file, version, told, again);
      if (won) this.discardLater(found);
      return won ? { ...found, ...described } : null;
    });
    if (described && !kept) await this.store.delete(keysOf({ '': described.blob_replicas }));
    return kept;
  }

  private async show(file: File, version: FileVersion, blob: Blob, again: boolean): Promise<void> {
    const { file_id } = file;
    const { fv_id } = version;
    const before = this.storage.standing(file, version);
    version.describe(blob);
    await this.versions.save(version);
    this.storage.moved(before, this.storage.standing(file, version));
    const was = file.file_processing;
    if (file.file_current_version !== fv_id || (was !== 'pending' && (!again || was === 'quarantined'))) return;
    const outcome = version.reveal(file, blob, this.clock);
    await this.files.save(file);
    const payload: JsonObject = { fv_id, file_type: file.file_type, file_processing: outcome };
    const news = outcome === 'ready' && was !== 'ready';
    this.outbox.emit(
      news
        ? { name: 'file.ready', subject_id: file_id, payload }
        : { name: 'file.updated', subject_id: file_id, payload: again ? { ...payload, fields: LOOKED_INTO } : payload },
    );
    if (news) await this.lifecycle.ready(file);
  }

  /** Addresses of what was shown until now were handed out for a while. */
  private discardLater({ blob_replicas }: Blob): void {
    const keys = keysOf({ '': blob_replicas });
    if (keys.length > 0) this.outbox.add(job(discarded, { keys }, { delayMs: DAY }));
  }

  private lockFile(file_id: string): Promise<File | null> {
    return unlessGone(this.files.lock(file_id));
  }

  private lockVersion(fv_id: string): Promise<FileVersion | null> {
    return unlessGone(this.versions.lock(fv_id));
  }
}

/** Whether an earlier run did all there is to do. */
const isDone = ({ file, version, blob }: Subject): boolean => {
  if (file.file_current_version === version.fv_id) return file.file_processing !== 'pending';
  return version.fv_hash !== null && (blob.blob_system !== null || !isLookedInto(version.fv_type));
};

async function unlessGone<T>(row: Promise<T>): Promise<T | null> {
  try {
    return await row;
  } catch (error) {
    if (error instanceof Problem && error.code === 'not_found') return null;
    throw error;
  }
}

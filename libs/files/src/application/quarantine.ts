import { Injectable } from '@nestjs/common';
import { Audit, type Principal } from '@atrium/platform/access';
import { Settings } from '@atrium/platform/config';
import { Database, requireScope, sql } from '@atrium/platform/database';
import { Clock, invalidState, notFound, type JsonObject } from '@atrium/platform/kernel';
import { job, Outbox } from '@atrium/platform/messaging';
import { ObjectMissing, ObjectStore } from '@atrium/platform/storage';
import { keysOf, type Blob } from '../domain/blob';
import type { File } from '../domain/file';
import type { FileVersion } from '../domain/file-version';
import { MalwareScanner } from '../domain/malware-scanner';
import { BlobsRepository } from '../infrastructure/blobs.repository';
import { FilesRepository } from '../infrastructure/files.repository';
import { isExecutable } from '../inspection/infrastructure';
import { VersionsRepository } from '../infrastructure/versions.repository';
import { ingest } from '../jobs/files.jobs';
import { BlobObjects } from './blob-objects';
import { HistoryWriter } from './file-history';
import { FileLifecycle } from './file-lifecycle';
import { FileQueries, type FileRow } from './file-queries';
import { FILES_AUDIT } from './files.audit';
import { QuarantineNotices } from './quarantine-notices';
import { StorageAccount } from './storage-account';
import { MALWARE } from './versions-writer';

/** Why bytes go out of reach. */
export interface QuarantineReason {
  readonly reason: string;
  /** What a scanner called it. */
  readonly malware?: string | null;
}

interface Quarantined {
  readonly file: File;
  readonly version: FileVersion;
  readonly blob: Blob;
}

const FILES_AT_ONCE = 200;

/**
 * Where files lie whose bytes nobody may have: because a scanner found something, because they are not the promised ones,
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
    private readonly scanner: MalwareScanner,
    private readonly queries: FileQueries,
    private readonly lifecycle: FileLifecycle,
    private readonly history: HistoryWriter,
    private readonly storage: StorageAccount,
    private readonly outbox: Outbox,
    private readonly audit: Audit,
    private readonly notices: QuarantineNotices,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /** Within the unit of work that holds both rows. */
  async put(file: File, version: FileVersion, { reason, malware = null }: QuarantineReason): Promise<void> {
    version.withhold(file, reason, this.clock);
    await this.versions.save(version);
    await this.files.save(file);
    await this.tell([{ file, fv_id: version.fv_id }], { reason, malware });
  }

  /** Takes everything out of reach that shows these bytes, and removes what was made of them. */
  async withhold(blob: Blob, malware: string): Promise<void> {
    await this.db.write(() => this.blobs.scanned(blob.blob_id, malware));
    await this.store.delete(await this.objects.made(blob));
    while ((await this.db.write(() => this.withholdSome(blob.blob_id, malware))) === FILES_AT_ONCE);
    const marked = await this.db.write(async () => {
      const known = await this.blobs.bare(blob.blob_id);
      this.storage.unmarked(known);
      return known;
    });
    // Pictures may have got a mark while all this went on.
    if (marked) await this.store.delete(keysOf(marked.blob_marked));
  }

  /** Lets a file out once its bytes were scanned again and nothing was found. */
  async release(caller: Principal, id: string, signal: AbortSignal): Promise<FileRow> {
    const { file, version, blob } = await this.db.read(() => this.find(id));
    if (isExecutable(version.fv_type) && !this.settings.UPLOAD_ALLOW_EXECUTABLES)
      throw invalidState('The file is a program; programs are not accepted here.');
    await this.rescan(blob, signal);
    return this.db.write(async () => {
      const locked = await this.files.lock(id);
      if (locked.file_processing !== 'quarantined' || locked.file_current_version !== file.file_current_version)
        throw invalidState('The file has changed meanwhile; read it again.');
      await this.letOut({
        file: locked,
        version: await this.versions.lock(version.fv_id),
        blob: (await this.blobs.find(blob.blob_id)) ?? blob,
      });
      this.audit.record({
        type: FILES_AUDIT['file.released'],
        target: { type: 'file', id, name: locked.file_name },
        before: { reason: version.fv_quarantine },
      });
      return this.queries.made(caller, id);
    });
  }

  private async find(id: string): Promise<Quarantined> {
    const file = await this.files.find(id);
    if (!file || file.isInTrash) throw notFound('file');
    if (file.file_processing !== 'quarantined') throw invalidState('The file is not in quarantine.');
    const version = await this.versions.find(file.file_current_version);
    const blob = version && (await this.blobs.find(version.fv_blob));
    if (!version || !blob) throw notFound('file');
    return { file, version, blob };
  }

  private async rescan(blob: Blob, signal: AbortSignal): Promise<void> {
    if (!this.scanner.active) {
      if (blob.blob_malware !== null) throw invalidState('There is no scanner that could say that the file is clean now.');
      return;
    }
    const { malware } = await this.scanner.scan(await this.bytesOf(blob), signal);
    await this.db.write(() => this.blobs.scanned(blob.blob_id, malware));
    if (malware !== null) throw invalidState(`The scan found ${malware} again.`);
  }

  private async bytesOf({ blob_key }: Blob): Promise<AsyncIterable<unknown>> {
    try {
      return await this.store.get(blob_key);
    } catch (error) {
      if (error instanceof ObjectMissing) throw invalidState('The bytes of the file are not in storage any more.');
      throw error;
    }
  }

  /** Ready at once where the bytes were read before; pictures and facts are made anew behind it. */
  private async letOut({ file, version, blob }: Quarantined): Promise<void> {
    const { file_id } = file;
    const { fv_id } = version;
    const before = this.storage.standing(file, version);
    version.fv_quarantine = null;
    if (blob.blob_hash === null) file.file_processing = 'pending';
    else {
      version.describe(blob);
      version.reveal(file, blob, this.clock);
    }
    await this.versions.save(version);
    await this.files.save(file);
    this.storage.moved(before, this.storage.standing(file, version));
    await this.history.add([{ file_id, action: 'restored', details: { from: 'quarantine' } }]);
    if (blob.blob_hash === null || blob.blob_system === null)
      this.outbox.add(job(ingest, { file_id, fv_id, ...(blob.blob_hash === null ? {} : { again: true }) }));
    if (file.file_processing !== 'ready') return;
    this.outbox.emit({ name: 'file.ready', subject_id: file_id, payload: { fv_id, file_type: file.file_type } });
    await this.lifecycle.ready(file);
  }

  private async withholdSome(blob_id: string, malware: string): Promise<number> {
    const { tenant_id } = requireScope();
    const shown = await this.db
      .current()
      .query<{ fv_file: string }>(
        sql`SELECT DISTINCT fv_file FROM file_version WHERE tenant_id = ${tenant_id} AND fv_blob = ${blob_id} AND (fv_quarantine IS DISTINCT FROM ${MALWARE} OR fv_replicas <> '') ORDER BY fv_file LIMIT ${FILES_AT_ONCE}`,
      );
    const files = await this.files.lockMany(shown.map(({ fv_file }) => fv_file));
    const ids = files.map(({ file_id }) => file_id);
    const before = await this.storage.standings(files);
    await this.db.current().execute(sql`
      UPDATE file_version SET fv_quarantine = ${MALWARE}, fv_replicas = '', fv_rendition_bytes = 0, row_version = row_version + 1 WHERE tenant_id = ${tenant_id} AND fv_blob = ${blob_id} AND fv_file = ANY(${ids}::uuid[])`);
    this.storage.moved(before, await this.storage.standings(files));
    const showing = files.filter((file) => file.file_blob === blob_id && file.file_processing !== 'quarantined');
    for (const file of showing) await this.hide(file);
    await this.tell(
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

  private async tell(
    put: readonly { readonly file: File; readonly fv_id: string }[],
    { reason, malware = null }: QuarantineReason,
  ): Promise<void> {
    const named: JsonObject = malware === null ? {} : { malware };
    await this.history.add(
      put.map(({ file, fv_id }) => ({ file_id: file.file_id, action: 'quarantined', details: { reason, fv_id, ...named } })),
    );
    await this.notices.tell(
      put.map(({ file }) => file),
      reason,
    );
    for (const { file, fv_id } of put)
      this.outbox.emit({
        name: 'file.quarantined',
        subject_id: file.file_id,
        payload: { reason, fv_id, added_by: file.file_added_by, ...named },
      });
  }
}

import { Injectable } from '@nestjs/common';
import { Database, requireScope } from '@atrium/platform/database';
import { Ids } from '@atrium/platform/kernel';
import { ObjectStore } from '@atrium/platform/storage';
import { copiedKey, isStaged, type Blob } from '../blobs/domain/blob';
import { MalwareScanner } from '../blobs/domain/malware-scanner';
import { BlobReader, type ReadBytes } from '../blobs/infrastructure/blobs-reader';
import { BlobsRepository } from '../blobs/infrastructure/blobs.repository';
import { isLookedInto } from '../inspection/infrastructure';
import type { IngestSubject } from './ingest-subjects';
import { Quarantine } from '../quarantine/quarantine';
import { isUnscanned } from '../versions/application/versions-writer';

/** What one run read, and where the bytes are stored that it read: a copy of its own, unless nobody outside can write to them. */
export interface ReadByRun extends ReadBytes {
  readonly key: string;
}

/** Reads the bytes of a version, and has them scanned. */
@Injectable()
export class IngestReading {
  constructor(
    private readonly db: Database,
    private readonly store: ObjectStore,
    private readonly blobs: BlobsRepository,
    private readonly reader: BlobReader,
    private readonly scanner: MalwareScanner,
    private readonly quarantine: Quarantine,
    private readonly ids: Ids,
  ) {}

  /** A single upload's bytes are copied first: what is read is what nobody outside can change any more. */
  async readSubject({ version, blob }: IngestSubject, folder: string, signal: AbortSignal): Promise<ReadByRun> {
    const key = isStaged(blob.blob_key) ? copiedKey(requireScope().tenant_id, blob, this.ids.next()) : blob.blob_key;
    if (key !== blob.blob_key) await this.store.copy(blob.blob_key, key);
    return {
      key,
      ...(await this.reader.readBlob({
        key,
        name: version.fv_name,
        size: blob.blob_size,
        folder,
        keepsCopy: isLookedInto,
        scanner: this.scanner,
        signal,
      })),
    };
  }

  /** The blob, once it is known that no malware is in it; null when there is. */
  async scanForMalware(blob: Blob, signal: AbortSignal): Promise<Blob | null> {
    const unscanned = isUnscanned(blob, this.scanner);
    const malware = unscanned ? (await this.scanner.scanBytes(await this.store.get(blob.blob_key), signal)).malware : blob.blob_malware;
    if (malware !== null) await this.quarantine.withholdBlob(blob, malware);
    else if (unscanned) await this.db.write(() => this.blobs.saveScan(blob.blob_id, null));
    return malware === null ? blob : null;
  }
}

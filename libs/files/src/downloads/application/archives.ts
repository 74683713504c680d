import { Injectable } from '@nestjs/common';
import type { Readable } from 'node:stream';
import type { Principal } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { Clock, newId, Problem, unknownReferences } from '@atrium/platform/kernel';
import { ObjectStore, SteadySource, ZipWriter } from '@atrium/platform/storage';
import { ArchiveNames, SKIPPED_NOTE } from '../domain/archive-names';
import { isCompressed } from '../../core/domain/compressed-types';
import type { DownloadSize, SkippedFile } from '../domain/download-job';
import { ArchiveContents, isSkipped, type ArchivedFile, type ArchiveItem, type LeftOutFile } from './archive-contents';
import { FileEgress } from './file-egress';
import { HistoryWriter } from '../../core/application/file-history';
import { memberOf } from '../../core/application/guests';

const GIB = 1024 ** 3;
const MOST_STREAMED_BYTES = GIB;

/** An archive that is being written: its bytes, and, when all were read, what it could not hold. */
export interface Packing {
  readonly stream: Readable;
  readonly packed: Promise<readonly SkippedFile[]>;
}

export interface PackingOptions {
  /** Stops everything at once, the connection to storage included. */
  readonly signal: AbortSignal;
  /** While storage is away the archive fails, to be packed again, instead of going without files. */
  readonly waits?: boolean;
  /** Called after each file, and with whether it was packed or skipped; throwing stops the archive. */
  readonly onFile?: (isPacked: boolean) => Promise<void>;
}

/**
 * Packs files into a ZIP while it is read: one source open at a time, nothing on disk, no unit of work held. A file
 * whose bytes are lost on the way is left out and named in `_skipped.txt`.
 */
@Injectable()
export class Archives {
  constructor(
    private readonly db: Database,
    private readonly store: ObjectStore,
    private readonly contents: ArchiveContents,
    private readonly history: HistoryWriter,
    private readonly egress: FileEgress,
    private readonly clock: Clock,
  ) {}

  /** An archive of what the caller may download, small enough to be sent at once. */
  async packNow(caller: Principal, ids: readonly string[], size: DownloadSize, signal: AbortSignal): Promise<Packing> {
    const { files, bytes } = await this.contents.selectFiles(caller, ids, size);
    if (files.length === 0) throw unknownReferences('file_ids', 'file', ids);
    if (bytes > MOST_STREAMED_BYTES)
      throw new Problem('payload_too_large', 'These files exceed 1 GiB together. Use a download job (POST /download-jobs).');
    await this.db.write(() =>
      this.history.addEntries(files.map(({ file_id }) => ({ file_id, action: 'downloaded', details: { size, archive: true } }))),
    );
    const packing = await this.packArchive(files, { signal });
    void packing.packed
      .then(() =>
        this.db.write(() =>
          Promise.resolve(
            this.egress.chargeEgress({
              bytes,
              user: memberOf(caller),
              key: caller.key_id,
              source: `zip:${newId()}`,
              ref: { files: files.length },
            }),
          ),
        ),
      )
      .catch(() => undefined);
    return packing;
  }

  async packArchive(items: Iterable<ArchiveItem> | AsyncIterable<ArchiveItem>, options: PackingOptions): Promise<Packing> {
    const zip = await ZipWriter.open();
    const stop = (): void => zip.abort(new Error('The archive was stopped.'));
    options.signal.addEventListener('abort', stop, { once: true });
    const packed = this.write(zip, items, options).finally(() => options.signal.removeEventListener('abort', stop));
    packed.catch((error: unknown) => zip.abort(error instanceof Error ? error : new Error(String(error))));
    return { stream: zip.stream, packed };
  }

  private async write(
    zip: ZipWriter,
    items: Iterable<ArchiveItem> | AsyncIterable<ArchiveItem>,
    { signal, waits = false, onFile }: PackingOptions,
  ): Promise<readonly SkippedFile[]> {
    const names = new ArchiveNames();
    const skipped: LeftOutFile[] = [];
    for await (const item of items) {
      signal.throwIfAborted();
      const left = skipped.length;
      if (isSkipped(item)) skipped.push(item);
      else if (!(await this.add(zip, names, item, { signal, waits })))
        skipped.push({ file_id: item.file_id, reason: 'lost', name: item.name });
      await onFile?.(skipped.length === left);
    }
    if (skipped.length > 0) await zip.add({ name: SKIPPED_NOTE, modified: this.clock.now(), stored: false }, noteOf(skipped));
    await zip.finish();
    return skipped.map(({ file_id, reason }) => ({ file_id, reason }));
  }

  /** False when the bytes are not all to be had. */
  private async add(
    zip: ZipWriter,
    names: ArchiveNames,
    file: ArchivedFile,
    { signal, waits }: { readonly signal: AbortSignal; readonly waits: boolean },
  ): Promise<boolean> {
    const source = new SteadySource(this.store, file, signal);
    const bytes = await source.open();
    if (!bytes) return unlessAway(source, waits);
    await zip.add({ name: names.nameFor(file.name), modified: file.modified, stored: isCompressed(file.type) }, bytes);
    if (!source.isLost) return true;
    zip.withdrawLast();
    return unlessAway(source, waits);
  }
}

/** A file is left out; but while storage is away none is, where the archive can wait. */
function unlessAway(source: SteadySource, waits: boolean): false {
  if (waits && source.outage) throw source.outage;
  return false;
}

const REASONS: Readonly<Record<SkippedFile['reason'], string>> = {
  not_found: 'does not exist any more',
  unavailable: 'is not available',
  lost: 'could not be read from storage',
};

const noteOf = (skipped: readonly LeftOutFile[]): Buffer =>
  Buffer.from(
    `These files are not in the archive:\r\n\r\n${skipped.map(({ file_id, reason, name }) => `${name ?? file_id}: ${REASONS[reason]}`).join('\r\n')}\r\n`,
    'utf8',
  );

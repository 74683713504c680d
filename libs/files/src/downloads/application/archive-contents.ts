import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { invalidState } from '@atrium/platform/kernel';
import type { DownloadSize, SkippedFile } from '../domain/download-job';
import { MalwareScanner } from '../../blobs/domain/malware-scanner';
import { nameOf } from '../../blobs/domain/renditions';
import { DownloadableFileRows, type ArchivableFile } from '../infrastructure/downloadable-files.rows';
import { FileQueries } from '../../core/application/file-queries';
import { FileStatuses, type StatusReasons } from '../../core/application/file-statuses';

/** A file on its way into an archive, with the bytes that are wanted of it. */
export interface ArchivedFile {
  readonly file_id: string;
  readonly name: string;
  readonly type: string;
  readonly size: number;
  readonly key: string;
  readonly modified: Date;
}

/** A file that is not packed, reported by this name, or without one by its id. */
export interface LeftOutFile extends SkippedFile {
  readonly name?: string;
}

/** A file that was asked for: its bytes, or why it is not packed. */
export type ArchiveItem = ArchivedFile | LeftOutFile;

export const isSkipped = (item: ArchiveItem): item is LeftOutFile => 'reason' in item;

/** What one caller's choice comes to. */
export interface Selection {
  readonly files: readonly ArchivedFile[];
  readonly skipped: readonly SkippedFile[];
  readonly bytes: number;
}

/** Finds what goes into an archive: the bytes of files that can be read, in the order they were named. */
@Injectable()
export class ArchiveContents {
  constructor(
    private readonly db: Database,
    private readonly queries: FileQueries,
    private readonly scanner: MalwareScanner,
    private readonly statuses: FileStatuses,
    private readonly rows: DownloadableFileRows,
  ) {}

  /** The files among the ids that the caller may download; refused when their status keeps all of them back. */
  selectFiles(caller: Principal, ids: readonly string[], size: DownloadSize): Promise<Selection> {
    return this.db.read(async () => {
      const { items, barred } = await this.items(caller, [...new Set(ids)], size);
      const files = items.filter((item): item is ArchivedFile => !isSkipped(item));
      const [reason] = barred.values();
      if (files.length === 0 && reason !== undefined) throw invalidState(reason);
      return { files, skipped: items.filter(isSkipped), bytes: files.reduce((sum, file) => sum + file.size, 0) };
    });
  }

  /** What of a choice made before the caller may still download; looked up shortly before it is packed. */
  async findItems(caller: Principal, ids: readonly string[], size: DownloadSize): Promise<readonly ArchiveItem[]> {
    return (await this.db.read(() => this.items(caller, ids, size))).items;
  }

  private async items(
    caller: Principal,
    ids: readonly string[],
    size: DownloadSize,
  ): Promise<{ readonly items: readonly ArchiveItem[]; readonly barred: StatusReasons }> {
    const rows = await this.queries.filterPermitted(caller, await this.rows.findArchivableFiles(ids), 'download');
    const barred = await this.statuses.findBarred(caller, rows);
    const items = chosen(ids, rows, { size, scanning: this.scanner.active }).map((item): ArchiveItem =>
      !isSkipped(item) && barred.has(item.file_id) ? { file_id: item.file_id, reason: 'unavailable' } : item,
    );
    return { items, barred };
  }
}

function chosen(
  ids: readonly string[],
  rows: readonly ArchivableFile[],
  { size, scanning }: { readonly size: DownloadSize; readonly scanning: boolean },
): ArchiveItem[] {
  const found = new Map(rows.map((row) => [row.file_id, row]));
  return ids.map((file_id): ArchiveItem => {
    const row = found.get(file_id);
    if (!row) return { file_id, reason: 'not_found' };
    if (row.file_processing === 'quarantined' || (scanning && row.file_processing === 'pending')) return { file_id, reason: 'unavailable' };
    return archived(row, size);
  });
}

function archived(
  { file_id, file_name, file_type, file_size, file_updated, blob_key, blob_replicas }: ArchivableFile,
  size: DownloadSize,
): ArchivedFile {
  const rendition = size === 'original' ? undefined : blob_replicas[size];
  const modified = new Date(file_updated);
  if (!rendition) return { file_id, name: file_name, type: file_type, size: file_size, key: blob_key, modified };
  return { file_id, name: nameOf(file_name, rendition), type: rendition.type, size: rendition.size, key: rendition.key, modified };
}

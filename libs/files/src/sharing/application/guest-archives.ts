import { Injectable } from '@nestjs/common';
import type { DownloadSize } from '../../downloads/domain/download-job';
import type { ArchivedFile } from '../../downloads/application/archive-contents';
import type { SharedFile } from '../infrastructure/shared-files.rows';
import type { Watermark } from './watermarks';

/** What the context that let a guest order an archive says of its contents when it is packed. */
export interface GuestArchive {
  /** What is laid over the pictures; they are made before they are packed. */
  readonly mark: Watermark | null;
  /** Those of these files that may still be had; within a unit of work. */
  findFiles(ids: readonly string[]): Promise<readonly SharedFile[]>;
  /** What of a file is packed, and under which name; null: nothing of it. */
  toEntry(file: SharedFile): ArchivedFile | null;
  /** What a file is called that is left out. */
  nameOf(file_id: string): string;
}

/** The archive that a job packs, within a unit of work; null: nobody hands out these files any more. */
export type GuestArchiveSource = (job_id: string, size: DownloadSize) => Promise<GuestArchive | null>;

/** Knows the content of the archives of guests. The context that lets them order one registers at start. */
@Injectable()
export class GuestArchives {
  private readonly sources: GuestArchiveSource[] = [];

  register(source: GuestArchiveSource): void {
    this.sources.push(source);
  }

  /** Within a unit of work. */
  async findArchive(job_id: string, size: DownloadSize): Promise<GuestArchive | null> {
    for (const source of this.sources) {
      const archive = await source(job_id, size);
      if (archive) return archive;
    }
    return null;
  }
}

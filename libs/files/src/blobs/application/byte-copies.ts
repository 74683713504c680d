import { Injectable } from '@nestjs/common';
import { Database } from '@atrium/platform/database';
import { BlobsRepository } from '../infrastructure/blobs.repository';

/**
 * Port for contexts that keep copies of bytes of files, such as publications: where such copies are stored. Asked within a unit
 * of work.
 */
export interface ByteCopySource {
  copiesOf(hash: string, size: number): Promise<readonly string[]>;
}

const MOST_CANDIDATES = 50;

/** Where else in storage the bytes of a blob may be: copies that contexts report, and transfers in progress. */
@Injectable()
export class ByteCopies {
  private readonly sources: ByteCopySource[] = [];

  constructor(
    private readonly db: Database,
    private readonly blobs: BlobsRepository,
  ) {}

  register(source: ByteCopySource): void {
    this.sources.push(source);
  }

  /** Keys that are worth reading; which of them hold the bytes shows their hash. */
  findCandidates(blob_id: string, hash: string, size: number): Promise<string[]> {
    return this.db.read(async () => {
      const reported: string[] = [];
      for (const source of this.sources) reported.push(...(await source.copiesOf(hash, size)));
      return [...new Set([...reported, ...(await this.blobs.findTransfers(blob_id, size, MOST_CANDIDATES))])];
    });
  }
}

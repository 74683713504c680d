import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql } from '@atrium/platform/database';

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

  constructor(private readonly db: Database) {}

  register(source: ByteCopySource): void {
    this.sources.push(source);
  }

  /** Keys that are worth reading; which of them hold the bytes shows their hash. */
  findCandidates(blob_id: string, hash: string, size: number): Promise<string[]> {
    return this.db.read(async (tx) => {
      const { tenant_id } = requireScope();
      const told: string[] = [];
      for (const source of this.sources) told.push(...(await source.copiesOf(hash, size)));
      const staged = await tx.query<{ key: string }>(sql`
        (SELECT b.blob_key AS key FROM file_blob b WHERE b.tenant_id = ${tenant_id} AND b.blob_id <> ${blob_id} AND b.blob_size = ${size} AND b.blob_hash IS NULL LIMIT ${MOST_CANDIDATES})
        UNION ALL
        (SELECT u.upl_key FROM upload u WHERE u.tenant_id = ${tenant_id} AND u.file_size = ${size} AND u.upl_staged AND u.upl_mode = 'single' ORDER BY u.upl_created DESC LIMIT ${MOST_CANDIDATES})`);
      return [...new Set([...told, ...staged.map(({ key }) => key)])];
    });
  }
}

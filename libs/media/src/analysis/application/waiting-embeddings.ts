import { Injectable } from '@nestjs/common';
import { ModelRefusal } from '@atrium/models';
import { Database, requireScope, sql } from '@atrium/platform/database';
import { Problem } from '@atrium/platform/kernel';
import type { JobRun } from '@atrium/platform/messaging';
import { MediaEmbeddings } from './media-embeddings';

/** As many texts as one call of a provider takes. */
const BATCH = 96;

/**
 * Goes through the library of a workspace and indexes what is not in the index of meanings as it is now. Files that are
 * there cost nothing, so a run that was interrupted or ran out of credits begins again and ends where the library ends.
 */
@Injectable()
export class WaitingEmbeddings {
  constructor(
    private readonly db: Database,
    private readonly embeddings: MediaEmbeddings,
  ) {}

  async resumeEmbeddings({ signal, heartbeat }: Pick<JobRun, 'signal' | 'heartbeat'>): Promise<void> {
    for (let files = await this.after(null); files.length > 0; files = await this.after(files.at(-1) ?? null)) {
      signal.throwIfAborted();
      if (!(await this.isIndexed(files))) return this.embeddings.awaitCredits();
      await heartbeat();
    }
  }

  /** False when credits lack. A text that the provider refuses keeps no other one out. */
  private async isIndexed(files: readonly string[]): Promise<boolean> {
    try {
      await this.embeddings.indexNow(files);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (error.code === 'credits_exhausted') return false;
      if (!(error instanceof ModelRefusal) || error.code !== 'unprocessable_content') throw error;
      if (files.length > 1) for (const file of files) if (!(await this.isIndexed([file]))) return false;
    }
    return true;
  }

  private async after(last: string | null): Promise<string[]> {
    const rows = await this.db.read((tx) =>
      tx.query<{ file_id: string }>(sql`
        SELECT file_id FROM file WHERE tenant_id = ${requireScope().tenant_id} AND repo_type = 'media' AND file_deleted IS NULL AND (${last}::uuid IS NULL OR file_id > ${last}::uuid) ORDER BY file_id LIMIT ${BATCH}`),
    );
    return rows.map(({ file_id }) => file_id);
  }
}

import { Injectable } from '@nestjs/common';
import { ModelRefusal } from '@atrium/models';
import { Database } from '@atrium/platform/database';
import { Problem } from '@atrium/platform/kernel';
import type { JobRun } from '@atrium/platform/messaging';
import { AnalysisSelection } from '../infrastructure/analysis-selection';
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
    private readonly selection: AnalysisSelection,
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

  private after(last: string | null): Promise<string[]> {
    return this.db.read(() => this.selection.findLibraryFiles(last, BATCH));
  }
}

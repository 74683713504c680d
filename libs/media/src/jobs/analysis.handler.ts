import { Injectable } from '@nestjs/common';
import { ModelRefusal } from '@atrium/models';
import { Problem } from '@atrium/platform/kernel';
import { Handles, PermanentFailure, type EventDelivery, type JobRun } from '@atrium/platform/messaging';
import { AnalysisRuns } from '../application/analysis-runs';
import { FileNews } from '../application/file-news';
import { MediaEmbeddings } from '../application/media-embeddings';
import { analysis, embed, fileNews, type AnalysisPayload, type EmbedPayload } from './analysis.jobs';

/** Runs `media.analysis`, `media.embed` and what follows from news of files. */
@Injectable()
export class AnalysisHandler {
  constructor(
    private readonly runs: AnalysisRuns,
    private readonly news: FileNews,
    private readonly embeddings: MediaEmbeddings,
  ) {}

  @Handles(analysis)
  async analyse({ fa_id }: AnalysisPayload, { signal }: JobRun): Promise<void> {
    await this.runs.run(fa_id, signal);
  }

  @Handles(embed)
  embed({ file_id }: EmbedPayload): Promise<void> {
    return this.embeddings.index([file_id]).catch(unlessHopeless);
  }

  @Handles(fileNews)
  async heed({ name, subject_id }: EventDelivery): Promise<void> {
    if (subject_id !== null) await this.news.heed(name, subject_id).catch(unlessHopeless);
  }
}

/** What a provider refuses, and what there are no credits for, does not come right by itself. */
function unlessHopeless(error: unknown): never {
  if (error instanceof ModelRefusal || (error instanceof Problem && error.code === 'credits_exhausted')) throw new PermanentFailure(error.detail, { cause: error });
  throw error;
}

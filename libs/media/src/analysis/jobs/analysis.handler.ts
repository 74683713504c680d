import { Injectable } from '@nestjs/common';
import { ModelRefusal } from '@atrium/models';
import { Handles, PermanentFailure, WhenGivenUp, type EventDelivery, type GivenUpJob, type JobRun } from '@atrium/platform/messaging';
import { AnalysisRuns } from '../application/analysis-runs';
import { FileNews } from '../application/file-news';
import { MediaEmbeddings } from '../application/media-embeddings';
import { WaitingAnalyses } from '../application/waiting-analyses';
import { WaitingEmbeddings } from '../application/waiting-embeddings';
import {
  analyseWaiting,
  analysis,
  creditNews,
  embed,
  embedWaiting,
  fileNews,
  type AnalysisPayload,
  type EmbedPayload,
  type WaitingPayload,
} from './analysis.jobs';

/** Runs `media.analysis`, `media.embed` and what follows from news of files and of credits. */
@Injectable()
export class AnalysisHandler {
  constructor(
    private readonly runs: AnalysisRuns,
    private readonly news: FileNews,
    private readonly embeddings: MediaEmbeddings,
    private readonly waiting: WaitingEmbeddings,
    private readonly waitingAnalyses: WaitingAnalyses,
  ) {}

  @Handles(analysis)
  async analyse({ fa_id }: AnalysisPayload, run: JobRun): Promise<void> {
    await this.runs.run(fa_id, run);
  }

  @WhenGivenUp(analysis)
  endAnalysis({ fa_id }: AnalysisPayload, { reason }: GivenUpJob): Promise<void> {
    return this.runs.giveUp(fa_id, reason);
  }

  @Handles(embed)
  embed({ file_id }: EmbedPayload): Promise<void> {
    return this.embeddings.index([file_id]).catch(unlessHopeless);
  }

  @Handles(embedWaiting)
  catchUp(_payload: WaitingPayload, run: JobRun): Promise<void> {
    return this.waiting.run({ signal: run.signal, heartbeat: () => run.heartbeat() }).catch(unlessHopeless);
  }

  @Handles(analyseWaiting)
  analyseAgain(_payload: WaitingPayload, run: JobRun): Promise<void> {
    return this.waitingAnalyses.run({ signal: run.signal, heartbeat: () => run.heartbeat() });
  }

  @Handles(creditNews)
  async goOn(): Promise<void> {
    await this.waitingAnalyses.goOn();
    await this.embeddings.goOn();
  }

  @Handles(fileNews)
  async heed({ name, subject_id }: EventDelivery): Promise<void> {
    if (subject_id !== null) await this.news.heed(name, subject_id).catch(unlessHopeless);
  }
}

/** A refusal of a provider does not change with another attempt. */
function unlessHopeless(error: unknown): never {
  if (error instanceof ModelRefusal) throw new PermanentFailure(error.detail, { cause: error });
  throw error;
}

import { Injectable } from '@nestjs/common';
import { ModelRefusal } from '@atrium/models';
import { Handles, PermanentFailure, WhenGivenUp, type EventDelivery, type GivenUpJob, type JobRun } from '@atrium/platform/messaging';
import { AnalysisRuns } from '../application/analysis-runs';
import { FileEventFollower } from '../application/file-event-follower';
import { MediaEmbeddings } from '../application/media-embeddings';
import { WaitingAnalyses } from '../application/waiting-analyses';
import { WaitingEmbeddings } from '../application/waiting-embeddings';
import {
  analyseWaiting,
  analysis,
  creditsAvailable,
  embed,
  embedWaiting,
  fileEvents,
  type AnalysisPayload,
  type EmbedPayload,
  type WaitingPayload,
} from './analysis.jobs';

/** Runs `media.analysis`, `media.embed` and what follows from news of files and of credits. */
@Injectable()
export class AnalysisHandler {
  constructor(
    private readonly runs: AnalysisRuns,
    private readonly follower: FileEventFollower,
    private readonly embeddings: MediaEmbeddings,
    private readonly waiting: WaitingEmbeddings,
    private readonly waitingAnalyses: WaitingAnalyses,
  ) {}

  @Handles(analysis)
  async runAnalysis({ fa_id }: AnalysisPayload, run: JobRun): Promise<void> {
    await this.runs.runAnalysis(fa_id, run);
  }

  @WhenGivenUp(analysis)
  endAnalysis({ fa_id }: AnalysisPayload, { reason }: GivenUpJob): Promise<void> {
    return this.runs.giveUp(fa_id, reason);
  }

  @Handles(embed)
  indexFile({ file_id }: EmbedPayload): Promise<void> {
    return this.embeddings.indexFiles([file_id]).catch(unlessHopeless);
  }

  @Handles(embedWaiting)
  catchUp(_payload: WaitingPayload, run: JobRun): Promise<void> {
    return this.waiting.resumeEmbeddings({ signal: run.signal, heartbeat: () => run.heartbeat() }).catch(unlessHopeless);
  }

  @Handles(analyseWaiting)
  resumeAnalyses(_payload: WaitingPayload, run: JobRun): Promise<void> {
    return this.waitingAnalyses.resumeAnalyses({ signal: run.signal, heartbeat: () => run.heartbeat() });
  }

  @Handles(creditsAvailable)
  async resumeWaiting(): Promise<void> {
    await this.waitingAnalyses.resumeWaiting();
    await this.embeddings.resumeWaiting();
  }

  @Handles(fileEvents)
  async handleFileEvent({ name, subject_id }: EventDelivery): Promise<void> {
    if (subject_id !== null) await this.follower.handleEvent(name, subject_id).catch(unlessHopeless);
  }
}

/** A refusal of a provider does not change with another attempt. */
function unlessHopeless(error: unknown): never {
  if (error instanceof ModelRefusal) throw new PermanentFailure(error.detail, { cause: error });
  throw error;
}

import { Injectable } from '@nestjs/common';
import { Handles, WhenGivenUp, type GivenUpJob, type JobRun } from '@atrium/platform/messaging';
import { IndexRun } from '../application/index-run';
import { PassageReindexing } from '../application/reindexing';
import { PassageUpkeep } from '../application/passage-upkeep';
import { PurgeRun } from '../application/purge-run';
import {
  indexSource,
  indexWaiting,
  purgeSource,
  reindexSources,
  sourceCreditNews,
  type ReindexPayload,
  type SourcePayload,
  type WaitingSourcesPayload,
} from './passages.jobs';

/** Runs the jobs of passages. */
@Injectable()
export class PassagesHandler {
  constructor(
    private readonly runs: IndexRun,
    private readonly purges: PurgeRun,
    private readonly reindexing: PassageReindexing,
    private readonly upkeep: PassageUpkeep,
  ) {}

  @Handles(indexSource)
  indexSource({ kind, id, afresh = false }: SourcePayload, run: JobRun): Promise<void> {
    return this.runs.indexSource({ kind, id }, run, { afresh });
  }

  @WhenGivenUp(indexSource)
  giveUpSource({ kind, id }: SourcePayload, { reason }: GivenUpJob): Promise<void> {
    return this.runs.giveUp({ kind, id }, reason);
  }

  @Handles(purgeSource)
  purgeSource({ kind, id }: SourcePayload, run: JobRun): Promise<void> {
    return this.purges.purgeSource({ kind, id }, { signal: run.signal, heartbeat: () => run.heartbeat() });
  }

  @Handles(reindexSources)
  reindexSources(wanted: ReindexPayload, run: JobRun): Promise<{ sources: number }> {
    return this.reindexing.runReindexing(wanted, run);
  }

  @Handles(indexWaiting)
  resumeWaitingSources(_payload: WaitingSourcesPayload, { signal }: JobRun): Promise<void> {
    return this.upkeep.retryWaiting(signal);
  }

  @Handles(sourceCreditNews)
  resumeWaiting(): Promise<void> {
    return this.upkeep.resumeWaiting();
  }
}

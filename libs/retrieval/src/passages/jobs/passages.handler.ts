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
  index({ kind, id, afresh = false }: SourcePayload, run: JobRun): Promise<void> {
    return this.runs.run({ kind, id }, run, { afresh });
  }

  @WhenGivenUp(indexSource)
  end({ kind, id }: SourcePayload, { reason }: GivenUpJob): Promise<void> {
    return this.runs.giveUp({ kind, id }, reason);
  }

  @Handles(purgeSource)
  purge({ kind, id }: SourcePayload, run: JobRun): Promise<void> {
    return this.purges.run({ kind, id }, { signal: run.signal, heartbeat: () => run.heartbeat() });
  }

  @Handles(reindexSources)
  reindex(wanted: ReindexPayload, run: JobRun): Promise<{ sources: number }> {
    return this.reindexing.run(wanted, run);
  }

  @Handles(indexWaiting)
  look(_payload: WaitingSourcesPayload, { signal }: JobRun): Promise<void> {
    return this.upkeep.lookForCredits(signal);
  }

  @Handles(sourceCreditNews)
  goOn(): Promise<void> {
    return this.upkeep.goOn();
  }
}

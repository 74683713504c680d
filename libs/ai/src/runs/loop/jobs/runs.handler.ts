import { Injectable } from '@nestjs/common';
import { Handles, WhenGivenUp, type GivenUpJob, type JobRun } from '@atrium/platform/messaging';
import { RunEngine } from '../application/run-engine';
import { RunExpiry } from '../../records/application/run-expiry';
import { ThreadTitles } from '../../records/application/thread-titles';
import { answer, nameThread, type RunPayload, type ThreadPayload } from './runs.jobs';

@Injectable()
export class RunsHandler {
  constructor(
    private readonly engine: RunEngine,
    private readonly expiry: RunExpiry,
    private readonly titles: ThreadTitles,
  ) {}

  @Handles(answer)
  answerOne({ run_id }: RunPayload, run: JobRun): Promise<void> {
    return this.engine.executeRun(run_id, run);
  }

  @WhenGivenUp(answer)
  endAnswer({ run_id }: RunPayload, { reason }: GivenUpJob): Promise<void> {
    return this.expiry.giveUp(run_id, reason);
  }

  @Handles(nameThread)
  nameOne({ thread_id }: ThreadPayload, run: JobRun): Promise<void> {
    return this.titles.nameThread(thread_id, run.signal);
  }
}

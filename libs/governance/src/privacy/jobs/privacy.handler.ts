import { Injectable } from '@nestjs/common';
import { HOUR } from '@atrium/platform/kernel';
import {
  Every,
  Handles,
  WhenGivenUp,
  type EventDelivery,
  type GivenUpJob,
  type JobRun,
  type ScheduledRun,
} from '@atrium/platform/messaging';
import { PrivacyArchives } from '../application/privacy-archives';
import { PrivacyRuns } from '../application/privacy-runs';
import { RunningRequests } from '../application/running-requests';
import { holdsEnded, privacy, type PrivacyPayload } from './privacy.jobs';

/** Runs `governance.privacy`, takes up erasures when a legal hold ends, and deletes archives whose time is over. */
@Injectable()
export class PrivacyHandler {
  constructor(
    private readonly runs: PrivacyRuns,
    private readonly archives: PrivacyArchives,
    private readonly running: RunningRequests,
  ) {}

  @Handles(privacy)
  runRequest({ dsr_id }: PrivacyPayload, run: JobRun): Promise<void> {
    return this.runs.runRequest(dsr_id, run);
  }

  @Handles(holdsEnded)
  resumeHeldErasures(_event: EventDelivery): Promise<void> {
    return this.running.resumeHeldErasures();
  }

  @WhenGivenUp(privacy)
  giveUpRequest({ dsr_id }: PrivacyPayload, { reason }: GivenUpJob): Promise<void> {
    return this.runs.giveUp(dsr_id, reason);
  }

  @Every(HOUR, 'governance.privacy-archives')
  deleteDueArchives({ signal }: ScheduledRun): Promise<void> {
    return this.archives.deleteDue(signal);
  }
}

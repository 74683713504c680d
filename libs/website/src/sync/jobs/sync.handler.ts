import { Injectable } from '@nestjs/common';
import { Handles, WhenGivenUp, type GivenUpJob, type JobRun } from '@atrium/platform/messaging';
import { SyncPass } from '../application/sync-pass';
import { SyncRuns } from '../application/sync-runs';
import { UnattendedSync } from '../application/unattended-sync';
import { readCmsNews, resumeSync, syncSite, type CmsNewsPayload, type SyncPayload } from './sync.jobs';

@Injectable()
export class SyncHandler {
  constructor(
    private readonly runs: SyncRuns,
    private readonly pass: SyncPass,
    private readonly unattended: UnattendedSync,
  ) {}

  @Handles(syncSite)
  syncSite(payload: SyncPayload, job: JobRun): Promise<void> {
    return this.run(payload, job);
  }

  @Handles(resumeSync)
  resumeSync(payload: SyncPayload, job: JobRun): Promise<void> {
    return this.run(payload, job);
  }

  @WhenGivenUp(syncSite)
  giveUpSync({ job_id, fence }: SyncPayload, { reason }: GivenUpJob): Promise<void> {
    return this.runs.giveUpFenced({ job_id, fence }, reason);
  }

  @WhenGivenUp(resumeSync)
  giveUpResumed({ job_id, fence }: SyncPayload, { reason }: GivenUpJob): Promise<void> {
    return this.runs.giveUpFenced({ job_id, fence }, reason);
  }

  @Handles(readCmsNews)
  readNews({ site_id }: CmsNewsPayload): Promise<void> {
    return this.unattended.readNews(site_id);
  }

  private run(payload: SyncPayload, job: JobRun): Promise<void> {
    return this.runs.runFenced(payload, job, async (run) => {
      const outcome = await this.pass.runPass(run, job);
      await this.unattended.reportRun(run);
      return outcome;
    });
  }
}

import { Injectable } from '@nestjs/common';
import { ActiveWorkspaces, Database } from '@atrium/platform/database';
import { HOUR } from '@atrium/platform/kernel';
import { Every, Handles, Outbox, planJob, type JobRun, type ScheduledRun } from '@atrium/platform/messaging';
import { WebsiteExpiry } from '../application/website-expiry';
import { expireWebsites, type ExpirePayload } from './expiry.jobs';

/** Has the websites of each workspace tidied once an hour. */
@Injectable()
export class ExpiryHandler {
  constructor(
    private readonly db: Database,
    private readonly workspaces: ActiveWorkspaces,
    private readonly expiry: WebsiteExpiry,
    private readonly outbox: Outbox,
  ) {}

  @Handles(expireWebsites)
  removeExpired(_payload: ExpirePayload, run: JobRun): Promise<void> {
    return this.expiry.removeExpired({ signal: run.signal, heartbeat: () => run.heartbeat() });
  }

  @Every(HOUR, 'website.expire')
  queueHourlyExpiry({ signal }: ScheduledRun): Promise<void> {
    return this.workspaces.runForEachWorkspace(
      () => this.db.write(() => Promise.resolve(void this.outbox.addJob(planJob(expireWebsites, { because: 'hour' })))),
      { failure: 'the tidying of the websites of a workspace could not be put down for the hour', signal },
    );
  }
}

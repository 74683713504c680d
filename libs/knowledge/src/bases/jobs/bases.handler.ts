import { Injectable } from '@nestjs/common';
import { ActiveWorkspaces, Database } from '@atrium/platform/database';
import { DAY } from '@atrium/platform/kernel';
import { Every, Handles, planJob, Outbox, type JobRun, type ScheduledRun } from '@atrium/platform/messaging';
import { BaseUpkeep } from '../application/base-upkeep';
import { indexBase, purgeKnowledge, type IndexBasePayload, type PurgePayload } from './bases.jobs';

/** Runs the jobs of bases, and has each workspace tidied once a day. */
@Injectable()
export class BasesHandler {
  constructor(
    private readonly db: Database,
    private readonly workspaces: ActiveWorkspaces,
    private readonly upkeep: BaseUpkeep,
    private readonly outbox: Outbox,
  ) {}

  @Handles(indexBase)
  indexBase({ ds_id }: IndexBasePayload, run: JobRun): Promise<void> {
    return this.upkeep.indexBase(ds_id, { signal: run.signal, heartbeat: () => run.heartbeat() });
  }

  @Handles(purgeKnowledge)
  purgeDeleted(_payload: PurgePayload, run: JobRun): Promise<void> {
    return this.upkeep.purgeDeleted({ signal: run.signal, heartbeat: () => run.heartbeat() });
  }

  @Every(DAY, 'knowledge.purge')
  queueDailyPurge({ signal }: ScheduledRun): Promise<void> {
    return this.workspaces.runForEachWorkspace(
      () => this.db.write(() => Promise.resolve(void this.outbox.addJob(planJob(purgeKnowledge, { because: 'day' })))),
      {
        failure: 'the tidying of the knowledge of a workspace could not be put down for the day',
        signal,
      },
    );
  }
}

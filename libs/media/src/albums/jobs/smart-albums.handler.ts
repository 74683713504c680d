import { Injectable } from '@nestjs/common';
import { ActiveWorkspaces, Database } from '@atrium/platform/database';
import { DAY } from '@atrium/platform/kernel';
import { Every, Handles, planJob, Outbox, type JobRun, type ScheduledRun } from '@atrium/platform/messaging';
import { SmartAlbumChanges } from '../application/smart-album-changes';
import { smartAlbums, type SmartAlbumsPayload } from './smart-albums.jobs';

/** Runs `media.smart-albums`: once a day in every workspace, and when a filter was made or changed. */
@Injectable()
export class SmartAlbumsHandler {
  constructor(
    private readonly db: Database,
    private readonly workspaces: ActiveWorkspaces,
    private readonly changes: SmartAlbumChanges,
    private readonly outbox: Outbox,
  ) {}

  @Handles(smartAlbums)
  recordChanges(_payload: SmartAlbumsPayload, { signal }: JobRun): Promise<void> {
    return this.changes.recordChanges(signal);
  }

  @Every(DAY, 'media.smart-albums')
  queueDailyComparison({ signal }: ScheduledRun): Promise<void> {
    return this.workspaces.runForEachWorkspace(
      () => this.db.write(() => Promise.resolve(void this.outbox.addJob(planJob(smartAlbums, { because: 'day' })))),
      {
        failure: 'the daily comparison of the smart albums of a workspace failed',
        signal,
      },
    );
  }
}

import { Injectable } from '@nestjs/common';
import { HOUR, SECOND } from '@atrium/platform/kernel';
import { Every, type ScheduledRun } from '@atrium/platform/messaging';
import { StorageRollup } from '../application/storage-rollup';

/** Adds up what came and went, every few seconds, and keeps a picture of each workspace's local day, looked for hourly. */
@Injectable()
export class StorageSchedules {
  constructor(private readonly rollup: StorageRollup) {}

  @Every(10 * SECOND, 'governance.storage-rollup')
  async rollUpStorage({ signal }: ScheduledRun): Promise<void> {
    await this.rollup.rollUpStorage(signal);
  }

  @Every(HOUR, 'governance.storage-snapshot')
  snapshotWorkspaces({ signal }: ScheduledRun): Promise<void> {
    return this.rollup.snapshotWorkspaces(signal);
  }
}

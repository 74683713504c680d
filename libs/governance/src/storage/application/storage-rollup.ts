import { Injectable } from '@nestjs/common';
import { ActiveWorkspaces, Database, inWorkspace } from '@atrium/platform/database';
import { Clock } from '@atrium/platform/kernel';
import { StorageRows } from '../infrastructure/storage.rows';
import { UsageMeter } from '../../credits/application/usage-meter';

const BATCH = 5_000;

/**
 * Keeps what storage is counted by: moves what came and went into the sums, and takes the daily picture from which growth
 * and charges are computed. Any number may run at once and be killed anywhere: a batch moves whole, a day has one picture.
 */
@Injectable()
export class StorageRollup {
  constructor(
    private readonly db: Database,
    private readonly workspaces: ActiveWorkspaces,
    private readonly rows: StorageRows,
    private readonly usage: UsageMeter,
    private readonly clock: Clock,
  ) {}

  /** Answers how many rows it moved. */
  async rollUpStorage(signal?: AbortSignal): Promise<number> {
    for (let total = 0; ;) {
      const moved = await this.rows.rollBatch(BATCH);
      total += moved;
      if (moved < BATCH || signal?.aborted) return total;
    }
  }

  /** The picture of the day of every active workspace that has none yet; one in trouble does not hold up the others. */
  snapshotWorkspaces(signal?: AbortSignal): Promise<void> {
    return this.workspaces.runForEachWorkspace((tenant_id) => this.snapshotWorkspace(tenant_id), {
      failure: 'the daily snapshot of stored bytes could not be saved',
      signal,
    });
  }

  /** A picture and its charge stand or fall together. */
  snapshotWorkspace(tenant_id: string): Promise<void> {
    return inWorkspace(tenant_id, () =>
      this.db.write(async () => {
        const picture = await this.rows.takeSnapshot();
        if (!picture || picture.bytes <= 0) return;
        this.usage.chargeUsage({
          param: 'storage.gb_days',
          units: picture.gigabytes,
          user: null,
          ref: {},
          at: this.clock.now(),
          source: `gbday:${picture.date}`,
        });
      }),
    );
  }
}

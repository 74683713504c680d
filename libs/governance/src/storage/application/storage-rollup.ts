import { Injectable, Logger } from '@nestjs/common';
import { Database, inWorkspace } from '@atrium/platform/database';
import { Clock } from '@atrium/platform/kernel';
import { StorageRows } from '../infrastructure/storage.rows';
import { UsageMeter } from '../../credits/application/usage-meter';

const BATCH = 5_000;
const PAGE = 200;

/**
 * Keeps what storage is counted by: moves what came and went into the sums, and takes the daily picture that growth and
 * charges are told from. Any number may run at once and be killed anywhere: a batch moves whole, a day has one picture.
 */
@Injectable()
export class StorageRollup {
  private readonly log = new Logger(StorageRollup.name);

  constructor(
    private readonly db: Database,
    private readonly rows: StorageRows,
    private readonly usage: UsageMeter,
    private readonly clock: Clock,
  ) {}

  /** Answers how many rows it moved. */
  async roll(signal?: AbortSignal): Promise<number> {
    for (let total = 0; ;) {
      const row = await this.db.acrossTenants((tx) => tx.first<{ moved: number }>('SELECT storage_roll($1) AS moved', [BATCH]));
      const moved = row?.moved ?? 0;
      total += moved;
      if (moved < BATCH || signal?.aborted) return total;
    }
  }

  /** The picture of the day of every active workspace that has none yet; one in trouble does not hold up the others. */
  async snapshots(signal?: AbortSignal): Promise<void> {
    for (let after: string | null = null; !signal?.aborted;) {
      const page: { tenant_id: string }[] = await this.db.acrossTenants((tx) =>
        tx.query<{ tenant_id: string }>('SELECT tenant_id FROM workspaces_active($1, $2)', [after, PAGE]),
      );
      for (const { tenant_id } of page) {
        if (signal?.aborted) return;
        await this.snapshot(tenant_id).catch((error: unknown) =>
          this.log.warn({ msg: 'the stored bytes of a workspace could not be kept for the day', tenant_id, err: error }),
        );
      }
      after = page.at(-1)?.tenant_id ?? null;
      if (page.length < PAGE) return;
    }
  }

  /** A picture and its charge stand or fall together. */
  snapshot(tenant_id: string): Promise<void> {
    return inWorkspace(tenant_id, () =>
      this.db.write(async () => {
        const picture = await this.rows.picture();
        if (!picture || picture.bytes <= 0) return;
        this.usage.charge({
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

import { DAY, invalidField, notFound } from '@atrium/platform/kernel';
import { Injectable } from '@nestjs/common';
import { UsageRollupRows } from '../infrastructure/usage-rollup.rows';

const BATCH = 5_000;
const REBUILT_AT_ONCE = 7 * DAY;
const PRUNED_AT_ONCE = 5_000;

/** What a rebuild made again. */
export interface Rebuilt {
  readonly workspaces: number;
  readonly cells: number;
}

/**
 * Keeps the rollups: moves what was charged lately into them, and makes them again from the entries. Each batch is one
 * transaction under one lock, so a report is exact before, during and after, and a killed process leaves nothing half done.
 */
@Injectable()
export class UsageRollup {
  constructor(private readonly rows: UsageRollupRows) {}

  /** Moves batches until little is left; answers how many rows it moved. */
  async rollUpUsage(signal?: AbortSignal): Promise<number> {
    let total = 0;
    for (;;) {
      const moved = await this.rollBatch();
      total += moved;
      if (moved < BATCH || signal?.aborted) return total;
    }
  }

  rollBatch(limit = BATCH): Promise<number> {
    return this.rows.rollBatch(limit);
  }

  /** Makes the rollups of whole UTC days again: of one workspace, or of all. */
  async rebuildRollups({
    workspace,
    from,
    to,
  }: {
    readonly workspace?: string | undefined;
    readonly from: Date;
    readonly to: Date;
  }): Promise<Rebuilt> {
    if (from.getTime() >= to.getTime()) throw invalidField('from', 'must be before `to`', 'order');
    const all = await this.rows.listWorkspaces();
    if (workspace !== undefined && !all.includes(workspace)) throw notFound('workspace');
    const chosen = workspace === undefined ? all : [workspace];
    let cells = 0;
    for (const tenant_id of chosen) {
      for (let at = Math.floor(from.getTime() / DAY) * DAY; at < to.getTime(); at += REBUILT_AT_ONCE) {
        const until = new Date(Math.min(at + REBUILT_AT_ONCE, to.getTime()));
        cells += await this.rows.rebuildRange(tenant_id, new Date(at), until);
      }
    }
    return { workspaces: chosen.length, cells };
  }

  /** Forgets what has been charged so long ago that no queue delivers it again. */
  async pruneSources(): Promise<number> {
    let total = 0;
    for (;;) {
      const removed = await this.rows.deleteOldSources(PRUNED_AT_ONCE);
      total += removed;
      if (removed < PRUNED_AT_ONCE) return total;
    }
  }
}

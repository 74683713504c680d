import { Injectable, type OnModuleInit } from '@nestjs/common';
import { RetentionTargets, type RemovedBatch } from '@atrium/governance';
import { DueMessageRows } from '../infrastructure/due-messages.rows';

/** Messages that were deleted from a thread that goes on: kept as long as deleted threads, then removed with their runs, the last of a branch first. */
@Injectable()
export class MessageRetention implements OnModuleInit {
  constructor(
    private readonly rows: DueMessageRows,
    private readonly targets: RetentionTargets,
  ) {}

  onModuleInit(): void {
    this.targets.register({
      key: 'threads_inactive',
      countDue: (before) => this.rows.countDue(before),
      findHeldRows: (before, most) => this.rows.findHeld(before, most),
      purgeBatch: (before, batch) => this.purge(before, batch),
    });
  }

  /** What follows a deleted message is deleted with it or before, so that leaves alone are left in the end. */
  private async purge(before: Date, batch: number): Promise<RemovedBatch> {
    const removed = await this.rows.deleteLeaves(before, batch);
    return { removed, bytes: 0, left: removed > 0 };
  }
}

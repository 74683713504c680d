import { Injectable, type OnModuleInit } from '@nestjs/common';
import { RetentionTargets, type RemovedBatch } from '@atrium/governance';
import { RemovedThreadRows } from '../infrastructure/removed-threads.rows';
import { ThreadRemoval } from './thread-removal';

/** Deleted threads are kept for as long as the workspace says; then they go with their messages and runs, and their own files to the trash. */
@Injectable()
export class ThreadRetention implements OnModuleInit {
  constructor(
    private readonly rows: RemovedThreadRows,
    private readonly targets: RetentionTargets,
    private readonly removal: ThreadRemoval,
  ) {}

  onModuleInit(): void {
    this.targets.register({
      key: 'threads_inactive',
      countDue: (before) => this.rows.countDue(before),
      findHeldRows: (before, most) => this.rows.findHeld(before, most),
      purgeBatch: (before, batch) => this.purge(before, batch),
    });
  }

  private async purge(before: Date, batch: number): Promise<RemovedBatch> {
    const ids = await this.rows.lockDue(before, batch);
    await this.removal.removeThreads(ids);
    return { removed: ids.length, bytes: 0, left: ids.length === batch };
  }
}

import { Injectable, type OnModuleInit } from '@nestjs/common';
import { RetentionTargets, type RemovedBatch } from '@atrium/governance';
import { Database } from '@atrium/platform/database';
import type { JobRun } from '@atrium/platform/messaging';
import { DeletedSpaceRows } from './deleted-spaces.rows';

/** Threads that one statement withdraws. */
export const THREADS_AT_ONCE = 500;
/** Each raises the version of everybody's rights. */
const MEMBERS_AT_ONCE = 200;

/** Threads of a deleted space are withdrawn in batches; the space is kept as long as deleted threads, then removed with its members. */
@Injectable()
export class SpaceRetention implements OnModuleInit {
  constructor(
    private readonly db: Database,
    private readonly targets: RetentionTargets,
    private readonly rows: DeletedSpaceRows,
  ) {}

  onModuleInit(): void {
    this.targets.register({
      key: 'threads_inactive',
      countDue: (before) => this.rows.countDue(before),
      findHeldRows: (before, most) => this.rows.findHeld(before, most),
      purgeBatch: (before, batch) => this.purge(before, batch),
    });
  }

  /** What the request that deleted the space has left. */
  async withdrawThreads(space_id: string, run: Pick<JobRun, 'signal' | 'heartbeat'>): Promise<void> {
    for (;;) {
      run.signal.throwIfAborted();
      const withdrawn = await this.db.write(() => this.rows.withdrawThreads(space_id, THREADS_AT_ONCE));
      if (withdrawn < THREADS_AT_ONCE) return;
      await run.heartbeat();
    }
  }

  private async purge(before: Date, batch: number): Promise<RemovedBatch> {
    const withdrawn = await this.rows.withdrawDue(before, THREADS_AT_ONCE);
    const members = await this.rows.deleteMembers(before, MEMBERS_AT_ONCE);
    const removed = await this.rows.deleteSpaces(before, batch);
    return { removed, bytes: 0, left: withdrawn === THREADS_AT_ONCE || members === MEMBERS_AT_ONCE || removed === batch };
  }
}

import { Injectable } from '@nestjs/common';
import { LegalHolds, PersonDataSources, type PersonRun } from '@atrium/governance';
import { Database } from '@atrium/platform/database';
import { RemovedThreadRows } from '../infrastructure/removed-threads.rows';
import { ThreadRemoval } from './thread-removal';

const THREADS_AT_ONCE = 50;

/** Threads that an erasure removes: those of the person in which nobody else takes part. The others keep their course. */
@Injectable()
export class ThreadsOfPeople {
  constructor(
    sources: PersonDataSources,
    private readonly db: Database,
    private readonly rows: RemovedThreadRows,
    private readonly holds: LegalHolds,
    private readonly removal: ThreadRemoval,
  ) {
    sources.registerTableHandler('thread', {
      deletes: true,
      erase: ({ user_id }, run) => (user_id === null ? Promise.resolve(0) : this.removeOwn(user_id, run)),
    });
  }

  private async removeOwn(user_id: string, run: PersonRun): Promise<number> {
    for (let total = 0; ;) {
      run.signal.throwIfAborted();
      const removed = await this.db.write(() => this.removeSome(user_id));
      total += removed;
      if (removed < THREADS_AT_ONCE) return total;
      await run.heartbeat();
    }
  }

  /** Nobody else may read them, and nobody else has written in them. */
  private async removeSome(user_id: string): Promise<number> {
    await this.holds.blockNewHolds();
    const ids = await this.rows.lockUnshared(user_id, THREADS_AT_ONCE);
    await this.removal.removeThreads(ids);
    return ids.length;
  }
}

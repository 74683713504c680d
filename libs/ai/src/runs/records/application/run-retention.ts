import { Injectable, type OnModuleInit } from '@nestjs/common';
import { LegalHolds, PersonDataSources, RetentionTargets, type PersonRun, type RemovedBatch } from '@atrium/governance';
import { Database, sql, type Sql } from '@atrium/platform/database';
import { RunEvents } from '../../../events/run-events';
import { inThreadOf } from '../../../threads/infrastructure/thread-shares';
import { DueRunRows, type DeletedRun } from '../infrastructure/due-runs.rows';

const RUNS_AT_ONCE = 200;

/** Runs without a thread: what was asked and answered once is kept as long as deleted threads, and goes with the person who asked. */
@Injectable()
export class RunRetention implements OnModuleInit {
  constructor(
    sources: PersonDataSources,
    private readonly db: Database,
    private readonly rows: DueRunRows,
    private readonly targets: RetentionTargets,
    private readonly holds: LegalHolds,
    private readonly events: RunEvents,
  ) {
    sources.registerTableHandler('run', {
      readable: (reader) => sql`(r.run_thread IS NULL OR ${inThreadOf(sql`r.run_thread`, reader)})`,
      deletes: true,
      erase: ({ user_id }, run) => (user_id === null ? Promise.resolve(0) : this.removeOwn(user_id, run)),
    });
  }

  onModuleInit(): void {
    this.targets.register({
      key: 'threads_inactive',
      countDue: (before) => this.rows.countDue(before, this.hold()),
      findHeldRows: (before, most) => this.rows.findHeld(before, this.hold(), most),
      purgeBatch: (before, batch) => this.purge(before, batch),
    });
  }

  private async purge(before: Date, batch: number): Promise<RemovedBatch> {
    const removed = this.forget(await this.rows.deleteDue(before, this.hold(), batch));
    return { removed, bytes: 0, left: removed === batch };
  }

  private async removeOwn(user_id: string, run: PersonRun): Promise<number> {
    const hold = this.hold();
    for (let total = 0; ;) {
      run.signal.throwIfAborted();
      const removed = await this.db.write(async () => {
        await this.holds.blockNewHolds();
        return this.forget(await this.rows.deleteOwn(user_id, hold, RUNS_AT_ONCE));
      });
      total += removed;
      if (removed < RUNS_AT_ONCE) return total;
      await run.heartbeat();
    }
  }

  /** What is left of the streams of those that were asked for as one goes too; how many runs they were. */
  private forget(removed: readonly DeletedRun[]): number {
    for (const { run_id, is_followed } of removed) if (is_followed) this.events.deleteEvents(run_id);
    return removed.length;
  }

  private hold(): Sql {
    return this.holds.userHeldCondition(sql`r.run_user`);
  }
}

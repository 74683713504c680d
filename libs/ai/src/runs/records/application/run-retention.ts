import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  LegalHolds,
  PersonDataSources,
  RetentionTargets,
  type DueRows,
  type HeldRecord,
  type PersonRun,
  type RemovedBatch,
} from '@atrium/governance';
import { Database, requireScope, sql, type Sql } from '@atrium/platform/database';
import { RunEvents } from '../../../events/run-events';
import { inThreadOf } from '../../../threads/infrastructure/thread-shares';

const RUNS_AT_ONCE = 200;

/** Runs without a thread: what was asked and answered once is kept as long as deleted threads, and goes with the person who asked. */
@Injectable()
export class RunRetention implements OnModuleInit {
  constructor(
    sources: PersonDataSources,
    private readonly db: Database,
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
      countDue: (before) => this.count(before),
      findHeldRows: (before, most) => this.held(before, most),
      purgeBatch: (before, batch) => this.purge(before, batch),
    });
  }

  private async count(before: Date): Promise<DueRows> {
    const row = await this.db.current().first<DueRows & Record<string, unknown>>(sql`
      SELECT count(*) FILTER (WHERE d.hold IS NULL) AS rows, 0 AS bytes, count(*) FILTER (WHERE d.hold IS NOT NULL) AS held, min(d.run_finished) FILTER (WHERE d.hold IS NULL) AS oldest
      FROM (SELECT r.run_finished, ${this.hold()} AS hold ${due(before)}) d`);
    return row ?? { rows: 0, bytes: 0, held: 0, oldest: null };
  }

  private held(before: Date, most: number): Promise<HeldRecord[]> {
    return this.db.current().query<HeldRecord & Record<string, unknown>>(sql`
      SELECT d.run_id AS held_id, d.hold AS held_hold FROM (SELECT r.run_id, r.run_finished, ${this.hold()} AS hold ${due(before)}) d
      WHERE d.hold IS NOT NULL ORDER BY d.run_finished, d.run_id LIMIT ${most}`);
  }

  private async purge(before: Date, batch: number): Promise<RemovedBatch> {
    const removed = await this.remove(
      sql`SELECT r.run_id ${due(before)} AND ${this.hold()} IS NULL ORDER BY r.run_finished, r.run_id LIMIT ${batch}`,
    );
    return { removed, bytes: 0, left: removed === batch };
  }

  private async removeOwn(user_id: string, run: PersonRun): Promise<number> {
    const own = sql`SELECT r.run_id FROM run r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.run_user = ${user_id}::uuid AND r.run_thread IS NULL AND ${this.hold()} IS NULL LIMIT ${RUNS_AT_ONCE}`;
    for (let total = 0; ;) {
      run.signal.throwIfAborted();
      const removed = await this.db.write(async () => {
        await this.holds.blockNewHolds();
        return this.remove(own);
      });
      total += removed;
      if (removed < RUNS_AT_ONCE) return total;
      await run.heartbeat();
    }
  }

  /** Steps and calls go with them, and what is left of the streams of those that were asked for as one. */
  private async remove(ids: Sql): Promise<number> {
    const removed = await this.db
      .current()
      .query<{ run_id: string; is_followed: boolean | null }>(
        sql`DELETE FROM run d WHERE d.tenant_id = ${requireScope().tenant_id} AND d.run_id IN (${ids}) RETURNING d.run_id, d.run_input @> '{"followed": true}' AS is_followed`,
      );
    for (const { run_id, is_followed } of removed) if (is_followed) this.events.deleteEvents(run_id);
    return removed.length;
  }

  private hold(): Sql {
    return this.holds.ofUser(sql`r.run_user`);
  }
}

const due = (before: Date): Sql =>
  sql`FROM run r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.run_thread IS NULL AND r.run_finished < ${before}`;

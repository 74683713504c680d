import { Injectable } from '@nestjs/common';
import { Database } from '@atrium/platform/database';
import { FailureCounters, type FailureCount } from './failure-counters';

interface CountRow {
  readonly points_so_far: number;
  readonly wait_ms: number;
}

const countOf = ({ points_so_far, wait_ms }: CountRow): FailureCount => ({ count: points_so_far, waitMs: wait_ms });

/** Counters in the database, for installations without Redis; each change is one statement, so none is lost. */
@Injectable()
export class PostgresFailureCounters extends FailureCounters {
  constructor(private readonly db: Database) {
    super();
  }

  async readCounters(names: readonly string[]): Promise<ReadonlyMap<string, FailureCount>> {
    const rows = await this.db.acrossTenants((tx) =>
      tx.query<CountRow & { thr_key: string }>('SELECT * FROM auth_throttle_get($1)', [names]),
    );
    return new Map(rows.map((row) => [row.thr_key, countOf(row)]));
  }

  async incrementCounter(name: string, lifeMs: number): Promise<FailureCount> {
    const row = await this.db.acrossTenants((tx) =>
      tx.first<CountRow & Record<string, unknown>>('SELECT * FROM auth_throttle_add($1, 1, $2, false)', [name, lifeMs]),
    );
    return row ? countOf(row) : { count: 1, waitMs: lifeMs };
  }

  async setCounter(name: string, count: number, lifeMs: number): Promise<void> {
    await this.db.acrossTenants((tx) => tx.query('SELECT auth_throttle_add($1, $2, $3, true)', [name, count, lifeMs]));
  }

  async clearCounters(names: readonly string[]): Promise<void> {
    await this.db.acrossTenants((tx) => tx.query('SELECT auth_throttle_drop($1)', [names]));
  }
}

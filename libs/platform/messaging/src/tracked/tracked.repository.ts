import {
  raw,
  requireScope,
  ResourceRepository,
  resourceOf,
  sql,
  type Database,
  type Sql,
  type TrackedState,
} from '@atrium/platform/database';

/** One run of a worker over a row of work, as it began. */
export type WorkAttempt = Pick<TrackedState<string>, 'job_id' | 'job_attempt'>;

/** What the engine asks of the rows of a kind. */
export interface WorkRows<R> {
  /** The row locked for change, or `not_found`. */
  lock(job_id: string): Promise<R>;
  /** Adds what was asked for to a row that has begun, where that is not read with every lock. */
  readOrder?(row: R): Promise<void>;
  save(row: R): Promise<unknown>;
  /** Whether the attempt still has the row. */
  isRunning(attempt: WorkAttempt): Promise<boolean>;
}

/** The columns of a table, where they are not called as those of `TrackedRow`. */
export interface WorkColumns {
  readonly attempt: string;
  readonly finished: string;
  /** What was asked for, which may be large: only a run that begins reads it, and nobody once the work has ended. */
  readonly order?: string;
}

/** The work was cancelled, has ended, or another worker has it: what the step did does not count. */
export class WorkEnded extends Error {
  constructor() {
    super('The work has ended.');
    this.name = 'WorkEnded';
  }
}

const STANDARD: WorkColumns = { attempt: 'job_attempt', finished: 'job_finished' };

/** Rows of tracked work. */
export abstract class TrackedRepository<R extends TrackedState<string>> extends ResourceRepository<R> implements WorkRows<R> {
  protected readonly from: Sql;
  private readonly at: WorkColumns;

  protected constructor(
    db: Database,
    type: new () => R,
    { noun = 'job', columns = {} }: { noun?: string; columns?: Partial<WorkColumns> } = {},
  ) {
    super(db, type, noun, 'alone', columns.order);
    this.from = raw(`"${resourceOf(type).table}" r`);
    this.at = { ...STANDARD, ...columns };
  }

  async readOrder(row: R): Promise<void> {
    const { order } = this.at;
    if (order === undefined) return;
    const found = await this.db
      .current()
      .first(
        sql`SELECT r.${raw(`"${order}"`)} FROM ${this.from} WHERE r.tenant_id = ${requireScope().tenant_id} AND r.job_id = ${row.job_id}`,
      );
    Object.assign(row, found);
  }

  async isRunning(attempt: WorkAttempt): Promise<boolean> {
    return (await this.db.current().first(sql`SELECT 1 FROM ${this.from} WHERE ${this.heldCondition(attempt)}`)) !== undefined;
  }

  /** The same, and the row stays as it is until the unit of work ends: it is neither written nor locked against those who count steps in. */
  async lockRunning(attempt: WorkAttempt): Promise<boolean> {
    return (await this.db.current().first(sql`SELECT 1 FROM ${this.from} WHERE ${this.heldCondition(attempt)} FOR SHARE`)) !== undefined;
  }

  /** Cancels the work that the condition on `r` names; its workers learn of it at their next step. */
  async cancelAll(condition: Sql, reason: string): Promise<void> {
    const { finished, order } = this.at;
    const cleared = order === undefined ? '' : `, "${order}" = '{}'`;
    await this.db.current().execute(sql`
      UPDATE ${this.from} SET status = 'cancelled', error = ${reason}, ${raw(`"${finished}"`)} = now(), row_version = r.row_version + 1${raw(cleared)}
      WHERE r.tenant_id = ${requireScope().tenant_id} AND r.status IN ('queued', 'running') AND ${condition}`);
  }

  /** The fence: the row of the attempt, while it runs and no other worker has begun since. */
  protected heldCondition({ job_id, job_attempt }: WorkAttempt): Sql {
    return sql`r.tenant_id = ${requireScope().tenant_id} AND r.job_id = ${job_id} AND r.status = 'running' AND r.${raw(`"${this.at.attempt}"`)} = ${job_attempt}`;
  }
}

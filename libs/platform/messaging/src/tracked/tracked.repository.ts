import {
  join,
  raw,
  requireScope,
  ResourceRepository,
  resourceOf,
  sql,
  type Database,
  type Sql,
  type TrackedState,
} from '@atrium/platform/database';
import type { JsonObject } from '@atrium/platform/kernel';

/** One run of a worker over a row of work, as it began. */
export type WorkAttempt = Pick<TrackedState, 'job_id' | 'job_attempt'>;

/** What a step has done, by the names of the counts, and where the next one begins. */
export type WorkStep<C extends string> = { readonly [count in C | 'done' | 'failed']?: number } & {
  /** Items that were found while working. */
  readonly more?: number;
  /** Items in all, where the work learns that at once. */
  readonly total?: number | null;
  /** Merged into the place where the next worker goes on. */
  readonly place?: JsonObject;
};

/** The columns of a table, where they are not called as those of `TrackedRow`. */
export interface WorkColumns {
  readonly attempt: string;
  readonly place: string;
  readonly finished: string;
  /** When a worker last showed that it is alive. */
  readonly beat?: string;
  /** What was asked for, which nobody reads once the work has ended. */
  readonly order?: string;
}

/** The work was cancelled, has ended, or another worker has it: what the step did does not count. */
export class WorkEnded extends Error {
  constructor() {
    super('The work has ended.');
    this.name = 'WorkEnded';
  }
}

const STANDARD: WorkColumns = { attempt: 'job_attempt', place: 'job_place', finished: 'job_finished' };

/** Rows of tracked work. A step is counted in by one statement, which is refused once another worker has the row. */
export abstract class TrackedRepository<R extends TrackedState, C extends string = never> extends ResourceRepository<R> {
  private readonly from: Sql;
  private readonly counts: readonly string[];
  private readonly at: WorkColumns;

  protected constructor(
    db: Database,
    type: new () => R,
    { noun = 'job', counts = [], columns = {} }: { noun?: string; counts?: readonly C[]; columns?: Partial<WorkColumns> } = {},
  ) {
    super(db, type, noun);
    this.from = raw(`"${resourceOf(type).table}" r`);
    this.counts = ['done', 'failed', ...counts];
    this.at = { ...STANDARD, ...columns };
  }

  /** Counts a step in, within its unit of work. Once the work has ended or has gone to another worker the step is undone. */
  async recordStep(attempt: WorkAttempt, step: WorkStep<C>): Promise<void> {
    const { more = 0, total = null, place = {} } = step;
    const sums = this.counts.map((name) => {
      const column = raw(`"${name}"`);
      return sql`${column} = r.${column} + ${(step as Readonly<Record<string, unknown>>)[name] ?? 0}::integer`;
    });
    const at = raw(`"${this.at.place}"`);
    const counted = await this.db.current().execute(sql`
      UPDATE ${this.from} SET ${join(sums)}, ${at} = r.${at} || ${JSON.stringify(place)}::jsonb,
        total = coalesce(${total}::integer, CASE WHEN ${more}::integer = 0 THEN r.total ELSE coalesce(r.total, 0) + ${more}::integer END)${this.beating()}
      WHERE ${workRow(attempt)} AND r.status = 'running' AND r.${raw(`"${this.at.attempt}"`)} = ${attempt.job_attempt}`);
    if (counted === 0) throw new WorkEnded();
  }

  /** Whether the attempt still has the row. */
  async isRunning(attempt: WorkAttempt): Promise<boolean> {
    const row = await this.db.current().first(sql`
      SELECT 1 FROM ${this.from} WHERE ${workRow(attempt)} AND r.status = 'running' AND r.${raw(`"${this.at.attempt}"`)} = ${attempt.job_attempt}`);
    return row !== undefined;
  }

  /** Cancels the work that the condition on `r` names; its workers learn of it at their next step. */
  async cancelAll(condition: Sql, reason: string): Promise<void> {
    const { finished, order } = this.at;
    const cleared = order === undefined ? '' : `, "${order}" = '{}'`;
    await this.db.current().execute(sql`
      UPDATE ${this.from} SET status = 'cancelled', error = ${reason}, ${raw(`"${finished}"`)} = now(), row_version = r.row_version + 1${raw(cleared)}
      WHERE r.tenant_id = ${requireScope().tenant_id} AND r.status IN ('queued', 'running') AND ${condition}`);
  }

  private beating(): Sql {
    return raw(this.at.beat === undefined ? '' : `, "${this.at.beat}" = now()`);
  }
}

const workRow = ({ job_id }: WorkAttempt): Sql => sql`r.tenant_id = ${requireScope().tenant_id} AND r.job_id = ${job_id}`;

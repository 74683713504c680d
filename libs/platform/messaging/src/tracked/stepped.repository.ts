import { join, raw, sql, type Database, type TrackedState } from '@atrium/platform/database';
import type { JsonObject } from '@atrium/platform/kernel';
import { TrackedRepository, WorkEnded, type WorkAttempt, type WorkColumns } from './tracked.repository';

/** What a step has done, by the names of the counts, and where the next one begins. */
export type WorkStep<C extends string> = { readonly [count in C | 'done' | 'failed']?: number } & {
  /** Items that were found while working. */
  readonly more?: number;
  /** Items in all, where the work learns that at once. */
  readonly total?: number | null;
  /** Merged into the place where the next worker goes on. */
  readonly place?: JsonObject;
};

/** The columns that steps write besides the counts. */
interface StepColumns extends WorkColumns {
  readonly place: string;
  /** When a worker last showed that it is alive. */
  readonly beat?: string;
}

interface SteppedTable<C extends string> {
  readonly noun?: string;
  readonly counts?: readonly C[];
  readonly columns?: Partial<StepColumns>;
}

/** Rows with counts and the place where the next worker goes on. A step is counted in by one statement, under the fence of its attempt. */
export abstract class SteppedRepository<R extends TrackedState<string>, C extends string = never> extends TrackedRepository<R> {
  private readonly counts: readonly string[];
  private readonly place: string;
  private readonly beat: string | undefined;

  protected constructor(db: Database, type: new () => R, table: SteppedTable<C> = {}) {
    super(db, type, table);
    const { counts = [], columns: { place = 'job_place', beat } = {} } = table;
    this.counts = ['done', 'failed', ...counts];
    this.place = place;
    this.beat = beat;
  }

  /** Counts a step in, within its unit of work. Once the work has ended or has gone to another worker the step is undone. */
  async recordStep(attempt: WorkAttempt, step: WorkStep<C>): Promise<void> {
    const { more = 0, total = null, place = {} } = step;
    const sums = this.counts.map((name) => {
      const column = raw(`"${name}"`);
      return sql`${column} = r.${column} + ${(step as Readonly<Record<string, unknown>>)[name] ?? 0}::integer`;
    });
    const at = raw(`"${this.place}"`);
    const counted = await this.db.current().execute(sql`
      UPDATE ${this.from} SET ${join(sums)}, ${at} = r.${at} || ${JSON.stringify(place)}::jsonb,
        total = coalesce(${total}::integer, CASE WHEN ${more}::integer = 0 THEN r.total ELSE coalesce(r.total, 0) + ${more}::integer END)${raw(this.beat === undefined ? '' : `, "${this.beat}" = now()`)}
      WHERE ${this.heldCondition(attempt)}`);
    if (counted === 0) throw new WorkEnded();
  }
}

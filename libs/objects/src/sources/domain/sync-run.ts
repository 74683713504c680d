import {
  Choice,
  Flag,
  Id,
  Json,
  Ref,
  Resource,
  Stamp,
  STATUS_TEXT,
  Text,
  TrackedState,
  Whole,
  WORK_STATUSES,
  type WorkStatus,
} from '@atrium/platform/database';
import type { Clock, JsonObject } from '@atrium/platform/kernel';

export const RUN_TRIGGERS = ['manual', 'schedule'] as const;
export type RunTrigger = (typeof RUN_TRIGGERS)[number];

/** What a run comes to, besides the rows that were read and those that failed. */
export const RUN_COUNTS = ['created', 'updated', 'unchanged', 'deactivated', 'conflicts', 'held_deletes'] as const;
export type RunCount = (typeof RUN_COUNTS)[number];

/** Where a run is, for the worker that goes on. */
export interface RunPlace {
  /** Where the next page begins; null: behind the last one. */
  readonly cursor?: JsonObject | null;
  readonly pages?: number;
  readonly rows?: number;
  /** What the source said of the number of its rows at first. */
  readonly total?: number | null;
  /** Why what was not met is not missing for sure. */
  readonly incomplete?: string;
  readonly read?: boolean;
  /** How often the source did not answer with the page at the cursor, and when it is asked again, in milliseconds since 1970. */
  readonly tried?: number;
  readonly ask_at?: number;
  /** How many deactivations were held back, once that has been found. */
  readonly held?: number;
  readonly dropping?: boolean;
  /** The external ids behind which missing objects are still to be deactivated, or to be marked. */
  readonly dropped_to?: string;
  readonly flagged_to?: string;
}

/** One pass over a source. One that has finished never changes again. */
@Resource({ table: 'object_sync_run', sort: '-queued' })
export class SyncRun extends TrackedState {
  @Id({ about: 'Id of the run.', filter: undefined }) readonly job_id!: string;
  @Ref({ about: 'The source.' }) readonly job_source!: string;
  @Choice(WORK_STATUSES, { about: STATUS_TEXT, example: 'completed', filter: 'equals' }) status!: WorkStatus;
  @Choice(RUN_TRIGGERS, { about: 'What started the run.', example: 'manual', filter: 'equals' }) readonly trigger!: RunTrigger;
  @Whole({ column: 'integer', about: 'Number of rows applied.', example: 2_500 }) done!: number;
  @Whole({ column: 'integer', about: 'Number of rows that failed.', example: 0 }) failed!: number;
  @Whole({ column: 'integer', optional: true, about: 'Number of rows in total; null while unknown.', example: 2_500 }) total!:
    number | null;
  @Whole({ column: 'integer', about: 'Number of objects created.', example: 12 }) created!: number;
  @Whole({ column: 'integer', about: 'Number of objects updated.', example: 40 }) updated!: number;
  @Whole({ column: 'integer', about: 'Number of objects that were already up to date.', example: 2_448 })
  unchanged!: number;
  @Whole({ column: 'integer', about: 'Number of objects deactivated.', example: 0 }) deactivated!: number;
  @Whole({
    column: 'integer',
    about: 'Number of rows that were duplicates, or that conflicted with objects that were edited or locked here.',
    example: 0,
  })
  conflicts!: number;
  @Whole({
    column: 'integer',
    about: 'Number of objects that would be deactivated but were kept, because they are too large a share of the objects.',
    example: 0,
  })
  held_deletes!: number;
  @Text({ optional: true, max: 1_000, about: 'Why it failed, or what did not go as expected.' }) error!: string | null;
  @Stamp({ about: 'When it was requested.', sort: true }) readonly queued!: Date;
  @Stamp({ optional: true, about: 'When it started.' }) started!: Date | null;
  @Stamp({ optional: true, about: 'When it finished.' }) finished!: Date | null;
  @Ref({ optional: true, about: 'Member who requested it; null if it was scheduled.' }) readonly job_created_by!: string | null;
  @Ref({ internal: true, optional: true }) readonly job_key!: string | null;
  @Flag({ internal: true }) readonly force_deletes!: boolean;
  @Json({ internal: true }) place!: RunPlace & JsonObject;
  @Whole({ internal: true, column: 'integer' }) attempt!: number;
  @Stamp({ internal: true, optional: true }) beat!: Date | null;

  /** A new one that has nothing but what it must have. */
  static blank(
    facts: Pick<SyncRun, 'tenant_id' | 'job_id' | 'job_source' | 'trigger' | 'job_created_by' | 'job_key' | 'force_deletes'>,
    now: Date,
  ): SyncRun {
    return Object.assign(new SyncRun(), {
      status: 'queued' as const,
      done: 0,
      failed: 0,
      total: null,
      created: 0,
      updated: 0,
      unchanged: 0,
      deactivated: 0,
      conflicts: 0,
      held_deletes: 0,
      error: null,
      started: null,
      finished: null,
      place: {},
      attempt: 0,
      beat: null,
      queued: now,
      ...facts,
    });
  }

  get job_started(): Date | null {
    return this.started;
  }

  set job_started(at: Date | null) {
    this.started = at;
  }

  get job_finished(): Date | null {
    return this.finished;
  }

  set job_finished(at: Date | null) {
    this.finished = at;
  }

  get job_attempt(): number {
    return this.attempt;
  }

  set job_attempt(attempt: number) {
    this.attempt = attempt;
  }

  protected override get noun(): string {
    return 'run';
  }

  protected override get item(): string {
    return 'row';
  }

  protected override get doneInAll(): number {
    return this.done + this.deactivated;
  }

  override begin(clock: Clock): void {
    super.begin(clock);
    this.beat = clock.now();
  }
}

import { Choice, Flag, Id, Json, Ref, Resource, Stamp, TenantRow, Text, Whole } from '@atrium/platform/database';
import { allFailed, endOfWork, invalidState, StateMachine, type Clock, type EndOfWork, type JsonObject } from '@atrium/platform/kernel';

export const RUN_STATUSES = ['queued', 'running', 'completed', 'partial', 'failed', 'cancelled'] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];
export const RUN_TRIGGERS = ['manual', 'schedule'] as const;
export type RunTrigger = (typeof RUN_TRIGGERS)[number];

/** A lost worker is no state: another one goes on from where the row says. */
const STATUSES = new StateMachine<RunStatus>('run', {
  queued: ['running', 'failed', 'cancelled'],
  running: ['completed', 'partial', 'failed', 'cancelled'],
});
const LONGEST_ERROR = 1_000;

/** How a run ended. */
export interface RunOutcome {
  readonly status: EndOfWork;
  readonly error?: string | null;
}

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
export class SyncRun extends TenantRow {
  @Id({ about: 'Id of the run.', filter: undefined }) readonly job_id!: string;
  @Ref({ about: 'The source.' }) readonly job_source!: string;
  @Choice(RUN_STATUSES, {
    about:
      'How far it is; `partial`: it has finished, and some rows failed or deactivations were held back; `failed`: nothing was done, or it gave up.',
    example: 'completed',
    filter: 'equals',
  })
  status!: RunStatus;
  @Choice(RUN_TRIGGERS, { about: 'What began it.', example: 'manual', filter: 'equals' }) readonly trigger!: RunTrigger;
  @Whole({ column: 'integer', about: 'Rows that were taken.', example: 2_500 }) done!: number;
  @Whole({ column: 'integer', about: 'Rows that failed.', example: 0 }) failed!: number;
  @Whole({ column: 'integer', optional: true, about: 'Rows in all; null while unknown.', example: 2_500 }) total!: number | null;
  @Whole({ column: 'integer', about: 'Objects that are new.', example: 12 }) created!: number;
  @Whole({ column: 'integer', about: 'Objects that were changed.', example: 40 }) updated!: number;
  @Whole({ column: 'integer', about: 'Objects that were as they should be; nothing was written of them.', example: 2_448 })
  unchanged!: number;
  @Whole({ column: 'integer', about: 'Objects that were deactivated.', example: 0 }) deactivated!: number;
  @Whole({ column: 'integer', about: 'Rows that came twice, or that said what was edited or locked here.', example: 0 }) conflicts!: number;
  @Whole({ column: 'integer', about: 'Objects that would be deactivated, and stay because they are too many at once.', example: 0 })
  held_deletes!: number;
  @Text({ optional: true, max: LONGEST_ERROR, about: 'Why it failed, or what did not go as it should.' }) error!: string | null;
  @Stamp({ about: 'When it was asked for.', sort: true }) readonly queued!: Date;
  @Stamp({ optional: true, about: 'When it began.' }) started!: Date | null;
  @Stamp({ optional: true, about: 'When it finished.' }) finished!: Date | null;
  @Ref({ optional: true, about: 'Who asked for it; null: its clock.' }) readonly job_created_by!: string | null;
  @Ref({ internal: true, optional: true }) readonly job_key!: string | null;
  @Flag({ internal: true }) readonly force_deletes!: boolean;
  @Json({ internal: true }) place!: RunPlace & JsonObject;
  @Whole({ internal: true, column: 'integer' }) attempt!: number;
  @Stamp({ internal: true, optional: true }) beat!: Date | null;

  get isFinished(): boolean {
    return STATUSES.isFinal(this.status);
  }

  /** The work begins, or goes on in another worker; steps of one that was taken for lost count no more. */
  begin(clock: Clock): void {
    if (this.status !== 'running') {
      this.status = STATUSES.move(this.status, 'running');
      this.started = clock.now();
    }
    this.attempt += 1;
    this.beat = clock.now();
  }

  cancel(clock: Clock): void {
    if (this.isFinished) throw invalidState(`The run is ${this.status} already and cannot be cancelled.`);
    this.end('cancelled', clock);
  }

  /** One that got to its end although rows failed has completed in part; where all of them failed, so has the run. */
  finish({ status, error = null }: RunOutcome, clock: Clock): void {
    const counted = endOfWork({ done: this.done + this.deactivated, failed: this.failed });
    const nothingDone = status !== 'failed' && counted === 'failed';
    const reason = error ?? (nothingDone ? allFailed(this.failed, 'row') : null);
    this.error = reason?.slice(0, LONGEST_ERROR) ?? null;
    this.end(status === 'completed' || nothingDone ? counted : status, clock);
  }

  private end(status: RunStatus, clock: Clock): void {
    this.status = STATUSES.move(this.status, status);
    this.finished = clock.now();
  }
}

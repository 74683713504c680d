import {
  Choice,
  Flag,
  Id,
  Json,
  Ref,
  Resource,
  Stamp,
  Text,
  TrackedState,
  Whole,
  WORK_STATUSES,
  type WorkStatus,
} from '@atrium/platform/database';
import { DAY, invalidState, type Clock, type EndOfWork, type JsonObject } from '@atrium/platform/kernel';
import type { WorkOutcome } from '@atrium/platform/database';
import type { Resolution } from './sync-rules';
import type { Verdict } from './verdict';

export const RUN_DIRECTIONS = ['pull', 'push', 'scan', 'schemas_pull', 'schemas_push'] as const;
export type RunDirection = (typeof RUN_DIRECTIONS)[number];
export const RUN_TRIGGERS = ['manual', 'automation', 'webhook', 'retry'] as const;
export type RunTrigger = (typeof RUN_TRIGGERS)[number];
/** Pages of finished runs are shown for so long. */
export const RUN_PAGES_KEPT_MS = 30 * DAY;

/** What a run comes to, besides the pages that were moved and those that failed. */
export const RUN_COUNTS = [
  'created',
  'updated',
  'unchanged',
  'skipped',
  'deleted',
  'published',
  'conflicts',
  'held_deletes',
  'unsettled',
] as const;
export type RunCount = (typeof RUN_COUNTS)[number];

/** What was asked of a run; absent members have their default. */
export interface RunRequest {
  readonly resolution?: Resolution;
  readonly nodeIds?: readonly string[];
  readonly externalIds?: readonly string[];
  readonly statuses?: readonly Verdict[];
  readonly publish?: boolean;
  readonly force?: boolean;
  readonly templateIds?: readonly string[];
  /** Pages that a webhook named by their path alone. */
  readonly paths?: readonly string[];
}

/** Where a run is, for the worker that goes on. */
export interface RunPlace {
  readonly step?: 'list' | 'compare' | 'gather' | 'plan' | 'apply' | 'turn';
  /** Where the next page of the list begins. */
  readonly cursor?: JsonObject | null;
  readonly seq?: number;
  /** The last page of the list, and the links or nodes behind which the comparison goes on. */
  readonly at?: string | null;
  readonly lastList?: string;
}

/** One pull, push, comparison or exchange of schemas. One that has finished never changes again, except that its failed pages are tried by another. */
@Resource({ table: 'cms_run', sort: '-queued_at' })
export class SyncRun extends TrackedState {
  @Id({ about: 'Id of the run.', filter: undefined }) readonly job_id!: string;
  @Ref({ about: 'Id of the site.' }) readonly site_id!: string;
  @Choice(RUN_DIRECTIONS, { about: 'What the run does.', example: 'pull' }) readonly direction!: RunDirection;
  @Choice(WORK_STATUSES) status!: WorkStatus;
  @Choice(RUN_TRIGGERS, { about: 'What started the run.', example: 'manual' }) readonly trigger!: RunTrigger;
  @Flag({ about: 'Whether the run only shows what it would do.' }) readonly dry_run!: boolean;
  @Json({ isOfAnyType: true }) readonly request!: RunRequest;
  @Whole({ column: 'integer', optional: true, about: 'Number of pages to move; null while pages are being listed.', example: 250 }) total!:
    number | null;
  @Whole({ column: 'integer', about: 'Number of pages processed successfully.', example: 248 }) done!: number;
  @Whole({ column: 'integer', about: 'Number of pages that failed.', example: 2 }) failed!: number;
  @Whole({ column: 'integer', about: 'Number of pages created.', example: 12 }) created!: number;
  @Whole({ column: 'integer', about: 'Number of pages updated.', example: 30 }) updated!: number;
  @Whole({ column: 'integer', about: 'Number of pages that are equal on both sides.', example: 200 }) unchanged!: number;
  @Whole({ column: 'integer', about: 'Number of pages that differ and that the run does not move.', example: 6 }) skipped!: number;
  @Whole({ column: 'integer', about: 'Number of pages deleted.', example: 0 }) deleted!: number;
  @Whole({ column: 'integer', about: 'Number of pages published.', example: 0 }) published!: number;
  @Whole({ column: 'integer', about: 'Number of pages that were changed on both sides.', example: 1 }) conflicts!: number;
  @Whole({ column: 'integer', about: 'Number of deletions that were held back because they are too many.', example: 0 })
  held_deletes!: number;
  @Whole({ column: 'integer', about: 'Number of conflicts that were left for a person to resolve.', example: 1 }) unsettled!: number;
  @Text({ optional: true, max: 1_000, about: 'Why it failed, or what did not go as expected.' }) error!: string | null;
  @Stamp({ about: 'When it was requested.', sort: true }) readonly queued_at!: Date;
  @Stamp({ optional: true, about: 'When it started.' }) started_at!: Date | null;
  @Stamp({ optional: true, about: 'When it finished.' }) finished_at!: Date | null;
  @Stamp({ optional: true, about: 'When its worker last reported progress.' }) heartbeat_at!: Date | null;
  @Whole({ internal: true, column: 'integer' }) attempt!: number;
  @Whole({ internal: true, column: 'integer' }) fence!: number;
  @Json({ internal: true }) place!: RunPlace & JsonObject;
  @Json({ internal: true, optional: true }) result!: JsonObject | null;
  @Ref({ optional: true, about: 'Run whose failed pages this one tries again.' }) readonly retry_of!: string | null;
  @Ref({ internal: true, optional: true }) retry_job!: string | null;
  @Ref({ internal: true, optional: true }) readonly job_created_by!: string | null;
  @Ref({ internal: true, optional: true }) readonly job_key!: string | null;

  /** A new one that has nothing but what it must have. */
  static blank(facts: Partial<SyncRun> & Pick<SyncRun, 'tenant_id' | 'job_id' | 'site_id' | 'direction' | 'trigger'>, now: Date): SyncRun {
    return Object.assign(new SyncRun(), {
      status: 'queued' as const,
      dry_run: false,
      request: {},
      total: null,
      done: 0,
      failed: 0,
      ...(Object.fromEntries(RUN_COUNTS.map((count) => [count, 0])) as Record<RunCount, number>),
      error: null,
      queued_at: now,
      started_at: null,
      finished_at: null,
      heartbeat_at: null,
      attempt: 0,
      fence: 0,
      place: {},
      result: null,
      retry_of: null,
      retry_job: null,
      job_created_by: null,
      job_key: null,
      ...facts,
    });
  }

  get job_started(): Date | null {
    return this.started_at;
  }

  set job_started(at: Date | null) {
    this.started_at = at;
  }

  get job_finished(): Date | null {
    return this.finished_at;
  }

  set job_finished(at: Date | null) {
    this.finished_at = at;
  }

  get job_attempt(): number {
    return this.attempt;
  }

  set job_attempt(attempt: number) {
    this.attempt = attempt;
  }

  /** Its worker is lost: it has shown nothing for so long. */
  isStalled(clock: Clock, stallMs: number): boolean {
    return this.status === 'running' && this.heartbeat_at !== null && this.heartbeat_at.getTime() < clock.now().getTime() - stallMs;
  }

  override begin(clock: Clock): void {
    super.begin(clock);
    this.heartbeat_at = clock.now();
  }

  /** A worker goes on although the queue still waits for the lost one: what that one does counts no more. */
  resume(clock: Clock, stallMs: number): void {
    if (!this.isStalled(clock, stallMs)) throw invalidState(`The sync run is ${this.status} and not stalled, so it cannot be resumed.`);
    this.nextAttempt();
    this.fence += 1;
    this.heartbeat_at = clock.now();
  }

  /** Its failed pages are tried by another run. */
  retry(by: string): void {
    this.assertRetriable();
    this.retry_job = by;
  }

  assertRetriable(): void {
    if (this.retry_job !== null) throw invalidState('The failed pages of the sync run were already retried.');
    if ((this.status !== 'partial' && this.status !== 'failed') || this.failed === 0)
      throw invalidState('The sync run has no failed pages that could be retried.');
  }

  protected override get noun(): string {
    return 'sync run';
  }

  protected override get item(): string {
    return 'page';
  }

  protected override get doneInAll(): number {
    return this.done + this.unchanged + this.skipped + this.unsettled + this.held_deletes;
  }

  /** Held deletions and open conflicts leave something to a person. */
  protected override endOf(status: EndOfWork, counted: EndOfWork): EndOfWork {
    const end = super.endOf(status, counted);
    return end === 'completed' && this.held_deletes + this.unsettled > 0 ? 'partial' : end;
  }

  override finish(outcome: WorkOutcome, clock: Clock): void {
    super.finish(outcome, clock);
    this.place = {};
  }
}

import { Choice, Id, Json, Ref, Resource, Stamp, TenantRow, Text, Whole } from '@atrium/platform/database';
import { allFailed, endOfWork, invalidState, StateMachine, type Clock, type EndOfWork, type JsonObject } from '@atrium/platform/kernel';

export const JOB_KINDS = ['import', 'export', 'crawl'] as const;
export type JobKind = (typeof JOB_KINDS)[number];
export const JOB_STATUSES = ['queued', 'running', 'completed', 'partial', 'failed', 'cancelled'] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

/** A lost worker is no state: another one goes on from where the row says. */
const STATUSES = new StateMachine<JobStatus>('job', {
  queued: ['running', 'failed', 'cancelled'],
  running: ['completed', 'partial', 'failed', 'cancelled'],
});

/** What the work came to so far. */
export interface JobCounts {
  readonly done: number;
  readonly failed: number;
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly removed: number;
}

/** How the work ended. */
export interface JobOutcome {
  readonly status: EndOfWork;
  readonly error?: string | null;
  readonly result?: JsonObject | null;
  readonly held_removes?: number;
}

const LONGEST_ERROR = 1_000;

/** Work on a base that everybody sees who sees the base. One that has finished never changes again. */
@Resource({ table: 'knowledge_job', sort: '-job_created' })
export class KnowledgeJob extends TenantRow {
  @Id({ about: 'Id of the job.', filter: undefined }) readonly job_id!: string;
  @Choice(JOB_KINDS, { about: 'Kind of work.', example: 'import', filter: 'equals' }) readonly job_kind!: JobKind;
  @Ref({ about: 'The knowledge base.' }) readonly job_base!: string;
  @Choice(JOB_STATUSES, {
    about: 'How far it is; `partial`: it has finished, and some rows or pages failed; `failed`: nothing was done, or it gave up.',
    example: 'completed',
    filter: 'equals',
  })
  status!: JobStatus;
  @Whole({ about: 'Rows or pages that were taken.', example: 4_988 }) done!: number;
  @Whole({ about: 'Rows or pages that failed.', example: 12 }) failed!: number;
  @Whole({ optional: true, about: 'Rows or pages in all; null while unknown.', example: 5_000 }) total!: number | null;
  @Whole({ about: 'Records that are new.', example: 4_900 }) created!: number;
  @Whole({ about: 'Records that were changed.', example: 88 }) updated!: number;
  @Whole({ about: 'Records that were as they should be.', example: 0 }) unchanged!: number;
  @Whole({ about: 'Records that were archived or deleted.', example: 0 }) removed!: number;
  @Whole({ about: 'Records that would go, and stay because they are too many of the base at once.', example: 0 }) held_removes!: number;
  @Text({ optional: true, max: LONGEST_ERROR, about: 'Why it failed, or what did not go as it should.' }) error!: string | null;
  @Json({
    optional: true,
    about:
      'What an export answers; of a crawl the site that it was on, how many pages were skipped, and whether `max_pages` was reached; null for other jobs.',
    example: null,
  })
  result!: JsonObject | null;
  @Stamp({ about: 'When it was asked for.', sort: true }) readonly job_created!: Date;
  @Stamp({ optional: true, about: 'When it began.' }) job_started!: Date | null;
  @Stamp({ optional: true, about: 'When it finished.' }) job_finished!: Date | null;
  @Ref({ optional: true, about: 'Who asked for it.' }) readonly job_created_by!: string | null;
  @Ref({ internal: true, optional: true }) readonly job_key!: string | null;
  @Json({ internal: true }) job_order!: JsonObject;
  @Json({ internal: true }) job_place!: JsonObject;
  @Ref({ internal: true, optional: true }) readonly job_crawl!: string | null;
  @Whole({ internal: true, column: 'integer' }) job_attempt!: number;
  @Text({ internal: true, optional: true }) job_report!: string | null;
  @Text({ internal: true, optional: true }) job_object!: string | null;

  get isFinished(): boolean {
    return STATUSES.isFinal(this.status);
  }

  /** The work begins, or goes on in another worker; steps of one that was taken for lost count no more. */
  begin(clock: Clock): void {
    if (this.status !== 'running') {
      this.status = STATUSES.move(this.status, 'running');
      this.job_started = clock.now();
    }
    this.job_attempt += 1;
  }

  cancel(clock: Clock): void {
    if (this.isFinished) throw invalidState(`The job is ${this.status} already and cannot be cancelled.`);
    this.end('cancelled', clock);
  }

  /** One that got to its end has failed where all of its rows or pages did. */
  finish({ status, error = null, result = null, held_removes = 0 }: JobOutcome, clock: Clock): void {
    const counted = endOfWork({ done: this.done + this.removed, failed: this.failed });
    const nothingDone = status !== 'failed' && counted === 'failed';
    const reason = error ?? (nothingDone ? allFailed(this.failed, this.job_kind === 'crawl' ? 'page' : 'row') : null);
    this.error = reason?.slice(0, LONGEST_ERROR) ?? null;
    this.result = result;
    this.held_removes = held_removes;
    this.end(nothingDone ? counted : status, clock);
  }

  private end(status: JobStatus, clock: Clock): void {
    this.status = STATUSES.move(this.status, status);
    this.job_finished = clock.now();
    // What was asked for may be large, and nobody reads it again.
    this.job_order = {};
  }
}

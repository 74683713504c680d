import { Choice, Json, Ref, Resource, SteppedRow, Text, Whole, type WorkOutcome, type WorkStatus } from '@atrium/platform/database';
import type { Clock, EndOfWork, JsonObject } from '@atrium/platform/kernel';

export const JOB_KINDS = ['import', 'export', 'crawl'] as const;
export type JobKind = (typeof JOB_KINDS)[number];
/** What the work of a job comes to, besides what was done and what failed. */
export const JOB_COUNTS = ['created', 'updated', 'unchanged', 'removed'] as const;
export type JobCount = (typeof JOB_COUNTS)[number];

/** How the work ended. */
export interface JobOutcome extends WorkOutcome {
  readonly result?: JsonObject | null;
  readonly held_removes?: number;
}

/** Work on a base that everybody sees who sees the base. One that has finished never changes again. */
@Resource({ table: 'knowledge_job', sort: '-job_created' })
export class KnowledgeJob extends SteppedRow {
  @Choice(JOB_KINDS, { about: 'Kind of work.', example: 'import', filter: 'equals' }) readonly job_kind!: JobKind;
  @Ref({ about: 'The knowledge base.' }) readonly job_base!: string;
  @Whole({ about: 'Number of records created.', example: 4_900 }) created!: number;
  @Whole({ about: 'Number of records updated.', example: 88 }) updated!: number;
  @Whole({ about: 'Number of records that were already up to date.', example: 0 }) unchanged!: number;
  @Whole({ about: 'Number of records archived or deleted.', example: 0 }) removed!: number;
  @Whole({
    about: 'Number of records that would be removed but were kept, because they are too large a share of the base.',
    example: 0,
  })
  held_removes!: number;
  @Json({
    optional: true,
    about:
      'Result of an export; of a crawl, the site that it visited, how many pages were skipped, and whether `max_pages` was reached; null for other jobs.',
    example: null,
  })
  result!: JsonObject | null;
  @Json({ internal: true }) job_order!: JsonObject;
  @Ref({ internal: true, optional: true }) readonly job_crawl!: string | null;
  @Text({ internal: true, optional: true }) job_report!: string | null;
  @Text({ internal: true, optional: true }) job_object!: string | null;

  protected override get item(): string {
    return this.job_kind === 'crawl' ? 'page' : 'row';
  }

  protected override get doneInAll(): number {
    return this.done + this.removed;
  }

  /** A crawl is complete although pages are gone for good, which count as failed. */
  protected override endOf(status: EndOfWork): EndOfWork {
    return status;
  }

  override finish({ result = null, held_removes = 0, ...outcome }: JobOutcome, clock: Clock): void {
    this.result = result;
    this.held_removes = held_removes;
    super.finish(outcome, clock);
  }

  /** What was asked for may be large, and nobody reads it once the work has ended. */
  protected override end(status: WorkStatus, clock: Clock): void {
    super.end(status, clock);
    this.job_order = {};
  }

  /** A new one that has nothing but what it must have. */
  static blank(
    facts: Pick<KnowledgeJob, 'tenant_id' | 'job_id' | 'job_kind' | 'job_base' | 'job_created_by' | 'job_key' | 'job_order' | 'job_crawl'>,
    now: Date,
  ): KnowledgeJob {
    return Object.assign(new KnowledgeJob(), {
      status: 'queued' as const,
      done: 0,
      failed: 0,
      total: null,
      created: 0,
      updated: 0,
      unchanged: 0,
      removed: 0,
      held_removes: 0,
      error: null,
      result: null,
      job_started: null,
      job_finished: null,
      job_place: {},
      job_attempt: 0,
      job_report: null,
      job_object: null,
      job_created: now,
      ...facts,
    });
  }
}

import {
  Json,
  Ref,
  Resource,
  Stamp,
  Text,
  TrackedRow,
  WAITS_FOR_TEXT,
  Whole,
  type WorkOutcome,
  type WorkStatus,
} from '@atrium/platform/database';
import type { Clock, JsonObject } from '@atrium/platform/kernel';

/** A file that a job could not process, and why. */
export interface FileJobError {
  /** Null where there is no file yet, as of an import that failed. */
  readonly file_id: string | null;
  readonly code: string;
}

/** What one batch of a job came to; counts are those of this batch alone. */
export interface FileJobBatch {
  /** Where the next batch begins; null when there is nothing left. */
  readonly checkpoint: string | null;
  readonly done: number;
  readonly failed: number;
  readonly errors: readonly FileJobError[];
  /** What the job answers in the end, so far; a later batch may tell more. */
  readonly result?: JsonObject;
}

/** One text of what a job was asked for. */
export function textIn(params: JsonObject, name: string): string {
  const value = params[name];
  if (typeof value !== 'string') throw new Error(`The parameter ${name} of a file job is a text.`);
  return value;
}

/** The same; null where it was left out. */
export const optionalTextIn = (params: JsonObject, name: string): string | null =>
  params[name] === undefined || params[name] === null ? null : textIn(params, name);

/** How a job ended; the code is why it failed as a whole. */
export interface FileJobOutcome extends WorkOutcome {
  readonly code?: string;
}

const MOST_ERRORS = 100;

/**
 * Work on many files in batches. Counts and checkpoint move together, so a job that lost its worker goes on where its
 * last finished batch ended. A finished job never changes again.
 */
@Resource({ table: 'file_job', sort: '-job_created' })
export class FileJob extends TrackedRow {
  @Text({ about: 'Kind of work.', example: 'reindex' }) job_kind!: string;
  @Whole({ min: 0, about: 'Number of files done.', example: 420, column: 'integer' }) override done!: number;
  @Whole({ min: 0, about: 'Number of files that failed.', example: 0, column: 'integer' }) override failed!: number;
  @Text({ computed: true, optional: true, about: WAITS_FOR_TEXT, example: 'storage' }) waits_for!: string | null;
  @Json({
    optional: true,
    about: 'Result of the job, such as the file that an import created.',
    example: { file_id: '0197c6a2-7f00-7b1e-9f3a-0d4c8f1e2a3b' },
  })
  result!: JsonObject | null;
  @Stamp({ about: 'When it was last updated.' }) job_updated!: Date;

  // `GET /jobs` shows these.
  @Stamp({ internal: true, optional: true }) override job_started!: Date | null;
  @Stamp({ internal: true, optional: true }) override job_finished!: Date | null;
  @Ref({ internal: true, optional: true }) override readonly job_created_by!: string | null;
  @Json({ internal: true }) errors!: readonly FileJobError[];
  @Json({ internal: true }) job_params!: JsonObject;
  @Text({ internal: true, optional: true }) job_subject!: string | null;
  @Text({ internal: true, optional: true }) job_checkpoint!: string | null;

  protected override get noun(): string {
    return 'file job';
  }

  protected override get item(): string {
    return 'file';
  }

  override begin(clock: Clock): void {
    super.begin(clock);
    this.job_updated = clock.now();
  }

  /** A new one that has nothing but what it must have. */
  static blank(
    facts: Pick<FileJob, 'job_id' | 'job_kind' | 'total' | 'job_params' | 'job_subject' | 'job_created_by' | 'job_key'>,
    now: Date,
  ): FileJob {
    return Object.assign(new FileJob(), {
      status: 'queued' as const,
      done: 0,
      failed: 0,
      error: null,
      waits_for: null,
      result: null,
      errors: [],
      job_attempt: 0,
      job_checkpoint: null,
      job_created: now,
      job_updated: now,
      ...facts,
    });
  }

  /** A batch is done: what it came to counts, and the next one begins at its end; with the last one the job ends. */
  advance({ checkpoint, done, failed, errors, result }: FileJobBatch, clock: Clock): void {
    this.done += done;
    this.failed += failed;
    this.errors = [...this.errors, ...errors].slice(0, MOST_ERRORS);
    if (result) this.result = { ...this.result, ...result };
    this.job_checkpoint = checkpoint;
    this.job_updated = clock.now();
    if (checkpoint !== null) return;
    this.total = this.done + this.failed;
    this.finish({ status: 'completed' }, clock);
  }

  override finish({ code, ...outcome }: FileJobOutcome, clock: Clock): void {
    if (code !== undefined && this.errors.length === 0) this.errors = [{ file_id: null, code }];
    super.finish(outcome, clock);
  }

  /** What it was asked for may hold secrets, such as in an address: nobody needs it any more. */
  protected override end(status: WorkStatus, clock: Clock): void {
    super.end(status, clock);
    this.job_params = {};
    this.job_updated = clock.now();
  }
}

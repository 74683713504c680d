import { Choice, Id, Json, Ref, Stamp, Text, Whole } from '../fields';
import type { JsonObject } from '@atrium/platform/kernel';
import { TrackedState } from './tracked-state';
import { STATUS_TEXT, WORK_STATUSES, type WorkStatus } from './work-status';

/** The columns of a table of tracked work. A table adds its subject, further counts, and what was asked for. */
export abstract class TrackedRow extends TrackedState {
  @Id({ about: 'Id of the job.', filter: undefined }) readonly job_id!: string;
  @Choice(WORK_STATUSES, { about: STATUS_TEXT, example: 'queued', filter: 'equals' }) status!: WorkStatus;
  @Whole({ column: 'integer', about: 'Number of items done.', example: 0 }) done!: number;
  @Whole({ column: 'integer', about: 'Number of items that failed.', example: 0 }) failed!: number;
  @Whole({ column: 'integer', optional: true, about: 'Number of items in total; null while unknown.', example: 5_000 })
  total!: number | null;
  @Text({ optional: true, max: 1_000, about: 'Why it failed, or what did not go as expected.' }) error!: string | null;
  @Stamp({ about: 'When it was requested.', sort: true }) readonly job_created!: Date;
  @Stamp({ optional: true, about: 'When it started.' }) job_started!: Date | null;
  @Stamp({ optional: true, about: 'When it finished.' }) job_finished!: Date | null;
  @Ref({ optional: true, about: 'Member who requested it. Null if the service started it.' }) readonly job_created_by!: string | null;
  @Ref({ internal: true, optional: true }) readonly job_key!: string | null;
  @Whole({ internal: true, column: 'integer' }) job_attempt!: number;
}

/** The same where steps are counted one by one, from a place to the next. */
export abstract class SteppedRow extends TrackedRow {
  /** Where the next worker goes on. */
  @Json({ internal: true }) job_place!: JsonObject;
}

import {
  Choice,
  Flag,
  Id,
  Json,
  Nested,
  Ref,
  Stamp,
  STATUS_TEXT,
  Text,
  WAITS_FOR_TEXT,
  Whole,
  WORK_STATUSES,
} from '@atrium/platform/database';
import { Answer, PageOf } from './bodies';
import { acceptParameter, ListQuery } from './list-query';

@Answer()
class JobSubjectView {
  @Text({ about: 'Type of the resource.', example: 'knowledge_base' }) type!: string;
  @Ref({ about: 'Id of the resource.' }) id!: string;
}

/** Work in the background: the shape of every job, whichever operation started it. */
@Answer()
export class JobView {
  @Id({ about: 'Id of the job, as returned by the operation that started it.', filter: undefined }) job_id!: string;
  @Text({ about: 'Type of the job, `<context>.<kind>`.', example: 'identity.user-transfer', filter: 'equals' }) job_kind!: string;
  @Choice(WORK_STATUSES, { about: STATUS_TEXT, example: 'running', filter: 'equals' }) status!: string;
  @Whole({ about: 'Number of items done.', example: 420 }) done!: number;
  @Whole({ about: 'Number of items that failed.', example: 0 }) failed!: number;
  @Whole({ optional: true, about: 'Number of items in total; null while unknown.', example: 500 }) total!: number | null;
  @Text({ optional: true, about: 'Why the job failed, or what did not go as expected. Null if you may no longer see it.', example: null })
  error!: string | null;
  @Json({
    optional: true,
    about: 'Result of the job. Its fields depend on the kind of job. Null if you may no longer see it.',
    example: null,
  })
  result!: object | null;
  @Text({
    optional: true,
    about: WAITS_FOR_TEXT,
    example: null,
  })
  waits_for!: string | null;
  @Flag({ about: 'Whether the job lost its worker and waits for another one. It continues automatically.', example: false })
  stalled!: boolean;
  @Nested(() => JobSubjectView, { optional: true, about: 'Resource that the job works on; null if there is none.' })
  subject!: JobSubjectView | null;
  @Text({
    about: 'Path of the resource that shows the job in full.',
    format: 'uri-reference',
    example: '/api/v1/jobs/0197c6a2-7f00-7b1e-9f3a-0d4c8f1e2a3b',
  })
  href!: string;
  @Stamp({ about: 'When it was requested.', sort: true }) job_created!: string;
  @Stamp({
    optional: true,
    about: 'When it started; null before. Always null for privacy requests and file analyses, which do not record it.',
  })
  job_started!: string | null;
  @Stamp({ optional: true, about: 'When it ended; null before.' }) job_finished!: string | null;
  @Stamp({ about: 'When it was last updated.' }) job_updated!: string;
}

export class JobPage extends PageOf(JobView) {}

export class ListJobs extends ListQuery(JobView) {
  declare job_kind?: string;
  declare status?: string;
  subject?: string;
}
acceptParameter(ListJobs, { name: 'subject', kind: 'id', about: 'Jobs that work on this resource: its id.' });

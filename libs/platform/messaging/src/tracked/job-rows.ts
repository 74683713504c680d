import type { Principal } from '@atrium/platform/access';
import { join, raw, sql, type Precondition, type Sql, type WorkStatus } from '@atrium/platform/database';
import type { JsonObject } from '@atrium/platform/kernel';

/** What work is about. */
export interface JobSubject {
  readonly type: string;
  readonly id: string;
}

/** Work in the background, as every context shows it. */
export interface Job {
  readonly job_id: string;
  /** `<context>.<kind>`. */
  readonly job_kind: string;
  readonly status: WorkStatus;
  readonly done: number;
  readonly failed: number;
  readonly total: number | null;
  readonly error: string | null;
  readonly result: JsonObject | null;
  /** External service that it waits for. */
  readonly waits_for: string | null;
  /** Its worker was lost, and no other one has gone on yet. */
  readonly stalled: boolean;
  readonly subject: JobSubject | null;
  /** Path of the resource at which its context shows the work in full. */
  readonly href: string;
  readonly job_created: string;
  readonly job_started: string | null;
  readonly job_finished: string | null;
  readonly job_updated: string;
}

const COLUMNS = {
  job_id: sql`r.job_id`,
  status: sql`r.status`,
  done: sql`r.done`,
  failed: sql`r.failed`,
  total: sql`r.total`,
  error: sql`r.error`,
  result: sql`NULL::jsonb`,
  job_created: sql`r.job_created`,
  job_started: sql`r.job_started`,
  job_finished: sql`r.job_finished`,
  job_updated: sql`coalesce(r.job_finished, r.job_started, r.job_created)`,
  /** When a worker last showed that it is alive, where the row says so. */
  beat: sql`NULL::timestamptz`,
} as const satisfies Readonly<Record<string, Sql>>;

type JobColumn = keyof typeof COLUMNS;

/** Rows `r` of one table that one caller may see, as jobs. */
export interface JobRows {
  readonly from: Sql;
  readonly where: Sql;
  readonly job_kind: Sql;
  /** The condition that a row is of the kind, where an index is to serve it; `job_kind` is compared otherwise. */
  readonly isOfKind?: (kind: string) => Sql;
  /** The queue that works on them, by the id of the row or by another key; null where the job of the queue has the id of the row. */
  readonly queue: { readonly name: Sql; readonly key?: Sql } | null;
  readonly subject: { readonly type: Sql; readonly id: Sql } | null;
  readonly href: Sql;
  /** Columns that are not called as in every table of tracked work. */
  readonly columns?: Partial<Readonly<Record<JobColumn, Sql>>>;
}

/**
 * Port: the jobs of one table. Each context registers its own with the directory; the member who requested work sees it, and everyone may see
 * what it is about.
 */
export interface JobSource {
  /** Whether a row may be of the kind. */
  mayShow(kind: string): boolean;
  /** Sets of rows that the caller may see; no row is in two of them. Each is read in the order of an index by `job_created`. */
  rowsFor(caller: Principal): readonly JobRows[];
  /** Cancels a job that the caller sees, within the unit of work, once its row is locked; one that has finished in the meantime is left alone. */
  cancelJob(caller: Principal, job_id: string, precondition?: Precondition): Promise<void>;
}

const TYPES: Readonly<Partial<Record<JobColumn, string>>> = { done: '::bigint', failed: '::bigint', total: '::bigint' };

/** The columns of a job over the rows, in one order for all sources; `position` is that of the source. */
export function columnsOfJobs(position: number, rows: JobRows): Sql {
  const columns = { ...COLUMNS, ...rows.columns };
  const stored = (Object.keys(COLUMNS) as JobColumn[]).map(
    (name) => sql`(${columns[name]})${raw(TYPES[name] ?? '')} AS ${raw(`"${name}"`)}`,
  );
  return join([
    sql`${raw(String(position))} AS source`,
    ...stored,
    sql`${rows.job_kind} AS job_kind`,
    sql`(${rows.queue?.name ?? sql`NULL`})::text AS queue`,
    sql`${rows.queue?.key ?? sql`(${columns.job_id})::text`} AS queue_key`,
    sql`(${rows.subject?.type ?? sql`NULL`})::text AS subject_type`,
    sql`(${rows.subject?.id ?? sql`NULL`})::uuid AS subject_id`,
    sql`${rows.href} AS href`,
  ]);
}

/** The place of a row in the order of all jobs, as its own table has it. */
export const orderOfJobs = ({ columns = {} }: JobRows): { readonly created: Sql; readonly id: Sql } => ({
  created: columns.job_created ?? COLUMNS.job_created,
  id: columns.job_id ?? COLUMNS.job_id,
});

/** The condition of a filter on the rows of a source. */
export const statusOfJobs = ({ columns = {} }: JobRows): Sql => columns.status ?? COLUMNS.status;

/** The path of a job that has no other route. */
export const hrefOfJob = (job_id: Sql): Sql => sql`'/api/v1/jobs/' || ${job_id}`;

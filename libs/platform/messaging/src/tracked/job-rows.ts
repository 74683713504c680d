import type { Principal } from '@atrium/platform/access';
import { empty, join, raw, sql, type Precondition, type Sql, type WorkStatus } from '@atrium/platform/database';
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

/** Rows `r` of one table as jobs, and what decides who sees them. */
export interface JobRows {
  readonly from: Sql;
  /** Which rows are jobs of the workspace, for every caller. */
  readonly where: Sql;
  /** The column that says who requested a row; null where nobody did. */
  readonly requester: Sql | null;
  /** Whether the caller has a permission for work of the kind. */
  readonly permitted: Sql | boolean;
  /** The subjects that the caller may see, by a condition on the row: others see the work as well. Null: only the requester sees it. */
  readonly subjects: Sql | 'all' | null;
  readonly job_kind: Sql;
  /** The condition that a row is of the kind, where an index is to serve it; `job_kind` is compared otherwise. */
  readonly isOfKind?: (kind: string) => Sql;
  /** The queue that works on them, by the id of the row or by another key; null where the job of the queue has the id of the row. */
  readonly queue: { readonly name: Sql; readonly key?: Sql } | null;
  readonly subject: { readonly type: Sql; readonly id: Sql } | null;
  readonly href: Sql;
  /** Conditions on a row in the words of partial indexes, where its status is stored otherwise. */
  readonly states?: Partial<JobStates>;
  /** Columns that are not called as in every table of tracked work. */
  readonly columns?: Partial<Readonly<Record<JobColumn, Sql>>>;
}

interface JobStates {
  readonly unfinished: Sql;
  /** Failed or partial. */
  readonly failing: Sql;
}

/**
 * Port: the jobs of one table. Each context registers its own with the directory, which decides who sees them: the member who requested the work,
 * and everyone who may see its subject.
 */
export interface JobSource {
  /** Whether a row may be of the kind. */
  mayShow(kind: string): boolean;
  /** Sets of rows of the workspace; no row is in two of them. Each is read in the order of an index by `job_created`. */
  rowsFor(caller: Principal): readonly JobRows[];
  /** Cancels a job that the caller sees, within the unit of work, once its row is locked; one that has finished in the meantime is left alone. */
  cancelJob(caller: Principal, job_id: string, precondition?: Precondition): Promise<void>;
}

/** Rows that the caller sees, and whether they may read what the work came to; null: always. */
export interface ShownRows {
  readonly rows: JobRows;
  readonly where: Sql;
  readonly readable: Sql | null;
}

/** Who requests work, in the column of the requester: a member, or a key that belongs to nobody. */
export const requesterOf = ({ user_id, key_id }: { readonly user_id: string | null; readonly key_id: string | null }): string | null =>
  user_id ?? key_id;

/**
 * The rule of ADR 61: the member who requested work sees it whatever rights they have left, and what it came to while they have a permission of
 * its kind and may see its subject; a key needs the permission in any case. Everyone else sees the work whose subject they may see.
 */
export function rowsShownTo(caller: Principal, rows: JobRows): readonly ShownRows[] {
  const { requester, permitted, subjects } = rows;
  const open = subjects === null || subjects === 'all' ? sql`true` : subjects;
  const may = typeof permitted === 'boolean' ? raw(String(permitted)) : permitted;
  const shown: ShownRows[] = [];
  if (permitted === true && subjects === 'all') return [{ rows, where: rows.where, readable: null }];
  const isOwn = requester && sql`${requester} = ${requesterOf(caller)}::uuid`;
  if (isOwn && (caller.key_id === null || permitted !== false)) {
    const where =
      caller.key_id === null || permitted === true ? sql`${rows.where} AND ${isOwn}` : sql`${rows.where} AND ${isOwn} AND ${may}`;
    const readable = permitted === true && subjects === null ? null : sql`(${may} AND ${open})`;
    shown.push({ rows, where, readable });
  }
  if (subjects !== null && permitted !== false) {
    const ofOthers = requester ? sql`AND ${requester} IS DISTINCT FROM ${requesterOf(caller)}::uuid` : empty;
    shown.push({ rows, where: sql`${rows.where} ${ofOthers} AND ${may} AND ${open}`, readable: null });
  }
  return shown;
}

/** What work came to, and why. */
const CONTENT: ReadonlySet<JobColumn> = new Set(['error', 'result']);
const STATES: JobStates = { unfinished: sql`r.status IN ('queued', 'running')`, failing: sql`r.status IN ('failed', 'partial')` };
const TYPES: Readonly<Partial<Record<JobColumn, string>>> = { done: '::bigint', failed: '::bigint', total: '::bigint' };

/** The columns of a job over the rows, in one order for all sets; `position` is that of the set. */
export function columnsOfJobs(position: number, { rows, readable }: Pick<ShownRows, 'rows' | 'readable'>): Sql {
  const columns = { ...COLUMNS, ...rows.columns };
  const stored = (Object.keys(COLUMNS) as JobColumn[]).map((name) => {
    const column = sql`(${columns[name]})${raw(TYPES[name] ?? '')}`;
    const shown = readable && CONTENT.has(name) ? sql`CASE WHEN ${readable} THEN ${column} END` : column;
    return sql`${shown} AS ${raw(`"${name}"`)}`;
  });
  return join([
    sql`${raw(String(position))} AS position`,
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

/** The condition that a job has the status, with that of the partial index that has such rows. */
export function hasStatus({ columns = {}, states = {} }: JobRows, status: string): Sql {
  const condition = sql`${columns.status ?? COLUMNS.status} = ${status}`;
  if (status === 'queued' || status === 'running') return sql`${states.unfinished ?? STATES.unfinished} AND ${condition}`;
  if (status === 'failed' || status === 'partial') return sql`${states.failing ?? STATES.failing} AND ${condition}`;
  return condition;
}

/** The path of a job that has no other route. */
export const hrefOfJob = (job_id: Sql): Sql => sql`'/api/v1/jobs/' || ${job_id}`;

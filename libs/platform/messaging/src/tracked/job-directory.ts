import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import {
  assertCurrent,
  Database,
  decodeCursor,
  DEFAULT_LIMIT,
  empty,
  encodeCursor,
  isLargePage,
  join,
  MAX_LIMIT,
  pageBytesOf,
  raw,
  RowBudget,
  sql,
  versionOf,
  type ListParameters,
  type Page,
  type Precondition,
  type Sql,
  type UnitOfWork,
  type Versioned,
} from '@atrium/platform/database';
import { notFound } from '@atrium/platform/kernel';
import { columnsOfJobs, hasStatus, orderOfJobs, rowsShownTo, type Job, type JobRows, type JobSource, type ShownRows } from './job-rows';

/** Which jobs are asked for. */
export interface JobQuery extends ListParameters {
  readonly job_kind?: string | undefined;
  readonly status?: string | undefined;
  /** Id of what the work is about. */
  readonly subject?: string | undefined;
}

interface FoundJob extends Omit<Job, 'subject'>, Record<string, unknown> {
  readonly position: number;
  readonly subject_type: string | null;
  readonly subject_id: string | null;
}

/** A worker that goes on shows it this often at least. */
const BEAT_SECONDS = 60;
const NEWEST = '-job_created';

/**
 * All background work of a workspace in one shape, whichever table it is in. Every list is one statement: a page of each table in the
 * order of its index, and of these the first.
 */
@Injectable()
export class JobDirectory {
  private readonly sources: JobSource[] = [];

  constructor(private readonly db: Database) {}

  register(source: JobSource): void {
    this.sources.push(source);
  }

  /** The jobs that the caller requested or whose subject they may see. */
  list(caller: Principal, query: JobQuery): Promise<Page<Job>> {
    const sort = query.sort === 'job_created' ? 'job_created' : NEWEST;
    const limit = Math.min(query.limit ?? DEFAULT_LIMIT, MAX_LIMIT);
    const position = decodeCursor(query.cursor, sort);
    const offset = position ? 0 : (query.offset ?? 0);
    const descending = sort === NEWEST;
    const read = async (tx: UnitOfWork): Promise<Page<Job>> => {
      const found = await this.findPage(tx, this.shownTo(caller, query.job_kind), {
        kind: query.job_kind,
        descending,
        limit,
        offset,
        condition: (rows) => {
          const { created, id } = orderOfJobs(rows);
          return [
            query.status === undefined ? empty : sql`AND ${hasStatus(rows, query.status)}`,
            query.subject === undefined ? empty : sql`AND ${rows.subject?.id ?? sql`NULL`}::uuid = ${query.subject}::uuid`,
            position
              ? sql`AND (${created}, ${id}) ${raw(descending ? '<' : '>')} (${position.key}::timestamptz, ${position.id}::uuid)`
              : empty,
          ];
        },
      });
      const has_more = found.isCut || found.rows.length > limit;
      const rows = found.rows.slice(0, limit);
      const last = rows.at(-1);
      return {
        data: rows.map(shownJob),
        has_more,
        next_cursor: has_more && last ? encodeCursor({ sort, key: last.job_created, id: last.job_id }) : null,
      };
    };
    return isLargePage(query) ? this.db.readMany(read) : this.db.read(read);
  }

  /** A job that the caller requested or whose subject they may see. Its version is its state: counts grow by themselves. */
  get(caller: Principal, job_id: string): Promise<Job & Versioned> {
    return this.db.read(async (tx) => versioned((await this.findOne(tx, caller, job_id)).row));
  }

  /** Stops the job at its next checkpoint; what it has done stays, and a finished one is left alone. */
  cancel(caller: Principal, job_id: string, precondition?: Precondition): Promise<Job & Versioned> {
    return this.db.write(async (tx) => {
      const { row, source } = await this.findOne(tx, caller, job_id);
      assertCurrent(precondition, versionOf(row.status), 'job');
      if (row.status !== 'queued' && row.status !== 'running') return versioned(row);
      await source.cancelJob(caller, job_id, precondition);
      return versioned((await this.findOne(tx, caller, job_id)).row);
    });
  }

  /** What the caller sees of all tables, or of those that may have the kind. */
  private shownTo(caller: Principal, kind?: string): readonly Shown[] {
    return this.sources.flatMap((source) =>
      kind === undefined || source.mayShow(kind)
        ? source.rowsFor(caller).flatMap((rows) => rowsShownTo(caller, rows).map((shown) => ({ ...shown, source })))
        : [],
    );
  }

  private async findOne(
    tx: UnitOfWork,
    caller: Principal,
    job_id: string,
  ): Promise<{ readonly row: FoundJob; readonly source: JobSource }> {
    const sets = this.shownTo(caller);
    const found = sets.map(
      (shown, at) =>
        sql`(SELECT ${columnsOfJobs(at, shown)} FROM ${shown.rows.from} WHERE ${shown.where} AND ${orderOfJobs(shown.rows).id} = ${job_id}::uuid)`,
    );
    const row = sets.length > 0 && (await tx.first<FoundJob>(withQueue(sql`(${join(found, ' UNION ALL ')} LIMIT 1)`)));
    const source = row && sets[row.position]?.source;
    if (!row || !source) throw notFound('job');
    return { row, source };
  }

  /** Places are sorted and cut before their rows are read, so that rows that are passed over cost little. */
  private async findPage(
    tx: UnitOfWork,
    sets: readonly Shown[],
    { kind, descending, limit, offset, condition }: Wanted,
  ): Promise<{ readonly rows: readonly FoundJob[]; readonly isCut: boolean }> {
    if (sets.length === 0) return { rows: [], isCut: false };
    const direction = raw(descending ? 'DESC' : 'ASC');
    const most = limit + 1;
    const places = sets.map(({ rows, where }, at) => {
      const { created, id } = orderOfJobs(rows);
      const wanted = kind === undefined ? empty : sql`AND ${rows.isOfKind?.(kind) ?? sql`${rows.job_kind} = ${kind}`}`;
      return sql`(SELECT ${raw(String(at))} AS position, ${id} AS job_id, ${created} AS job_created FROM ${rows.from} WHERE ${where} ${wanted} ${join(condition(rows), ' ')}
        ORDER BY ${created} ${direction}, ${id} ${direction} LIMIT ${most + offset})`;
    });
    const jobs = sets.map(
      (shown, at) => sql`SELECT ${columnsOfJobs(at, shown)} FROM ${shown.rows.from}
        WHERE p.position = ${raw(String(at))} AND ${shown.rows.where} AND ${orderOfJobs(shown.rows).id} = p.job_id`,
    );
    const page = sql`(SELECT a.* FROM (${join(places, ' UNION ALL ')}) a ORDER BY a.job_created ${direction}, a.job_id ${direction} LIMIT ${most} OFFSET ${offset}) p
      CROSS JOIN LATERAL (${join(jobs, ' UNION ALL ')})`;
    const budget = new RowBudget(most, pageBytesOf(limit));
    const rows = await tx.query<FoundJob>(sql`${withQueue(page)} ORDER BY j.job_created ${direction}, j.job_id ${direction}`, [], budget);
    return { rows, isCut: budget.isCut };
  }
}

interface Shown extends ShownRows {
  readonly source: JobSource;
}

/** Jobs `j`, with what the queue says of those that have not finished. */
const withQueue = (jobs: Sql): Sql => sql`
  SELECT j.position, j.job_id, j.job_kind, j.status, j.done, j.failed, j.total, j.error, j.result, w.ev_waits_for AS waits_for,
    j.status = 'running' AND (coalesce(j.beat < now() - ${BEAT_SECONDS} * interval '1 second', false) OR coalesce(w.ev_waiting_since IS NOT NULL AND w.ev_waits_for IS NULL AND w.ev_sent IS NULL, false)) AS stalled,
    j.subject_type, j.subject_id, j.href, j.job_created, j.job_started, j.job_finished, j.job_updated
  FROM ${jobs} j
  LEFT JOIN LATERAL (
    SELECT o.ev_waits_for, o.ev_waiting_since, o.ev_sent FROM outbox o
    WHERE o.tenant_id = current_tenant() AND o.ev_kind = 'job' AND o.ev_name = j.queue AND o.ev_key = j.queue_key AND o.ev_done IS NULL
    UNION ALL
    SELECT o.ev_waits_for, o.ev_waiting_since, o.ev_sent FROM outbox o WHERE o.tenant_id = current_tenant() AND o.ev_id = j.job_id AND j.queue IS NULL AND o.ev_done IS NULL
    LIMIT 1
  ) w ON j.status IN ('queued', 'running')`;

interface Wanted {
  readonly kind?: string | undefined;
  readonly descending: boolean;
  readonly limit: number;
  /** How many jobs are passed over. */
  readonly offset: number;
  readonly condition: (rows: JobRows) => readonly Sql[];
}

function shownJob({ position: _, subject_type: type, subject_id: id, ...job }: FoundJob): Job {
  return { ...job, subject: type === null || id === null ? null : { type, id } };
}

const versioned = (row: FoundJob): Job & Versioned => ({ ...shownJob(row), row_version: versionOf(row.status) });

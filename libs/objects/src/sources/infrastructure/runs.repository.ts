import { Injectable } from '@nestjs/common';
import { columnsOf, Database, listPage, requireScope, sql, type ListParameters, type Page, type Sql } from '@atrium/platform/database';
import { SteppedRepository, type WorkStep } from '@atrium/platform/messaging';
import { RUN_COUNTS, SyncRun, type RunCount } from '../domain/sync-run';

/** A run as it is read. */
export type RunRow = Omit<
  SyncRun,
  | 'tenant_id'
  | 'row_version'
  | 'job_key'
  | 'job_started'
  | 'job_finished'
  | 'job_attempt'
  | 'force_deletes'
  | 'place'
  | 'attempt'
  | 'beat'
  | 'isFinished'
  | 'begin'
  | 'cancel'
  | 'finish'
> & { readonly stalled: boolean };

/** What a step of a run came to. */
export type RunStep = WorkStep<RunCount>;

/** A worker that goes on shows it this often at least. */
const BEAT_SECONDS = 60;
const STALLED = sql`(r.status = 'running' AND r.beat < now() - ${BEAT_SECONDS} * interval '1 second') AS stalled`;

/** The runs of sources. */
@Injectable()
export class RunsRepository extends SteppedRepository<SyncRun, RunCount> {
  constructor(db: Database) {
    super(db, SyncRun, {
      noun: 'run',
      counts: RUN_COUNTS,
      columns: { attempt: 'attempt', place: 'place', finished: 'finished', beat: 'beat' },
    });
  }

  listRuns(osr_id: string, query: ListParameters): Promise<Page<RunRow>> {
    return listPage<RunRow>(this.db.current(), SyncRun, query, { where: sql`r.job_source = ${osr_id}`, select: STALLED });
  }

  findRunRow(osr_id: string, job_id: string): Promise<RunRow | undefined> {
    return this.db
      .current()
      .first<RunRow & Record<string, unknown>>(
        sql`SELECT ${columnsOf(SyncRun)}, ${STALLED} FROM object_sync_run r WHERE ${one(job_id)} AND r.job_source = ${osr_id}`,
      );
  }

  /** The run of a source that has not finished. */
  async findOpenRun(osr_id: string): Promise<{ readonly job_id: string } | undefined> {
    return this.db
      .current()
      .first(
        sql`SELECT r.job_id FROM object_sync_run r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.job_source = ${osr_id} AND r.status IN ('queued', 'running')`,
      );
  }

  /** How many runs the condition on `r` selects, and when the oldest finished. */
  async countDue(due: Sql): Promise<{ readonly rows: number; readonly oldest: string | null }> {
    const row = await this.db
      .current()
      .first<{ rows: number; oldest: string | null }>(
        sql`SELECT count(*) AS rows, min(r.finished) AS oldest FROM object_sync_run r WHERE ${due}`,
      );
    return row ?? { rows: 0, oldest: null };
  }

  /** Removes runs that the condition on `r` selects, those that finished first, at most so many; how many it removed. */
  deleteDue(due: Sql, most: number): Promise<number> {
    return this.db.current().execute(sql`
      DELETE FROM object_sync_run d USING (SELECT r.job_id FROM object_sync_run r WHERE ${due} ORDER BY r.finished, r.job_id LIMIT ${most} FOR UPDATE) x
      WHERE d.tenant_id = ${requireScope().tenant_id} AND d.job_id = x.job_id`);
  }

  /** Cancels the run of a source that goes; its worker finds out at its next step. */
  cancelOf(osr_id: string, reason: string): Promise<void> {
    return this.cancelAll(sql`r.job_source = ${osr_id}`, reason);
  }
}

const one = (job_id: string): Sql => sql`r.tenant_id = ${requireScope().tenant_id} AND r.job_id = ${job_id}`;

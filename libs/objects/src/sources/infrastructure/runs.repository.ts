import { Injectable } from '@nestjs/common';
import {
  columnsOf,
  Database,
  listPage,
  requireScope,
  ResourceRepository,
  sql,
  type ListParameters,
  type Page,
  type Sql,
} from '@atrium/platform/database';
import { SyncRun, type RunPlace } from '../domain/sync-run';

/** A run as it is read. */
export type RunRow = Omit<
  SyncRun,
  'tenant_id' | 'row_version' | 'job_key' | 'force_deletes' | 'place' | 'attempt' | 'beat' | 'isFinished' | 'begin' | 'cancel' | 'finish'
> & { readonly stalled: boolean };

/** What a step has done. */
export interface RunStep {
  readonly done?: number;
  readonly failed?: number;
  readonly created?: number;
  readonly updated?: number;
  readonly unchanged?: number;
  readonly deactivated?: number;
  readonly conflicts?: number;
  readonly held_deletes?: number;
  readonly total?: number | null;
  readonly place?: RunPlace;
}

/** The run was cancelled, or another worker has it: what the step did does not count. */
export class RunEnded extends Error {
  constructor() {
    super('The run has ended.');
    this.name = 'RunEnded';
  }
}

/** A worker that goes on shows it this often at least. */
const BEAT_SECONDS = 60;
const STALLED = sql`(r.status = 'running' AND r.beat < now() - ${BEAT_SECONDS} * interval '1 second') AS stalled`;

/** The runs of sources. */
@Injectable()
export class RunsRepository extends ResourceRepository<SyncRun> {
  constructor(db: Database) {
    super(db, SyncRun, 'run');
  }

  page(osr_id: string, query: ListParameters): Promise<Page<RunRow>> {
    return listPage<RunRow>(this.db.current(), SyncRun, query, { where: sql`r.job_source = ${osr_id}`, select: STALLED });
  }

  row(osr_id: string, job_id: string): Promise<RunRow | undefined> {
    return this.db
      .current()
      .first<RunRow & Record<string, unknown>>(
        sql`SELECT ${columnsOf(SyncRun)}, ${STALLED} FROM object_sync_run r WHERE ${one(job_id)} AND r.job_source = ${osr_id}`,
      );
  }

  /** The run of a source that has not finished. */
  async open(osr_id: string): Promise<{ readonly job_id: string } | undefined> {
    return this.db
      .current()
      .first(
        sql`SELECT r.job_id FROM object_sync_run r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.job_source = ${osr_id} AND r.status IN ('queued', 'running')`,
      );
  }

  /** Counts a step in, within its unit of work. Once the run has ended or has gone to another worker the step is undone. */
  async advance({ job_id, attempt }: Pick<SyncRun, 'job_id' | 'attempt'>, step: RunStep): Promise<void> {
    const {
      done = 0,
      failed = 0,
      created = 0,
      updated = 0,
      unchanged = 0,
      deactivated = 0,
      conflicts = 0,
      held_deletes = 0,
      total,
      place = {},
    } = step;
    const counted = await this.db.current().execute(sql`
      UPDATE object_sync_run r SET done = r.done + ${done}::integer, failed = r.failed + ${failed}::integer, created = r.created + ${created}::integer, updated = r.updated + ${updated}::integer,
        unchanged = r.unchanged + ${unchanged}::integer, deactivated = r.deactivated + ${deactivated}::integer, conflicts = r.conflicts + ${conflicts}::integer, held_deletes = r.held_deletes + ${held_deletes}::integer,
        total = coalesce(${total ?? null}::integer, r.total), place = r.place || ${JSON.stringify(place)}::jsonb, beat = now()
      WHERE ${one(job_id)} AND r.status = 'running' AND r.attempt = ${attempt}`);
    if (counted === 0) throw new RunEnded();
  }

  /** Ends the run of a source that goes; its worker finds out at its next step. */
  async endOf(osr_id: string, reason: string): Promise<void> {
    await this.db.current().execute(sql`
      UPDATE object_sync_run r SET status = 'cancelled', error = ${reason}, finished = now(), row_version = r.row_version + 1
      WHERE r.tenant_id = ${requireScope().tenant_id} AND r.job_source = ${osr_id} AND r.status IN ('queued', 'running')`);
  }
}

const one = (job_id: string): Sql => sql`r.tenant_id = ${requireScope().tenant_id} AND r.job_id = ${job_id}`;

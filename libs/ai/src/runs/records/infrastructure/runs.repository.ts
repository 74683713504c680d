import { Injectable } from '@nestjs/common';
import { columnsOf, Database, requireScope, ResourceRepository, sql } from '@atrium/platform/database';
import { Run } from '../domain/run';

type Internal =
  | 'tenant_id'
  | 'row_version'
  | `run_${'reason' | 'key' | 'options' | 'input' | 'sources' | 'hold' | 'checkpoint' | 'losses' | 'alive' | 'stop_requested' | 'kept_parts' | 'pending_tokens' | 'pending_output' | 'due'}`
  | 'isOver';

/** A run as clients see it. */
export type RunRow = { readonly [K in keyof Omit<Run, Internal> as Run[K] extends Function ? never : K]: Run[K] };

/** The progress of a run between two commits. */
export interface Sign {
  readonly attempt: number;
  readonly checkpoint: string | null;
  readonly pending_tokens: number;
  readonly pending_output: number;
}

/** The runs of a workspace. */
@Injectable()
export class RunsRepository extends ResourceRepository<Run> {
  constructor(db: Database) {
    super(db, Run, 'run');
  }

  findRunRow(run_id: string): Promise<RunRow | undefined> {
    return this.db
      .current()
      .first<RunRow & Record<string, unknown>>(
        sql`SELECT ${columnsOf(Run)} FROM run r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.run_id = ${run_id}`,
      );
  }

  /** How many runs are at work, of one person and of the workspace. Claims of a workspace take turns from here to their commit. */
  async countRunsAtWork(user: string | null): Promise<{ readonly ofUser: number; readonly ofWorkspace: number }> {
    const { tenant_id } = requireScope();
    const tx = this.db.current();
    await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`${tenant_id}/runs`}, 0))`);
    const row = await tx.first<{ ofUser: number; ofWorkspace: number }>(sql`
      SELECT count(*) FILTER (WHERE r.run_user = ${user}::uuid)::integer AS "ofUser", count(*)::integer AS "ofWorkspace"
      FROM run r WHERE r.tenant_id = ${tenant_id} AND r.run_status = 'running'`);
    return row ?? { ofUser: 0, ofWorkspace: 0 };
  }

  /** A sign of life of the attempt that has the run: whether it is to stop; null where another has it, or nobody. */
  async recordHeartbeat(
    run_id: string,
    { attempt, checkpoint, pending_tokens, pending_output }: Sign,
  ): Promise<{ readonly stop: boolean } | null> {
    const row = await this.db.current().first<{ stop: boolean }>(sql`
      UPDATE run r SET run_alive = now(), run_checkpoint = coalesce(${checkpoint}, r.run_checkpoint), run_pending_tokens = ${pending_tokens},
        run_pending_output = ${pending_output}
      WHERE r.tenant_id = ${requireScope().tenant_id} AND r.run_id = ${run_id} AND r.run_attempt = ${attempt} AND r.run_status = 'running'
      RETURNING r.run_stop_requested AS stop`);
    return row ?? null;
  }

  /** Notes the credits that are set aside for a run that the unit of work has locked. */
  async holdCredits(run_id: string, hold_id: string): Promise<void> {
    await this.db
      .current()
      .execute(sql`UPDATE run r SET run_hold = ${hold_id} WHERE r.tenant_id = ${requireScope().tenant_id} AND r.run_id = ${run_id}`);
  }

  /** Of the named runs that are there: why each is tainted, null where it is not. */
  async findTaints(run_ids: readonly string[]): Promise<ReadonlyMap<string, string | null>> {
    if (run_ids.length === 0) return new Map();
    const rows = await this.db
      .current()
      .query<{ run_id: string; run_tainted: string | null }>(
        sql`SELECT r.run_id, r.run_tainted FROM run r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.run_id = ANY(${[...run_ids]}::uuid[])`,
      );
    return new Map(rows.map(({ run_id, run_tainted }) => [run_id, run_tainted]));
  }

  /** Runs that came to a standstill, of all workspaces. */
  findOverdue(most: number): Promise<{ readonly tenant_id: string; readonly run_id: string }[]> {
    return this.db.queryAcrossTenants<{ tenant_id: string; run_id: string }>('SELECT * FROM ai_overdue_runs($1)', [most]);
  }
}

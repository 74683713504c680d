import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql, type Sql } from '@atrium/platform/database';
import type { JsonObject, OutsidePart } from '@atrium/platform/kernel';
import { BackgroundJobs } from './background-jobs';
import type { JobDefinition } from './job-definition';
import type { JobEnvelope } from './job-envelope';

const MAX_REASON = 1_000;
const MAX_COVERED = 5_000;

/** How a job has waited so far: for an external service, or because its workers ended. */
export interface Waited {
  /** How often. */
  readonly waits: number;
  /** How long ago it began to wait for the first time; 0 if it never did. */
  readonly waitedMs: number;
}

/** A run that may begin. */
export interface Begun extends Waited {
  /** The jobs of the same key that had been asked for by then: their changes are there for the run to see, so it is theirs too. */
  readonly covered: readonly string[];
}

const WAITED = sql`ev_waits AS waits, coalesce(extract(epoch FROM clock_timestamp() - ev_waiting_since) * 1000, 0)::double precision AS "waitedMs"`;

/** The outcome of each job, in its outbox row and, for background jobs, in the customer's row. The queue itself keeps nothing. */
@Injectable()
export class JobLedger {
  constructor(
    private readonly db: Database,
    private readonly background: BackgroundJobs,
  ) {}

  /** The run that begins; undefined when the job is already done, was cancelled, or waits for its workspace. */
  async begin({ name, always }: Pick<JobDefinition<object>, 'name' | 'always'>, envelope: JobEnvelope): Promise<Begun | undefined> {
    const row = await this.db.read((tx) =>
      tx.first<Begun & { at_work: boolean }>(
        sql`SELECT workspace_at_work() AS at_work, ${coveredBy(name, envelope)} AS covered, ${WAITED}
            FROM outbox WHERE tenant_id = ${requireScope().tenant_id} AND ev_id = ${envelope.job_id} AND ev_done IS NULL AND ev_parked IS NULL`,
      ),
    );
    if (!row || (!row.at_work && !always && (await this.park(envelope)))) return undefined;
    if (!envelope.tracked || (await this.background.begin(envelope.job_id))) return row;
    await this.close([envelope.job_id], null);
    return undefined;
  }

  /** Lays the job aside until its workspace is resumed; false when it has been resumed already. */
  private async park({ job_id }: JobEnvelope): Promise<boolean> {
    const row = await this.db.write((tx) => tx.first<{ parked: boolean }>(sql`SELECT outbox_park(${job_id}) AS parked`));
    return row?.parked ?? false;
  }

  /** How a job that is not done has waited so far; undefined where it is done. */
  waited({ job_id }: JobEnvelope): Promise<Waited | undefined> {
    const { tenant_id } = requireScope();
    return this.db.read((tx) =>
      tx.first<Waited>(sql`SELECT ${WAITED} FROM outbox WHERE tenant_id = ${tenant_id} AND ev_id = ${job_id} AND ev_done IS NULL`),
    );
  }

  /** The job runs again after the pause, with all of its attempts; its member sees what it waits for, where that is a part outside. */
  async postpone({ job_id }: JobEnvelope, part: OutsidePart | null, pauseMs: number): Promise<void> {
    await this.db.write((tx) => tx.query(sql`SELECT outbox_postpone(${job_id}, ${part}, ${pauseMs / 1_000})`));
  }

  async succeeded(envelope: JobEnvelope, { covered }: Begun, result: JsonObject | null): Promise<void> {
    await this.db.write(async () => {
      if (envelope.tracked) await this.background.complete(envelope.job_id, result);
      await this.close([envelope.job_id, ...covered], null);
    });
  }

  /** Those who waited for the run have a run of their own. */
  async failed(envelope: JobEnvelope, reason: string): Promise<void> {
    await this.db.write(async () => {
      if (envelope.tracked) await this.background.fail(envelope.job_id, reason.slice(0, MAX_REASON));
      await this.close([envelope.job_id], reason.slice(0, MAX_REASON));
    });
  }

  private async close(jobs: readonly string[], reason: string | null): Promise<void> {
    const { tenant_id } = requireScope();
    await this.db.write((tx) =>
      tx.execute(
        sql`UPDATE outbox SET ev_done = clock_timestamp(), ev_error = ${reason} WHERE tenant_id = ${tenant_id} AND ev_id = ANY (${jobs}::uuid[]) AND ev_done IS NULL`,
      ),
    );
  }
}

/** What waits for the end of the run that begins, due by now. A background job is never among them: its customer watches a row of its own. */
function coveredBy(queue: string, { tenant_id, job_id, key }: JobEnvelope): Sql {
  if (key === job_id) return sql`'{}'::uuid[]`;
  return sql`ARRAY(
    SELECT w.ev_id FROM outbox w
    WHERE w.tenant_id = ${tenant_id} AND w.ev_kind = 'job' AND w.ev_name = ${queue} AND w.ev_key = ${key} AND w.ev_sent IS NULL AND w.ev_done IS NULL AND w.ev_parked IS NULL
      AND w.ev_due <= clock_timestamp() AND NOT w.ev_tracked AND w.ev_id <> ${job_id} LIMIT ${MAX_COVERED})`;
}

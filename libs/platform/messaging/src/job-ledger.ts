import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql, type Sql, type UnitOfWork } from '@atrium/platform/database';
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

/** Who wants to change the row: the run of this number, or null where the queue has given the job up, so that no run holds it. */
export interface Held {
  readonly hold: number | null;
}

/** A run that may begin. */
export interface Begun extends Waited {
  /** Number of this run among those of the job: it closes the row only while no other has taken the job since. */
  readonly hold: number;
  /** How often the job has blocked its worker until that one was ended. */
  readonly strikes: number;
  /** The jobs of the same key that had been asked for by then: their changes are there for the run to see, so it is theirs too. */
  readonly covered: readonly string[];
}

const WAITED = sql`ev_waits AS waits, coalesce(extract(epoch FROM clock_timestamp() - ev_waiting_since) * 1000, 0)::double precision AS "waitedMs"`;

/** Another worker has taken the job since this run began: what this run has to say of it counts no more. */
export class Overtaken extends Error {
  constructor() {
    super('Another worker has the job.');
    this.name = 'Overtaken';
  }
}

/** The outcome of each job, in its outbox row and, for background jobs, in the customer's row. The queue itself keeps nothing. */
@Injectable()
export class JobLedger {
  constructor(
    private readonly db: Database,
    private readonly background: BackgroundJobs,
  ) {}

  /** The run that begins; undefined when the job is already done, was cancelled, or waits for its workspace. */
  async beginRun(
    { name, always }: Pick<JobDefinition<object>, 'name' | 'always'>,
    envelope: JobEnvelope,
    isFirst: boolean,
  ): Promise<Begun | undefined> {
    // The first run holds the job from when it was sent; one that may follow another takes it.
    if (!isFirst) await this.db.write((tx) => tx.execute(sql`SELECT outbox_hold(${envelope.job_id})`));
    const [row] = await this.db.query<Begun & { at_work: boolean }>(
      sql`SELECT workspace_at_work() AS at_work, ${coveredBy(name, envelope)} AS covered, ev_hold AS hold, ev_strikes AS strikes, ${WAITED}
          FROM outbox WHERE tenant_id = ${requireScope().tenant_id} AND ev_id = ${envelope.job_id} AND ev_done IS NULL AND ev_parked IS NULL`,
    );
    if (!row || (!row.at_work && !always && (await this.park(envelope)))) return undefined;
    if (!envelope.tracked || (await this.background.beginJob(envelope.job_id))) return row;
    await this.db.write((tx) => close(tx, envelope, row, { covered: [], reason: null }));
    return undefined;
  }

  /** Lays the job aside until its workspace is resumed; false when it has been resumed already. */
  private async park({ job_id }: JobEnvelope): Promise<boolean> {
    const row = await this.db.write((tx) => tx.first<{ parked: boolean }>(sql`SELECT outbox_park(${job_id}) AS parked`));
    return row?.parked ?? false;
  }

  /** How a job that is not done has waited so far; undefined where it is done. */
  findWait({ job_id }: JobEnvelope): Promise<Waited | undefined> {
    const { tenant_id } = requireScope();
    return this.db.read((tx) =>
      tx.first<Waited>(sql`SELECT ${WAITED} FROM outbox WHERE tenant_id = ${tenant_id} AND ev_id = ${job_id} AND ev_done IS NULL`),
    );
  }

  /** The job runs again after the pause, with all of its attempts; its member sees what it waits for, where that is a part outside. */
  async postponeJob({ job_id }: JobEnvelope, held: Held, part: OutsidePart | null, pauseMs: number): Promise<void> {
    await this.whileHeld(job_id, held, (tx) => tx.query(sql`SELECT outbox_postpone(${job_id}, ${part}, ${pauseMs / 1_000})`));
  }

  /** The job runs again after the pause, out of its row; the run that ends counts as an attempt if it failed. */
  async pauseJob(
    { job_id }: JobEnvelope,
    held: Held,
    { failed, pauseMs }: { readonly failed: boolean; readonly pauseMs: number },
  ): Promise<void> {
    await this.whileHeld(job_id, held, (tx) => tx.query(sql`SELECT outbox_pause(${job_id}, ${failed ? 1 : 0}, ${pauseMs / 1_000})`));
  }

  async completeRun(envelope: JobEnvelope, began: Begun, result: JsonObject | null): Promise<void> {
    const outcome = { covered: began.covered, reason: null };
    if (!envelope.tracked) {
      assertClosed(await this.db.query(closing(envelope, began, outcome), 'write'));
      return;
    }
    await this.db.write(async (tx) => {
      await close(tx, envelope, began, outcome);
      await this.background.completeJob(envelope.job_id, result);
    });
  }

  /** Those who waited for the run have a run of their own. */
  async failRun(envelope: JobEnvelope, held: Held, why: string): Promise<void> {
    const reason = why.slice(0, MAX_REASON);
    await this.db.write(async (tx) => {
      await close(tx, envelope, held, { covered: [], reason });
      if (envelope.tracked) await this.background.giveUp(envelope.job_id, reason);
    });
  }

  /** Changes the row of a job that is open and has had no other run since the calling one began. */
  private async whileHeld(job_id: string, { hold }: Held, change: (tx: UnitOfWork) => Promise<unknown>): Promise<void> {
    await this.db.write(async (tx) => {
      const row = await tx.first(
        sql`SELECT 1 FROM outbox WHERE tenant_id = ${requireScope().tenant_id} AND ev_id = ${job_id} AND ev_done IS NULL AND ev_hold = coalesce(${hold}, ev_hold) FOR NO KEY UPDATE`,
      );
      if (!row) throw new Overtaken();
      await change(tx);
    });
  }
}

interface Outcome {
  /** Rows that the run has served as well. */
  readonly covered: readonly string[];
  readonly reason: string | null;
}

async function close(tx: UnitOfWork, envelope: JobEnvelope, held: Held, outcome: Outcome): Promise<void> {
  assertClosed(await tx.query(closing(envelope, held, outcome)));
}

function assertClosed(closed: readonly object[]): void {
  if (closed.length === 0) throw new Overtaken();
}

/** Closes the row for the run that holds the job, and with it those that the run has served as well. */
function closing({ job_id }: JobEnvelope, { hold }: Held, { covered, reason }: Outcome): Sql {
  const { tenant_id } = requireScope();
  return sql`
    WITH own AS (
      UPDATE outbox SET ev_done = clock_timestamp(), ev_error = ${reason}
      WHERE tenant_id = ${tenant_id} AND ev_id = ${job_id} AND ev_done IS NULL AND ev_hold = coalesce(${hold}, ev_hold) RETURNING ev_id
    ), others AS (
      UPDATE outbox SET ev_done = clock_timestamp()
      WHERE tenant_id = ${tenant_id} AND ev_id = ANY (${covered}::uuid[]) AND ev_done IS NULL AND EXISTS (SELECT FROM own)
    )
    SELECT ev_id FROM own`;
}

/** What waits for the end of the run that begins, due by now. A background job is never among them: its customer watches a row of its own. */
function coveredBy(queue: string, { tenant_id, job_id, key }: JobEnvelope): Sql {
  if (key === job_id) return sql`'{}'::uuid[]`;
  return sql`ARRAY(
    SELECT w.ev_id FROM outbox w
    WHERE w.tenant_id = ${tenant_id} AND w.ev_kind = 'job' AND w.ev_name = ${queue} AND w.ev_key = ${key} AND w.ev_sent IS NULL AND w.ev_done IS NULL AND w.ev_parked IS NULL
      AND w.ev_due <= clock_timestamp() AND NOT w.ev_tracked AND w.ev_id <> ${job_id} LIMIT ${MAX_COVERED})`;
}

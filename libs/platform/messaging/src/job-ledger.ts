import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql } from '@atrium/platform/database';
import type { JsonObject } from '@atrium/platform/kernel';
import { BackgroundJobs } from './background-jobs';
import type { JobDefinition } from './job-definition';
import type { JobEnvelope } from './job-envelope';

const MAX_REASON = 1_000;

/** What became of each job, in its outbox row and, for background jobs, in the customer's row. The queue itself remembers nothing. */
@Injectable()
export class JobLedger {
  constructor(
    private readonly db: Database,
    private readonly background: BackgroundJobs,
  ) {}

  /** When the run began, by the database's clock; undefined when the job is done already, not wanted any more, or waits for its workspace. */
  async begin({ name, always }: Pick<JobDefinition<object>, 'name' | 'always'>, envelope: JobEnvelope): Promise<string | undefined> {
    const row = await this.db.read((tx) =>
      tx.first<{ began: string; at_work: boolean }>(
        sql`SELECT clock_timestamp() AS began, workspace_at_work() AS at_work FROM outbox WHERE tenant_id = ${requireScope().tenant_id} AND ev_id = ${envelope.job_id} AND ev_done IS NULL AND ev_parked IS NULL`,
      ),
    );
    if (!row || (!row.at_work && !always && (await this.park(envelope)))) return undefined;
    if (!envelope.tracked || (await this.background.begin(envelope.job_id))) return row.began;
    await this.close(envelope, name, row.began, null);
    return undefined;
  }

  /** Lays the job aside until its workspace is resumed; false when that has happened meanwhile. */
  private async park({ job_id }: JobEnvelope): Promise<boolean> {
    const row = await this.db.write((tx) => tx.first<{ parked: boolean }>(sql`SELECT outbox_park(${job_id}) AS parked`));
    return row?.parked ?? false;
  }

  async succeeded(queue: string, envelope: JobEnvelope, began: string, result: JsonObject | null): Promise<void> {
    await this.db.write(async () => {
      if (envelope.tracked) await this.background.complete(envelope.job_id, result);
      await this.close(envelope, queue, began, null);
    });
  }

  async failed(queue: string, envelope: JobEnvelope, reason: string): Promise<void> {
    await this.db.write(async () => {
      if (envelope.tracked) await this.background.fail(envelope.job_id, reason.slice(0, MAX_REASON));
      await this.close(envelope, queue, null, reason.slice(0, MAX_REASON));
    });
  }

  /**
   * Closes the job's row, and those of the same key that had reached the queue before the run began: their changes were
   * committed by then, so the run has seen them. A later one stays open and is sent again.
   */
  private async close(envelope: JobEnvelope, queue: string, began: string | null, reason: string | null): Promise<void> {
    const { tenant_id } = requireScope();
    await this.db.write((tx) =>
      tx.execute(sql`
        UPDATE outbox SET ev_done = clock_timestamp(), ev_error = ${reason}
        WHERE tenant_id = ${tenant_id} AND ev_done IS NULL
          AND (ev_id = ${envelope.job_id} OR (ev_kind = 'job' AND ev_name = ${queue} AND ev_key = ${envelope.key} AND ev_sent < ${began}::timestamptz))`),
    );
  }
}

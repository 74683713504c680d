import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql } from '@atrium/platform/database';

/** Archives that guests ordered by links. */
@Injectable()
export class ShareDownloadRows {
  constructor(private readonly db: Database) {}

  /** Nobody else orders by the link until the unit of work ends. */
  async lockOrders(share_id: string): Promise<void> {
    await this.db.current().query(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`share-archives:${share_id}`}, 0))`);
  }

  async insertOrder(share_id: string, job_id: string): Promise<void> {
    await this.db
      .current()
      .execute(sql`INSERT INTO share_download (tenant_id, sd_job, sd_share) VALUES (${requireScope().tenant_id}, ${job_id}, ${share_id})`);
  }

  /** Jobs of the last orders of a link, newest first. */
  async findLatestJobs(share_id: string): Promise<string[]> {
    const orders = await this.db
      .current()
      .query<{ sd_job: string }>(
        sql`SELECT sd_job FROM share_download WHERE tenant_id = ${requireScope().tenant_id} AND sd_share = ${share_id} ORDER BY sd_created DESC LIMIT 100`,
      );
    return orders.map(({ sd_job }) => sd_job);
  }

  /** Whether the job was ordered by the link. */
  async hasOrder(share_id: string, job_id: string): Promise<boolean> {
    const row = await this.db
      .current()
      .first(
        sql`SELECT 1 FROM share_download WHERE tenant_id = ${requireScope().tenant_id} AND sd_job = ${job_id} AND sd_share = ${share_id}`,
      );
    return row !== undefined;
  }

  /** The link by which the job was ordered. */
  async findShare(job_id: string): Promise<string | null> {
    const row = await this.db
      .current()
      .first<{ sd_share: string }>(
        sql`SELECT sd_share FROM share_download WHERE tenant_id = ${requireScope().tenant_id} AND sd_job = ${job_id}`,
      );
    return row?.sd_share ?? null;
  }
}

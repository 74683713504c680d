import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql } from '@atrium/platform/database';

const tenant = (): string => requireScope().tenant_id;

/** Which files came from which stock photo; files in the trash are none. */
@Injectable()
export class StockImportsRepository {
  constructor(private readonly db: Database) {}

  /** The newest live file of each of the photos. */
  async findFiles(stock_ids: readonly string[]): Promise<Map<string, string>> {
    const rows = await this.db.current().query<{ si_stock: string; si_file: string }>(sql`
      SELECT DISTINCT ON (s.si_stock) s.si_stock, s.si_file FROM stock_import s JOIN file f ON f.tenant_id = s.tenant_id AND f.file_id = s.si_file AND f.file_deleted IS NULL AND f.repo_type = 'media'
      WHERE s.tenant_id = ${tenant()} AND s.si_stock = ANY(${[...stock_ids]}::text[]) ORDER BY s.si_stock, s.si_created DESC, s.si_file DESC`);
    return new Map(rows.map(({ si_stock, si_file }) => [si_stock, si_file]));
  }

  /** What a file job made, if it did. */
  async findStockIdOfJob(job_id: string): Promise<string | null> {
    return (
      (
        await this.db
          .current()
          .first<{ si_file: string }>(sql`SELECT si_file FROM stock_import WHERE tenant_id = ${tenant()} AND si_job = ${job_id}::uuid`)
      )?.si_file ?? null
    );
  }

  /** What a file job made; from here on nobody else makes anything for it before this unit of work ends. */
  async claimJob(job_id: string): Promise<string | null> {
    await this.db.current().query(sql`SELECT pg_advisory_xact_lock(hashtextextended('stock-import:' || ${job_id}::text, 0))`);
    return this.findStockIdOfJob(job_id);
  }

  /** `ping`: the address for a report; null if the provider wants none. */
  async insertImport(
    file: string,
    stock_id: string,
    { job, by, ping }: { readonly job: string; readonly by: string; readonly ping: string | null },
  ): Promise<void> {
    await this.db.current().execute(sql`
      INSERT INTO stock_import (tenant_id, si_file, si_stock, si_job, si_created_by, si_ping) VALUES (${tenant()}::uuid, ${file}::uuid, ${stock_id}, ${job}::uuid, ${by}::uuid, ${ping}::text)`);
  }

  /** The photo of a file that is still to be reported to its provider, and the address. */
  findPendingPing(file: string): Promise<{ readonly stock_id: string; readonly ping: string } | undefined> {
    return this.db
      .current()
      .first(
        sql`SELECT si_stock AS stock_id, si_ping AS ping FROM stock_import WHERE tenant_id = ${tenant()} AND si_file = ${file}::uuid AND si_ping IS NOT NULL AND si_told IS NULL`,
      );
  }

  async markReported(file: string, at: Date): Promise<void> {
    await this.db
      .current()
      .execute(sql`UPDATE stock_import SET si_told = ${at} WHERE tenant_id = ${tenant()} AND si_file = ${file}::uuid AND si_told IS NULL`);
  }
}

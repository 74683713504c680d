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
} from '@atrium/platform/database';
import { Crawl } from '../domain/crawl';

/** A crawl as it is read. */
export type CrawlRow = Omit<
  Crawl,
  'tenant_id' | 'row_version' | 'crw_next' | 'crw_pass' | 'crw_pass_open' | 'settings' | 'change' | 'plan' | 'beginPass' | 'endPass'
> & {
  /** Of a crawl that is read by itself. */
  readonly row_version?: number;
};

/** The crawls of bases. */
@Injectable()
export class CrawlsRepository extends ResourceRepository<Crawl> {
  constructor(db: Database) {
    super(db, Crawl, 'crawl');
  }

  listCrawls(ds_id: string, query: ListParameters): Promise<Page<CrawlRow>> {
    return listPage<CrawlRow>(this.db.current(), Crawl, query, { where: sql`r.crw_base = ${ds_id}` });
  }

  findCrawlRow(ds_id: string, crw_id: string): Promise<CrawlRow | undefined> {
    return this.db
      .current()
      .first<CrawlRow & Record<string, unknown>>(
        sql`SELECT ${columnsOf(Crawl)}, r.row_version FROM knowledge_crawl r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.crw_base = ${ds_id} AND r.crw_id = ${crw_id}`,
      );
  }

  /** Those who add crawls to a base wait for each other, so that their number holds. */
  async lockCrawlCount(ds_id: string): Promise<void> {
    await this.db
      .current()
      .query(sql`SELECT pg_advisory_xact_lock(hashtextextended('knowledge crawls:' || ${ds_id.toLowerCase()}::text, 0))`);
  }

  async countCrawls(ds_id: string): Promise<number> {
    const row = await this.db
      .current()
      .first<{ count: number }>(
        sql`SELECT count(*) FROM knowledge_crawl WHERE tenant_id = ${requireScope().tenant_id} AND crw_base = ${ds_id}`,
      );
    return row?.count ?? 0;
  }

  /** Crawls of all workspaces whose time has come. */
  findDueCrawls(most: number): Promise<readonly { readonly tenant_id: string; readonly crw_id: string }[]> {
    return this.db.acrossTenants((tx) => tx.query<{ tenant_id: string; crw_id: string }>('SELECT * FROM crawls_due($1)', [most]));
  }
}

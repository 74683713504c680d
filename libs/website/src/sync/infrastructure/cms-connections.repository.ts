import { Injectable } from '@nestjs/common';
import { Database, requireScope, ResourceRepository, sql } from '@atrium/platform/database';
import { CmsSiteConnection } from '../domain/cms-site-connection';

interface FoundSite {
  readonly tenant_id: string;
  readonly site_id: string;
}

/** Connections of sites to their CMS, one a site. */
@Injectable()
export class CmsConnectionsRepository extends ResourceRepository<CmsSiteConnection> {
  constructor(db: Database) {
    super(db, CmsSiteConnection, 'connection', 'beside');
  }

  /** The connection locked for change; null where the site has none. */
  async lockOne(site_id: string): Promise<CmsSiteConnection | null> {
    const [connection = null] = await this.lockMany([site_id]);
    return connection;
  }

  /** The site whose address the CMS calls, in whatever workspace. */
  findByHook(hook_key: string): Promise<FoundSite | undefined> {
    return this.db.acrossTenants((tx) => tx.first<{ tenant_id: string; site_id: string }>('SELECT * FROM cms_by_hook($1)', [hook_key]));
  }

  /** Sites of all workspaces whose nightly comparison is due. */
  findDueSites(most: number): Promise<readonly FoundSite[]> {
    return this.db.acrossTenants((tx) => tx.query<{ tenant_id: string; site_id: string }>('SELECT * FROM cms_sites_due($1)', [most]));
  }

  /** The time zone of the workspace. */
  async readZone(): Promise<string> {
    const row = await this.db
      .current()
      .first<{ ws_timezone: string }>(sql`SELECT w.ws_timezone FROM workspace w WHERE w.tenant_id = ${requireScope().tenant_id}`);
    return row?.ws_timezone ?? 'UTC';
  }

  /** Pages that an event named, each once until it is compared; at most so many wait. */
  async addNews(site_id: string, pages: readonly string[], most: number): Promise<void> {
    await this.db.current().execute(sql`
      INSERT INTO cms_news (tenant_id, news_site, news_page, news_at)
      SELECT ${requireScope().tenant_id}, ${site_id}, p, now() FROM unnest(${[...pages]}::text[]) p
      WHERE (SELECT count(*) FROM cms_news n WHERE n.tenant_id = ${requireScope().tenant_id} AND n.news_site = ${site_id}) < ${most}
      ON CONFLICT DO NOTHING`);
  }

  /** Takes the pages that events have named. */
  async takeNews(site_id: string, most: number): Promise<readonly string[]> {
    const rows = await this.db.current().query<{ news_page: string }>(sql`
      DELETE FROM cms_news n WHERE n.tenant_id = ${requireScope().tenant_id} AND n.news_site = ${site_id} AND n.news_page IN
        (SELECT o.news_page FROM cms_news o WHERE o.tenant_id = n.tenant_id AND o.news_site = n.news_site ORDER BY o.news_at, o.news_page LIMIT ${most})
      RETURNING n.news_page`);
    return rows.map(({ news_page }) => news_page);
  }
}

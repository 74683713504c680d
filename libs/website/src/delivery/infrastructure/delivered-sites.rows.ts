import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql } from '@atrium/platform/database';
import type { SiteCache } from '../../sites/domain/site';
import type { SiteLocale } from '../../sites/domain/site-locales';

export interface FoundSite {
  readonly tenant_id: string;
  readonly site_id: string;
}

/** What delivery has to know of a site; `version` says whether it still holds. */
export interface SiteFacts {
  readonly site_id: string;
  readonly site_key: string;
  readonly site_name: string;
  readonly site_base_url: string | null;
  readonly site_locales: readonly SiteLocale[];
  readonly site_default_locale: string;
  readonly site_library: string;
  readonly site_cache: SiteCache;
  readonly site_robots: string;
  readonly site_seq: number;
  readonly version: number;
}

/** How far a site is. */
export type SiteNumbersNow = Pick<SiteFacts, 'site_seq' | 'version'>;

/** Sites by their public key, and what delivery has to know of them. */
@Injectable()
export class DeliveredSitesRows {
  constructor(private readonly db: Database) {}

  async findByKey(site_key: string): Promise<FoundSite | null> {
    return (
      (await this.db.acrossTenants((tx) =>
        tx.first<FoundSite & Record<string, unknown>>(sql`SELECT tenant_id, site_id FROM site_by_key(${site_key})`),
      )) ?? null
    );
  }

  /** What changes with the site, and with what is live of it. */
  async findNumbers(site_id: string): Promise<SiteNumbersNow | undefined> {
    const [row] = await this.db.query<SiteNumbersNow & Record<string, unknown>>(
      sql`SELECT site_seq, row_version AS version FROM site WHERE tenant_id = ${requireScope().tenant_id} AND site_id = ${site_id} AND site_active`,
    );
    return row;
  }

  async findFacts(site_id: string): Promise<SiteFacts | null> {
    const row = await this.db.current().first<SiteFacts & Record<string, unknown>>(sql`
      SELECT site_id, site_key, site_name, site_base_url, site_locales, site_default_locale, site_library, site_cache, site_robots, site_seq, row_version AS version
      FROM site WHERE tenant_id = ${requireScope().tenant_id} AND site_id = ${site_id} AND site_active`);
    return row ?? null;
  }
}

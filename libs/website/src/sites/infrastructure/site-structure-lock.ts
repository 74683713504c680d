import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql } from '@atrium/platform/database';

/** Those who change the tree of a site or its locales do so one after the other, until their unit of work ends. */
@Injectable()
export class SiteStructureLock {
  constructor(private readonly db: Database) {}

  async lockStructure(site_id: string): Promise<void> {
    const key = sql`'site structure:' || ${requireScope().tenant_id}::text || ':' || ${site_id.toLowerCase()}::text`;
    await this.db.current().query(sql`SELECT pg_advisory_xact_lock(hashtextextended(${key}, 0))`);
  }
}

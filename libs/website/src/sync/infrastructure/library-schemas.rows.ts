import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql } from '@atrium/platform/database';

/** Schemas of libraries by their ids, and whether pages use them. */
@Injectable()
export class LibrarySchemaRows {
  constructor(private readonly db: Database) {}

  /** The schemas of a library, one a key: the active one where there is one. */
  async listSchemaIds(lib_id: string): Promise<readonly string[]> {
    const rows = await this.db.current().query<{ tpl_id: string }>(sql`
      SELECT DISTINCT ON (s.tpl_key) s.tpl_id FROM content_schema s WHERE s.tenant_id = ${requireScope().tenant_id} AND s.tpl_library = ${lib_id}
      ORDER BY s.tpl_key, s.tpl_active DESC, s.tpl_updated DESC`);
    return rows.map(({ tpl_id }) => tpl_id);
  }

  /** Whether the site has pages, those in the trash too. */
  async hasPages(site_id: string): Promise<boolean> {
    const found = await this.db
      .current()
      .first(
        sql`SELECT 1 FROM node n WHERE n.tenant_id = ${requireScope().tenant_id} AND n.node_site = ${site_id} AND n.node_template IS NOT NULL LIMIT 1`,
      );
    return found !== undefined;
  }

  async isNamed(lib_name: string): Promise<boolean> {
    const found = await this.db
      .current()
      .first(
        sql`SELECT 1 FROM content_library l WHERE l.tenant_id = ${requireScope().tenant_id} AND lower(l.lib_name) = lower(${lib_name}) AND l.lib_active`,
      );
    return found !== undefined;
  }
}

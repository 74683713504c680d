import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql } from '@atrium/platform/database';
import { SchemaBook, type MappedSchema } from '../domain/cms-schema';
import type { SentFile } from '../domain/document-exchange';

/** Components of the CMS as they were last exchanged, and the files that were sent. */
@Injectable()
export class CmsComponentRows {
  constructor(private readonly db: Database) {}

  async findBook(site_id: string): Promise<SchemaBook> {
    const rows = await this.db
      .current()
      .query<{ cmp_mapped: MappedSchema }>(
        sql`SELECT c.cmp_mapped FROM cms_component c WHERE c.tenant_id = ${requireScope().tenant_id} AND c.cmp_site = ${site_id} ORDER BY c.cmp_key`,
      );
    return new SchemaBook(rows.map(({ cmp_mapped }) => cmp_mapped));
  }

  async replaceBook(site_id: string, schemas: readonly MappedSchema[]): Promise<void> {
    const { tenant_id } = requireScope();
    const tx = this.db.current();
    await tx.execute(sql`DELETE FROM cms_component c WHERE c.tenant_id = ${tenant_id} AND c.cmp_site = ${site_id}`);
    await tx.execute(sql`
      INSERT INTO cms_component (tenant_id, cmp_site, cmp_key, cmp_mapped)
      SELECT ${tenant_id}, ${site_id}, s ->> 'tpl_key', s FROM jsonb_array_elements(${JSON.stringify(schemas)}::jsonb) s`);
  }

  async findSentFiles(site_id: string): Promise<readonly (SentFile & { readonly file_id: string; readonly hash: string })[]> {
    return this.db.current().query(sql`
      SELECT DISTINCT ON (a.cas_file) a.cas_file AS file_id, a.cas_hash AS hash, a.cas_url AS url, a.cas_external_id AS external_id FROM cms_asset a
      WHERE a.tenant_id = ${requireScope().tenant_id} AND a.cas_site = ${site_id} ORDER BY a.cas_file, a.cas_sent DESC`);
  }

  async addSentFile(site_id: string, { file_id, hash, url, external_id }: SentFile & { readonly file_id: string; readonly hash: string }) {
    await this.db.current().execute(sql`
      INSERT INTO cms_asset (tenant_id, cas_site, cas_file, cas_hash, cas_external_id, cas_url, cas_sent)
      VALUES (${requireScope().tenant_id}, ${site_id}, ${file_id}, ${hash}, ${external_id}, ${url}, now()) ON CONFLICT DO NOTHING`);
  }
}

import { Injectable } from '@nestjs/common';
import { Database, listPage, requireScope, ResourceRepository, sql, type ListParameters, type Page } from '@atrium/platform/database';
import { PreviewLink } from '../domain/preview-link';

export type PreviewLinkRow = Omit<PreviewLink, 'tenant_id' | 'row_version' | 'prv_token_hash'>;
/** What a token opens. */
export type OpenPreview = Pick<PreviewLink, 'prv_id' | 'prv_node' | 'prv_locale' | 'prv_version' | 'prv_created_by'>;

/** Links to drafts. */
@Injectable()
export class PreviewLinksRepository extends ResourceRepository<PreviewLink> {
  constructor(db: Database) {
    super(db, PreviewLink, 'preview link');
  }

  listPreviewLinks(site_id: string, query: ListParameters): Promise<Page<PreviewLinkRow>> {
    return listPage<PreviewLinkRow>(this.db.current(), PreviewLink, query, { where: sql`r.prv_site = ${site_id}` });
  }

  /** Whether as many links of the site are open as may be. */
  async isFull(site_id: string, most: number, now: Date): Promise<boolean> {
    const row = await this.db
      .current()
      .first<{ count: number }>(
        sql`SELECT count(*) AS count FROM (SELECT FROM preview_link WHERE tenant_id = ${requireScope().tenant_id} AND prv_site = ${site_id} AND prv_expires > ${now} LIMIT ${most}) x`,
      );
    return (row?.count ?? 0) >= most;
  }

  /** What a token opens on the site, counted as a use; nothing once it has expired. */
  usePreview(site_id: string, token_hash: string, now: Date): Promise<OpenPreview | undefined> {
    return this.db.current().first<OpenPreview & Record<string, unknown>>(sql`
      UPDATE preview_link SET prv_uses = prv_uses + 1 WHERE tenant_id = ${requireScope().tenant_id} AND prv_site = ${site_id} AND prv_token_hash = ${token_hash} AND prv_expires > ${now}
      RETURNING prv_id, prv_node, prv_locale, prv_version, prv_created_by`);
  }

  findPreview(site_id: string, token_hash: string, now: Date): Promise<OpenPreview | undefined> {
    return this.db.current().first<OpenPreview & Record<string, unknown>>(sql`
      SELECT prv_id, prv_node, prv_locale, prv_version FROM preview_link
      WHERE tenant_id = ${requireScope().tenant_id} AND prv_site = ${site_id} AND prv_token_hash = ${token_hash} AND prv_expires > ${now}`);
  }

  async deleteExpired(now: Date, most: number): Promise<number> {
    const { tenant_id } = requireScope();
    return this.db.current().execute(sql`
      DELETE FROM preview_link WHERE tenant_id = ${tenant_id} AND prv_id IN (SELECT prv_id FROM preview_link WHERE tenant_id = ${tenant_id} AND prv_expires < ${now} ORDER BY prv_expires LIMIT ${most})`);
  }
}

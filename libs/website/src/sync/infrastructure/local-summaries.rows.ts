import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql, type Sql } from '@atrium/platform/database';

/** A page here without its content, as it is stored. */
export interface SummaryRow extends Record<string, unknown> {
  readonly node_id: string;
  readonly node_parent: string | null;
  readonly node_name: string;
  readonly kind: 'page' | 'folder' | 'link';
  readonly is_active: boolean;
  readonly path: string;
  readonly depth: number;
  readonly stamp: string;
}

/** What synchronization knows of pages here without reading them. */
@Injectable()
export class LocalSummaryRows {
  constructor(private readonly db: Database) {}

  listSummaries(
    site_id: string,
    locale: string,
    { after, most }: { readonly after: string | null; readonly most: number },
  ): Promise<SummaryRow[]> {
    return this.select(
      locale,
      sql`${inSite(site_id)} AND (${after}::uuid IS NULL OR r.node_id > ${after}::uuid) ORDER BY r.node_id LIMIT ${most}`,
    );
  }

  findSummaries(site_id: string, locale: string, node_ids: readonly string[]): Promise<SummaryRow[]> {
    return this.select(locale, sql`${inSite(site_id)} AND r.node_id = ANY(${[...node_ids]}::uuid[])`);
  }

  /** Candidates are found by the last segment, so that whole paths are made of few. */
  findAtPaths(site_id: string, locale: string, paths: readonly string[]): Promise<SummaryRow[]> {
    const slugs = [...new Set(paths.map((path) => path.slice(path.lastIndexOf('/') + 1)))];
    const summaries = this.summarize(
      locale,
      sql`${inSite(site_id)} AND r.node_active AND r.node_kind <> 'link' AND r.node_id IN (SELECT l.nl_node FROM node_locale l
        WHERE l.tenant_id = r.tenant_id AND l.nl_site = r.node_site AND l.nl_locale = ${locale} AND l.nl_slug = ANY(${slugs}::text[]))`,
    );
    return this.db
      .current()
      .query<SummaryRow>(sql`SELECT s.* FROM (${summaries}) s WHERE s.path = ANY(${paths.map((path) => `/${path}`)}::text[])`);
  }

  /** Paths are put together from the slugs of the pages above, whose ids the lineage has in their order. */
  private summarize(locale: string, condition: Sql): Sql {
    return sql`
      SELECT r.node_id, r.node_parent, r.node_name, r.node_kind AS kind, r.node_active AS is_active, length(r.node_lineage) / 32 AS depth,
        '/' || (SELECT coalesce(string_agg(l.nl_slug, '/' ORDER BY g.at), '') FROM generate_series(1, length(r.node_lineage) / 32) g (at)
          JOIN node_locale l ON l.tenant_id = r.tenant_id AND l.nl_node = substr(r.node_lineage, (g.at - 1) * 32 + 1, 32)::uuid AND l.nl_locale = ${locale}) AS path,
        r.row_version || (SELECT coalesce(string_agg('.' || l.nl_revision, '' ORDER BY l.nl_locale), '') FROM node_locale l WHERE l.tenant_id = r.tenant_id AND l.nl_node = r.node_id) AS stamp
      FROM node r WHERE ${condition}`;
  }

  private select(locale: string, condition: Sql): Promise<SummaryRow[]> {
    return this.db.current().query<SummaryRow>(this.summarize(locale, condition));
  }
}

const inSite = (site_id: string): Sql => sql`r.tenant_id = ${requireScope().tenant_id} AND r.node_site = ${site_id}`;

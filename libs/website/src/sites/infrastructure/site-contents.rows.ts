import { Injectable } from '@nestjs/common';
import { Database, raw, requireScope, sql, type Sql } from '@atrium/platform/database';

/** Numbers of what is on a site. */
export interface SiteCounts {
  readonly pages: number;
  readonly live: Readonly<Record<string, number>>;
  readonly changed: number;
  readonly scheduled: number;
  readonly trashed: number;
}

/** A slug at the top of a site, and the locale in which it is. */
export interface TopSlug {
  readonly slug: string;
  readonly locale: string;
}

/** What is on sites, for the sites themselves. */
@Injectable()
export class SiteContentsRows {
  constructor(private readonly db: Database) {}

  async countContents(site_id: string): Promise<SiteCounts> {
    const row = await this.db.current().first<{ counts: SiteCounts }>(sql`
      SELECT jsonb_build_object(
        'pages', (SELECT count(*) FROM node n WHERE ${of('n.node_site', site_id)} AND n.node_active AND n.node_kind = 'page'),
        'trashed', (SELECT count(*) FROM node n WHERE ${of('n.node_site', site_id)} AND NOT n.node_active),
        'changed', (SELECT count(*) FROM (SELECT l.nl_node FROM node_locale l WHERE ${of('l.nl_site', site_id)} AND l.nl_active AND l.nl_status = 'changed' GROUP BY l.nl_node) x),
        'scheduled', (SELECT count(*) FROM publish_schedule p WHERE ${of('p.sch_site', site_id)} AND p.sch_status = 'waiting'),
        'live', coalesce((SELECT jsonb_object_agg(locale, pages) FROM (SELECT p.np_locale AS locale, count(*) AS pages FROM page_publication p
          WHERE ${of('p.np_site', site_id)} AND p.np_to_seq IS NULL AND p.np_kind = 'page' GROUP BY p.np_locale) x), '{}')
      ) AS counts`);
    return row?.counts ?? { pages: 0, live: {}, changed: 0, scheduled: 0, trashed: 0 };
  }

  /** Whether anything is in the tree of the site, the trash included. */
  async hasNodes(site_id: string): Promise<boolean> {
    return (await this.db.current().first(sql`SELECT 1 FROM node n WHERE ${of('n.node_site', site_id)} LIMIT 1`)) !== undefined;
  }

  /** How many nodes have something of their own in each of the locales, or were published in it; locales without are missing. */
  async countByLocale(site_id: string, locales: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const rows = await this.db.current().query<{ locale: string; nodes: number }>(sql`
      SELECT l.nl_locale AS locale, count(*)::integer AS nodes FROM node_locale l
      WHERE ${of('l.nl_site', site_id)} AND l.nl_locale = ANY(${[...locales]}) AND (l.nl_overlay <> '{}' OR l.nl_status <> 'draft') GROUP BY 1`);
    return new Map(rows.map(({ locale, nodes }) => [locale, nodes]));
  }

  /** Gives every node of the site a row in the locales; rows that are there stay. What a locale shows is not known of new rows until they are saved. */
  async addLocales(site_id: string, locales: readonly string[], now: Date): Promise<void> {
    await this.db.current().execute(sql`
      INSERT INTO node_locale (tenant_id, nl_node, nl_locale, nl_site, nl_parent, nl_active, nl_slug, nl_hash, nl_updated)
      SELECT n.tenant_id, n.node_id, l.code, n.node_site, n.node_parent, n.node_active, coalesce(n.node_slugs ->> l.code, n.node_slug), '', ${now}
      FROM node n CROSS JOIN unnest(${[...locales]}::text[]) l (code) WHERE ${of('n.node_site', site_id)}
      ON CONFLICT (tenant_id, nl_node, nl_locale) DO NOTHING`);
  }

  /** Removes what the locales say of every node. */
  async dropLocales(site_id: string, locales: readonly string[]): Promise<void> {
    const codes = [...locales];
    await this.db
      .current()
      .execute(
        sql`UPDATE node n SET node_slugs = n.node_slugs - ${codes}::text[] WHERE ${of('n.node_site', site_id)} AND n.node_slugs <> n.node_slugs - ${codes}::text[]`,
      );
    await this.db.current().execute(sql`DELETE FROM node_locale l WHERE ${of('l.nl_site', site_id)} AND l.nl_locale = ANY(${codes})`);
  }

  /** A node at the top of the site whose slug is one of these. */
  findTopSlug(site_id: string, slugs: readonly string[]): Promise<TopSlug | undefined> {
    return this.db
      .current()
      .first<{ slug: string; locale: string }>(
        sql`SELECT l.nl_slug AS slug, l.nl_locale AS locale FROM node_locale l WHERE ${of('l.nl_site', site_id)} AND l.nl_parent IS NULL AND l.nl_active AND l.nl_slug = ANY(${[...slugs]}) ORDER BY 1, 2 LIMIT 1`,
      );
  }

  /** Removes rows of a deleted site, at most so many; how many were removed. What refers goes before what is referred to. */
  async purgeStretch(site_id: string, most: number): Promise<number> {
    for (const { table, key, site, order = key } of BELOW) {
      const stretch = sql`SELECT ${raw(key)} AS id FROM ${raw(table)} WHERE ${of(site, site_id)} ORDER BY ${raw(order)} LIMIT ${most}`;
      const removed = await this.db
        .current()
        .query(
          sql`DELETE FROM ${raw(table)} t USING (${stretch}) p WHERE t.tenant_id = ${requireScope().tenant_id} AND t.${raw(key)} = p.id RETURNING 1`,
        );
      if (removed.length > 0) return removed.length;
    }
    return 0;
  }
}

/** What is below a site: what refers comes before what is referred to, and the deepest nodes before those above them. */
const BELOW: readonly { readonly table: string; readonly key: string; readonly site: string; readonly order?: string }[] = [
  { table: 'site_redirect', key: 'red_id', site: 'red_site' },
  { table: 'preview_link', key: 'prv_id', site: 'prv_site' },
  { table: 'publish_schedule', key: 'sch_id', site: 'sch_site' },
  { table: 'page_publication', key: 'np_id', site: 'np_site' },
  { table: 'page_snapshot', key: 'snap_id', site: 'snap_site' },
  { table: 'node', key: 'node_id', site: 'node_site', order: 'length(node_lineage) DESC, node_id' },
];

/** Rows of the site: the column names it, with or without the name of its table. */
const of = (column: string, site_id: string): Sql =>
  sql`${raw(column.includes('.') ? `${column.split('.')[0]}.tenant_id` : 'tenant_id')} = ${requireScope().tenant_id} AND ${raw(column)} = ${site_id}`;

import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql, type Sql } from '@atrium/platform/database';
import type { JsonObject } from '@atrium/platform/kernel';
import type { FrozenFile, SnapshotDocument } from '../../publishing/domain/live-page';

/** A page at its address, without its content, and everything else that its answer shows. */
export interface DeliveredPage {
  readonly node_id: string;
  readonly path: string;
  readonly name: string;
  readonly template: string;
  readonly snapshot: string;
  readonly hash: string;
  readonly seq: number;
  readonly published: Date;
  readonly first_published: Date;
  /** Locale and path. */
  readonly alternates: readonly (readonly [string, string])[];
  /** Id, name, path and kind, from the top. */
  readonly breadcrumbs: readonly (readonly [string, string, string, string])[];
  /** Id, path and name of pages that the content refers to, as far as they are live. */
  readonly links: readonly (readonly [string, string, string])[];
}

/** The page at an address, if there is one, with the state of the site that it was read in. */
export type PageLookup = { readonly site_seq: number; readonly version: number } & (DeliveredPage | { readonly node_id: null });

export interface TreeEntry {
  readonly node_id: string;
  readonly parent: string | null;
  readonly kind: 'page' | 'folder' | 'link' | 'segment';
  readonly name: string;
  readonly path: string;
  readonly link: JsonObject | null;
  /** The files that a link leads to, as they were frozen. */
  readonly files: Readonly<Record<string, FrozenFile>> | null;
  /** The path of the page that a link leads to, where it is live. */
  readonly target: string | null;
  readonly menu: boolean;
  readonly template: string | null;
}

/** An address of a sitemap, with the addresses of its other locales. */
export interface SitemapEntry {
  readonly node_id: string;
  readonly pages: readonly { readonly locale: string; readonly path: string; readonly published: string }[];
}

const LIVE_PAGE = sql`np_to_seq IS NULL AND np_kind = 'page'`;

/** Live pages for visitors. Nothing here reads a draft. */
@Injectable()
export class DeliveredPagesRows {
  constructor(private readonly db: Database) {}

  /** One statement for the row, its links and what is around it; the content is read when the caller needs it. Null: no such site. */
  async findPage(site_id: string, locale: string, path_hash: string): Promise<PageLookup | null> {
    const { tenant_id } = requireScope();
    const row = await this.db.current().first<PageLookup & Record<string, unknown>>(sql`
      SELECT s.site_seq, s.row_version AS version, p.np_node AS node_id, p.np_path AS path, p.np_name AS name, p.np_template_key AS template, p.np_snapshot AS snapshot, p.np_hash AS hash,
        p.np_from_seq AS seq, p.np_published AS published, p.np_first_published AS first_published,
        coalesce((SELECT jsonb_agg(jsonb_build_array(a.np_locale, a.np_path) ORDER BY a.np_locale) FROM page_publication a
          WHERE a.tenant_id = ${tenant_id} AND a.np_node = p.np_node AND a.${LIVE_PAGE}), '[]') AS alternates,
        coalesce((SELECT jsonb_agg(jsonb_build_array(b.np_node, b.np_name, b.np_path, b.np_kind) ORDER BY length(b.np_lineage))
          FROM page_publication b WHERE b.tenant_id = ${tenant_id} AND b.np_locale = p.np_locale AND b.np_to_seq IS NULL AND b.np_kind <> 'segment'
            AND b.np_node = ANY(ARRAY(SELECT substr(p.np_lineage, 1 + 32 * step, 32)::uuid FROM generate_series(0, length(p.np_lineage) / 32 - 2) step))), '[]') AS breadcrumbs,
        coalesce((SELECT jsonb_agg(jsonb_build_array(l.np_node, l.np_path, l.np_name) ORDER BY l.np_node)
          FROM page_snapshot_ref r JOIN page_publication l ON l.tenant_id = r.tenant_id AND l.np_node = r.snref_ref AND l.np_locale = p.np_locale AND l.${LIVE_PAGE}
          WHERE r.tenant_id = ${tenant_id} AND r.snref_snapshot = p.np_snapshot AND r.snref_kind = 'page'), '[]') AS links
      FROM site s LEFT JOIN page_publication p ON p.tenant_id = s.tenant_id AND p.np_site = s.site_id AND p.np_locale = ${locale} AND p.np_path_hash = ${path_hash} AND p.${LIVE_PAGE}
      WHERE s.tenant_id = ${tenant_id} AND s.site_id = ${site_id} AND s.site_active`);
    return row ?? null;
  }

  /** Whether a page is live at a path. */
  async isLive(site_id: string, locale: string, path_hash: string): Promise<boolean> {
    const row = await this.db.current().first(sql`
      SELECT 1 FROM page_publication WHERE tenant_id = ${requireScope().tenant_id} AND np_site = ${site_id} AND np_locale = ${locale} AND np_path_hash = ${path_hash} AND ${LIVE_PAGE}`);
    return row !== undefined;
  }

  async findDocument(snap_id: string): Promise<SnapshotDocument | null> {
    const row = await this.db
      .current()
      .first<{ doc: SnapshotDocument }>(
        sql`SELECT snap_doc AS doc FROM page_snapshot WHERE tenant_id = ${requireScope().tenant_id} AND snap_id = ${snap_id}`,
      );
    return row?.doc ?? null;
  }

  async findDocuments(snap_ids: readonly string[]): Promise<ReadonlyMap<string, SnapshotDocument>> {
    const rows = await this.db
      .current()
      .query<{ snap_id: string; doc: SnapshotDocument }>(
        sql`SELECT snap_id, snap_doc AS doc FROM page_snapshot WHERE tenant_id = ${requireScope().tenant_id} AND snap_id = ANY(${[...snap_ids]}::uuid[])`,
      );
    return new Map(rows.map(({ snap_id, doc }) => [snap_id, doc]));
  }

  /** Where the pages are live that these snapshots refer to, in a locale. */
  async findLinks(
    snap_ids: readonly string[],
    locale: string,
  ): Promise<readonly { readonly node_id: string; readonly path: string; readonly name: string }[]> {
    const { tenant_id } = requireScope();
    return this.db.current().query<{ node_id: string; path: string; name: string }>(sql`
      SELECT DISTINCT l.np_node AS node_id, l.np_path AS path, l.np_name AS name FROM page_snapshot_ref r
        JOIN page_publication l ON l.tenant_id = r.tenant_id AND l.np_node = r.snref_ref AND l.np_locale = ${locale} AND l.${LIVE_PAGE}
      WHERE r.tenant_id = ${tenant_id} AND r.snref_snapshot = ANY(${[...snap_ids]}::uuid[]) AND r.snref_kind = 'page'`);
  }

  /**
   * What is live of a locale from the top down to a level, at most so much of it, in the order of menus. Segments are no level, and
   * what menus leave out is missing with all below it. Only what is shown is read: the upper levels come first.
   */
  listTree(
    site_id: string,
    locale: string,
    { levels, menu, most }: { readonly levels: number; readonly menu: boolean; readonly most: number },
  ): Promise<readonly TreeEntry[]> {
    const { tenant_id } = requireScope();
    const below = (parent: Sql): Sql => sql`
      SELECT np_node, np_parent, np_kind, np_order, np_name, np_path, np_link, np_menu, np_template_key, np_snapshot, (np_kind <> 'segment')::integer AS step FROM page_publication
      WHERE tenant_id = ${tenant_id} AND np_site = ${site_id} AND np_locale = ${locale} AND np_to_seq IS NULL AND np_parent ${parent} AND (np_kind = 'segment' OR np_menu OR ${!menu})
      ORDER BY np_parent, np_order, np_node LIMIT ${most}`;
    return this.db.current().query<TreeEntry & Record<string, unknown>>(sql`
      WITH RECURSIVE walk AS (
          SELECT top.*, top.step AS level FROM (${below(sql`IS NULL`)}) top
          UNION ALL
          SELECT child.*, walk.level + child.step FROM walk CROSS JOIN LATERAL (${below(sql`= walk.np_node`)}) child WHERE walk.level < ${levels}),
        shown AS (SELECT * FROM walk LIMIT ${most})
      SELECT np_node AS node_id, np_parent AS parent, np_kind AS kind, np_name AS name, np_path AS path, np_link AS link,
        CASE WHEN np_kind = 'link' THEN (SELECT d.snap_doc -> 'files' FROM page_snapshot d WHERE d.tenant_id = ${tenant_id} AND d.snap_id = np_snapshot) END AS files,
        CASE WHEN np_link ->> 'kind' = 'page' THEN (SELECT t.np_path FROM page_publication t
          WHERE t.tenant_id = ${tenant_id} AND t.np_node = (shown.np_link ->> 'ref')::uuid AND t.np_locale = ${locale} AND t.${LIVE_PAGE}) END AS target,
        np_menu AS menu, np_template_key AS template
      FROM shown ORDER BY np_order, np_node`);
  }

  /** Nodes of a sitemap in the order of their ids, from one on; pages that search engines shall not list are left out. */
  listSitemap(site_id: string, from: string | null, most: number): Promise<readonly SitemapEntry[]> {
    const { tenant_id } = requireScope();
    return this.db.current().query<SitemapEntry & Record<string, unknown>>(sql`
      SELECT np_node AS node_id, jsonb_agg(jsonb_build_object('locale', np_locale, 'path', np_path, 'published', np_published) ORDER BY np_locale) AS pages
      FROM page_publication WHERE tenant_id = ${tenant_id} AND np_site = ${site_id} AND ${LIVE_PAGE} AND NOT np_noindex AND (${from}::uuid IS NULL OR np_node >= ${from}::uuid)
      GROUP BY np_node ORDER BY np_node LIMIT ${most}`);
  }

  /** The nodes with which the parts of a sitemap begin, a number of nodes each. */
  async listSitemapStarts(site_id: string, nodes: number): Promise<readonly string[]> {
    const { tenant_id } = requireScope();
    const rows = await this.db.current().query<{ node_id: string }>(sql`
      SELECT np_node AS node_id FROM (
        SELECT np_node, row_number() OVER (ORDER BY np_node) AS place FROM (
          SELECT DISTINCT np_node FROM page_publication WHERE tenant_id = ${tenant_id} AND np_site = ${site_id} AND ${LIVE_PAGE} AND NOT np_noindex) listed) placed
      WHERE (place - 1) % ${nodes} = 0 ORDER BY np_node`);
    return rows.map(({ node_id }) => node_id);
  }

  /** Whether a live page of the site shows these bytes of the file. */
  async isShown(site_id: string, file_id: string, hash: string): Promise<boolean> {
    const row = await this.db.current().first(sql`
      SELECT 1 FROM page_snapshot_ref r JOIN page_publication p ON p.tenant_id = r.tenant_id AND p.np_snapshot = r.snref_snapshot AND p.np_to_seq IS NULL AND p.np_site = ${site_id}
      WHERE r.tenant_id = ${requireScope().tenant_id} AND r.snref_kind = 'file' AND r.snref_ref = ${file_id} AND r.snref_hash = ${hash} LIMIT 1`);
    return row !== undefined;
  }
}

import { Injectable } from '@nestjs/common';
import { Database, raw, requireScope, sql, type Sql } from '@atrium/platform/database';
import type { DraftStructure, LivePage, MovedPage, NewLivePage } from '../domain/live-page';

const LIVE_COLUMNS = raw(
  'p.np_id, p.np_node AS node_id, p.np_locale AS locale, p.np_kind AS kind, p.np_parent AS parent, p.np_lineage AS lineage, p.np_slug AS slug, p.np_path AS path, p.np_hash AS hash, p.np_snapshot AS snapshot, p.np_order AS "order", p.np_name AS name, p.np_first_published AS first_published',
);
/** Behind all digits of a lineage. */
const BEHIND = 'g';
/** Columns that a page keeps when it gets another place. */
const KEPT = raw(
  'np_site, np_node, np_locale, np_kind, np_order, np_slug, np_name, np_template, np_template_key, np_link, np_tags, np_menu, np_noindex, np_version, np_snapshot, np_hash, np_published, np_published_by, np_first_published',
);

const below = (lineage: Sql): Sql => sql`p.np_lineage > ${lineage} AND p.np_lineage < ${lineage} || ${BEHIND}`;

/** What is live. Rows are only added and closed, each by the number of its site. */
@Injectable()
export class LivePagesRows {
  constructor(private readonly db: Database) {}

  /** What is live of these nodes, and of everything that is live above them. */
  findLiveWithAncestors(node_ids: readonly string[], locales: readonly string[]): Promise<readonly LivePage[]> {
    const { tenant_id } = requireScope();
    const live = sql`p.tenant_id = ${tenant_id} AND p.np_locale = ANY(${[...locales]}::text[]) AND p.np_to_seq IS NULL`;
    return this.db.current().query<LivePage & Record<string, unknown>>(sql`
      WITH named AS (SELECT p.np_node, p.np_lineage FROM page_publication p WHERE ${live} AND p.np_node = ANY(${[...node_ids]}::uuid[])),
        wanted AS (SELECT np_node AS id FROM named UNION SELECT substr(np_lineage, 1 + 32 * step, 32)::uuid FROM named, generate_series(0, length(np_lineage) / 32 - 1) step)
      SELECT ${LIVE_COLUMNS} FROM wanted JOIN page_publication p ON p.np_node = wanted.id WHERE ${live}`);
  }

  /** What is live of these nodes; without locales, in all of them. */
  findLivePages(node_ids: readonly string[], locales: readonly string[] | null): Promise<readonly LivePage[]> {
    const { tenant_id } = requireScope();
    return this.db.current().query<LivePage & Record<string, unknown>>(sql`
      SELECT ${LIVE_COLUMNS} FROM page_publication p
      WHERE p.tenant_id = ${tenant_id} AND p.np_node = ANY(${[...node_ids]}::uuid[]) AND p.np_to_seq IS NULL
        AND (${locales === null} OR p.np_locale = ANY(${[...(locales ?? [])]}::text[]))`);
  }

  /** The sites of these rows, live or closed. */
  async findSites(np_ids: readonly string[]): Promise<readonly string[]> {
    const rows = await this.db
      .current()
      .query<{ site_id: string }>(
        sql`SELECT DISTINCT np_site AS site_id FROM page_publication WHERE tenant_id = ${requireScope().tenant_id} AND np_id = ANY(${[...np_ids]}::uuid[])`,
      );
    return rows.map(({ site_id }) => site_id);
  }

  /** The nodes stay as they are until the unit of work ends: nobody saves the default locale or moves them until then. */
  async lockNodes(site_id: string, node_ids: readonly string[]): Promise<void> {
    await this.db
      .current()
      .query(
        sql`SELECT 1 FROM node n WHERE n.tenant_id = ${requireScope().tenant_id} AND n.node_site = ${site_id} AND n.node_id = ANY(${[...node_ids]}::uuid[]) ORDER BY n.node_id FOR SHARE`,
      );
  }

  /** Bytes of what these drafts show, as far as it is known without reading them: the tree once for each locale, and all translations. */
  async measureDrafts(refs: readonly { readonly node_id: string }[]): Promise<number> {
    const { tenant_id } = requireScope();
    const row = await this.db.current().first<{ bytes: number }>(sql`
      SELECT coalesce(sum(x.count * octet_length(n.node_tree::text) + (SELECT coalesce(sum(octet_length(l.nl_overlay::text)), 0) FROM node_locale l WHERE l.tenant_id = n.tenant_id AND l.nl_node = n.node_id)), 0)::double precision AS bytes
      FROM (SELECT id, count(*) AS count FROM unnest(${refs.map(({ node_id }) => node_id)}::uuid[]) AS id GROUP BY id) x JOIN node n ON n.tenant_id = ${tenant_id} AND n.node_id = x.id`);
    return row?.bytes ?? 0;
  }

  /** The drafts of these nodes and of those above them, in these locales. */
  findStructures(site_id: string, node_ids: readonly string[], locales: readonly string[]): Promise<readonly DraftStructure[]> {
    const { tenant_id } = requireScope();
    return this.db.current().query<DraftStructure & Record<string, unknown>>(sql`
      WITH named AS (SELECT n.node_id, n.node_lineage FROM node n WHERE n.tenant_id = ${tenant_id} AND n.node_site = ${site_id} AND n.node_id = ANY(${[...node_ids]}::uuid[])),
        wanted AS (SELECT DISTINCT substr(node_lineage, 1 + 32 * step, 32)::uuid AS id FROM named, generate_series(0, length(node_lineage) / 32 - 1) step)
      SELECT n.node_id, l.nl_locale AS locale, n.node_parent AS parent, n.node_lineage AS lineage, n.node_kind AS kind, l.nl_slug AS slug, n.node_order AS "order",
        n.node_name AS name, n.node_menu AS menu, n.node_tags AS tags, l.nl_hash AS hash, n.node_active AS active,
        n.node_kind <> 'page' OR l.nl_locale = s.site_default_locale OR l.nl_overlay <> '{}' OR l.nl_status IN ('published', 'changed') AS is_written
      FROM wanted JOIN node n ON n.tenant_id = ${tenant_id} AND n.node_id = wanted.id JOIN site s ON s.tenant_id = n.tenant_id AND s.site_id = n.node_site
        JOIN node_locale l ON l.tenant_id = n.tenant_id AND l.nl_node = n.node_id AND l.nl_locale = ANY(${[...locales]}::text[])`);
  }

  /** The ids among these that are no nodes of the site. */
  async findUnknown(site_id: string, node_ids: readonly string[]): Promise<readonly string[]> {
    const rows = await this.db
      .current()
      .query<{ id: string }>(
        sql`SELECT id FROM unnest(${[...node_ids]}::uuid[]) id WHERE NOT EXISTS (SELECT FROM node n WHERE n.tenant_id = ${requireScope().tenant_id} AND n.node_site = ${site_id} AND n.node_id = id)`,
      );
    return rows.map(({ id }) => id);
  }

  /** The node and the active ones of the draft below it, parents first. */
  async findSubtree(site_id: string, node_id: string, most: number): Promise<readonly string[]> {
    const { tenant_id } = requireScope();
    const rows = await this.db.current().query<{ node_id: string }>(sql`
      SELECT n.node_id FROM node top JOIN node n ON n.tenant_id = top.tenant_id AND n.node_site = top.node_site AND n.node_lineage >= top.node_lineage AND n.node_lineage < top.node_lineage || ${BEHIND}
      WHERE top.tenant_id = ${tenant_id} AND top.node_site = ${site_id} AND top.node_id = ${node_id} AND (n.node_active OR n.node_id = top.node_id) ORDER BY n.node_lineage LIMIT ${most}`);
    return rows.map((row) => row.node_id);
  }

  /** The path of the draft of a node in a locale. */
  async findDraftPath(node_id: string, locale: string): Promise<string> {
    const { tenant_id } = requireScope();
    const row = await this.db.current().first<{ path: string }>(sql`
      SELECT '/' || string_agg(l.nl_slug, '/' ORDER BY above.step) FILTER (WHERE l.nl_slug <> '') AS path
      FROM node n CROSS JOIN LATERAL (SELECT step, substr(n.node_lineage, 1 + 32 * step, 32)::uuid AS id FROM generate_series(0, length(n.node_lineage) / 32 - 1) step) above
        JOIN node_locale l ON l.tenant_id = n.tenant_id AND l.nl_node = above.id AND l.nl_locale = ${locale}
      WHERE n.tenant_id = ${tenant_id} AND n.node_id = ${node_id}`);
    return row?.path ?? '/';
  }

  async findVersion(node_id: string, ver_number: number): Promise<string | null> {
    const row = await this.db
      .current()
      .first<{ ver_id: string }>(
        sql`SELECT ver_id FROM page_version WHERE tenant_id = ${requireScope().tenant_id} AND ver_node = ${node_id} AND ver_number = ${ver_number}`,
      );
    return row?.ver_id ?? null;
  }

  /** The versions of these nodes that are live. */
  async findLiveVersions(node_ids: readonly string[]): Promise<readonly string[]> {
    const rows = await this.db
      .current()
      .query<{ ver_id: string }>(
        sql`SELECT p.np_version AS ver_id FROM page_publication p WHERE p.tenant_id = ${requireScope().tenant_id} AND p.np_node = ANY(${[...node_ids]}::uuid[]) AND p.np_to_seq IS NULL AND p.np_version IS NOT NULL`,
      );
    return rows.map(({ ver_id }) => ver_id);
  }

  /** Whether a page is live at a path of the locale. */
  async isTaken(site_id: string, locale: string, path_hash: string): Promise<boolean> {
    const row = await this.db
      .current()
      .first(
        sql`SELECT 1 FROM page_publication p WHERE p.tenant_id = ${requireScope().tenant_id} AND p.np_site = ${site_id} AND p.np_locale = ${locale} AND p.np_path_hash = ${path_hash} AND p.np_to_seq IS NULL AND p.np_kind = 'page'`,
      );
    return row !== undefined;
  }

  async closePages(np_ids: readonly string[], site_seq: number, now: Date): Promise<void> {
    await this.db
      .current()
      .execute(
        sql`UPDATE page_publication SET np_to_seq = ${site_seq}, np_closed = ${now} WHERE tenant_id = ${requireScope().tenant_id} AND np_id = ANY(${[...np_ids]}::uuid[]) AND np_to_seq IS NULL`,
      );
  }

  async openPages(
    site_id: string,
    pages: readonly NewLivePage[],
    at: { readonly site_seq: number; readonly now: Date; readonly by: string | null },
  ): Promise<void> {
    const { tenant_id } = requireScope();
    await this.db.current().execute(sql`
      INSERT INTO page_publication (tenant_id, np_id, np_site, np_node, np_locale, np_kind, np_parent, np_lineage, np_order, np_slug, np_path, np_path_hash, np_name, np_template,
        np_template_key, np_link, np_tags, np_menu, np_noindex, np_version, np_snapshot, np_hash, np_from_seq, np_published, np_published_by, np_first_published)
      SELECT ${tenant_id}, x.np_id, ${site_id}, x.node_id, x.locale, x.kind, x.parent, x.lineage, x."order", x.slug, x.path, encode(sha256(convert_to(x.path, 'UTF8')), 'hex'), x.name, x.template,
        (SELECT tpl_key FROM content_schema s WHERE s.tenant_id = ${tenant_id} AND s.tpl_id = x.template), CASE WHEN jsonb_typeof(x.link) = 'null' THEN NULL ELSE x.link END,
        ARRAY(SELECT jsonb_array_elements_text(x.tags)), x.menu, x.noindex, x.version, x.snapshot, x.hash, ${at.site_seq}, ${at.now}, ${at.by}, x.first_published
      FROM jsonb_to_recordset(${JSON.stringify(pages)}::jsonb) AS x (np_id uuid, node_id uuid, locale text, kind text, parent uuid, lineage text, "order" text, slug text, path text,
        name text, template uuid, link jsonb, tags jsonb, menu boolean, noindex boolean, version uuid, snapshot uuid, hash text, first_published timestamptz)`);
  }

  /**
   * Everything that is live below pages that got another place goes along; how many. Pages that are opened by themselves were closed
   * before. First all of it is closed, then it is opened again, so that pages may take each other's paths.
   */
  async moveDescendants(
    site_id: string,
    moved: readonly MovedPage[],
    { closed, site_seq, now }: { readonly closed: readonly string[]; readonly site_seq: number; readonly now: Date },
  ): Promise<number> {
    const { tenant_id } = requireScope();
    const moves = sql`jsonb_to_recordset(${JSON.stringify(moved)}::jsonb) AS m (locale text, node_id uuid, old_lineage text, new_lineage text, old_path text, new_path text)`;
    const along = await this.db.current().execute(sql`
      UPDATE page_publication p SET np_to_seq = ${site_seq}, np_closed = ${now} FROM ${moves}
      WHERE p.tenant_id = ${tenant_id} AND p.np_site = ${site_id} AND p.np_locale = m.locale AND ${below(sql`m.old_lineage`)} AND p.np_to_seq IS NULL`);
    if (along === 0) return 0;
    return this.db.current().execute(sql`
      INSERT INTO page_publication (tenant_id, np_id, ${KEPT}, np_parent, np_lineage, np_path, np_path_hash, np_from_seq)
      SELECT ${tenant_id}, gen_random_uuid(), ${KEPT}, np_parent, lineage, path, encode(sha256(convert_to(path, 'UTF8')), 'hex'), ${site_seq} FROM (
        SELECT DISTINCT ON (p.np_id) p.*, m.new_lineage || substr(p.np_lineage, 1 + length(m.old_lineage)) AS lineage,
          CASE WHEN m.new_path = '/' THEN '' ELSE m.new_path END || CASE WHEN m.old_path = '/' THEN p.np_path ELSE substr(p.np_path, 1 + length(m.old_path)) END AS path
        FROM page_publication p JOIN ${moves} ON p.np_locale = m.locale AND ${below(sql`m.old_lineage`)}
        WHERE p.tenant_id = ${tenant_id} AND p.np_site = ${site_id} AND p.np_to_seq = ${site_seq} AND p.np_id <> ALL(${[...closed]}::uuid[])
        ORDER BY p.np_id, length(m.old_lineage) DESC) moved`);
  }

  /** The nodes among these below which something is live that visitors can find, as `locale node`. */
  async findWithLiveBelow(
    site_id: string,
    pages: readonly Pick<LivePage, 'node_id' | 'locale' | 'lineage'>[],
  ): Promise<ReadonlySet<string>> {
    if (pages.length === 0) return new Set();
    const { tenant_id } = requireScope();
    const asked = pages.map(({ node_id, locale, lineage }) => ({ node_id, locale, lineage }));
    const rows = await this.db.current().query<{ key: string }>(sql`
      SELECT m.locale || ' ' || m.node_id AS key FROM jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) AS m (node_id uuid, locale text, lineage text)
      WHERE EXISTS (SELECT FROM page_publication p WHERE p.tenant_id = ${tenant_id} AND p.np_site = ${site_id} AND p.np_locale = m.locale AND ${below(sql`m.lineage`)} AND p.np_to_seq IS NULL AND p.np_kind <> 'segment')`);
    return new Set(rows.map(({ key }) => key));
  }

  /** Segments below which nothing is live any more are closed. */
  async closeEmptySegments(site_id: string, lineages: readonly string[], site_seq: number, now: Date): Promise<void> {
    const { tenant_id } = requireScope();
    const above = [
      ...new Set(
        lineages.flatMap((lineage) => Array.from({ length: lineage.length / 32 - 1 }, (_, step) => lineage.slice(0, 32 * (step + 1)))),
      ),
    ];
    if (above.length === 0) return;
    await this.db.current().execute(sql`
      UPDATE page_publication s SET np_to_seq = ${site_seq}, np_closed = ${now}
      WHERE s.tenant_id = ${tenant_id} AND s.np_site = ${site_id} AND s.np_lineage = ANY(${above}::text[]) AND s.np_kind = 'segment' AND s.np_to_seq IS NULL
        AND NOT EXISTS (SELECT FROM page_publication p WHERE p.tenant_id = s.tenant_id AND p.np_site = s.np_site AND p.np_locale = s.np_locale AND ${below(sql`s.np_lineage`)} AND p.np_to_seq IS NULL AND p.np_kind <> 'segment')`);
  }

  /** The states of drafts after a publish or its end, in all the locales at once. */
  async saveStates(
    states: readonly {
      readonly node_id: string;
      readonly locale: string;
      readonly status: 'published' | 'unpublished';
      readonly hash: string | null;
      readonly first_published: Date | null;
    }[],
  ): Promise<void> {
    await this.db.current().execute(sql`
      UPDATE node_locale l SET nl_status = CASE WHEN x.status = 'published' AND x.hash IS DISTINCT FROM l.nl_hash THEN 'changed' ELSE x.status END,
        nl_first_published = coalesce(l.nl_first_published, x.first_published)
      FROM jsonb_to_recordset(${JSON.stringify(states)}::jsonb) AS x (node_id uuid, locale text, status text, hash text, first_published timestamptz)
      WHERE l.tenant_id = ${requireScope().tenant_id} AND l.nl_node = x.node_id AND l.nl_locale = x.locale`);
  }
}

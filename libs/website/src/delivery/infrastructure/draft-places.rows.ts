import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql } from '@atrium/platform/database';

/** Where a node is in the draft of a locale. */
export interface DraftPlaceRow {
  readonly node_id: string;
  readonly locale: string;
  readonly kind: 'page' | 'folder' | 'link';
  readonly name: string;
  readonly path: string;
}

/** Paths of drafts, for previews. */
@Injectable()
export class DraftPlacesRows {
  constructor(private readonly db: Database) {}

  /** The node at a path of the draft. The children of the home page are at the top of paths, like those of the site. */
  async findAt(site_id: string, locale: string, segments: readonly string[]): Promise<string | null> {
    const { tenant_id } = requireScope();
    const row = await this.db.current().first<{ node: string }>(sql`
      WITH RECURSIVE home AS (SELECT nl_node FROM node_locale WHERE tenant_id = ${tenant_id} AND nl_site = ${site_id} AND nl_parent IS NULL AND nl_locale = ${locale} AND nl_slug = '' AND nl_active),
        walk AS (
          SELECT l.nl_node AS node, 1 AS step FROM node_locale l WHERE l.tenant_id = ${tenant_id} AND l.nl_site = ${site_id} AND l.nl_locale = ${locale} AND l.nl_slug = ${segments[0] ?? ''} AND l.nl_active
            AND (l.nl_parent IS NULL OR l.nl_parent = (SELECT nl_node FROM home))
          UNION ALL
          SELECT l.nl_node, walk.step + 1 FROM walk JOIN node_locale l ON l.tenant_id = ${tenant_id} AND l.nl_site = ${site_id} AND l.nl_parent = walk.node AND l.nl_locale = ${locale}
            AND l.nl_slug = (${[...segments]}::text[])[walk.step + 1] AND l.nl_active)
      SELECT node FROM walk WHERE step = ${Math.max(1, segments.length)} LIMIT 1`);
    return row?.node ?? null;
  }

  /** Where active nodes are in the drafts of these locales. */
  async findPlaces(site_id: string, node_ids: readonly string[], locales: readonly string[]): Promise<readonly DraftPlaceRow[]> {
    if (node_ids.length === 0) return [];
    const { tenant_id } = requireScope();
    return this.db.current().query<DraftPlaceRow & Record<string, unknown>>(sql`
      SELECT n.node_id, code.locale, n.node_kind AS kind, n.node_name AS name,
        (SELECT coalesce('/' || string_agg(slug, '/' ORDER BY step) FILTER (WHERE slug <> ''), '/') FROM (
          SELECT step, (SELECT l.nl_slug FROM node_locale l WHERE l.tenant_id = ${tenant_id} AND l.nl_node = substr(n.node_lineage, 1 + 32 * step, 32)::uuid AND l.nl_locale = code.locale) AS slug
          FROM generate_series(0, length(n.node_lineage) / 32 - 1) step) slugs) AS path
      FROM node n CROSS JOIN unnest(${[...locales]}::text[]) AS code (locale)
      WHERE n.tenant_id = ${tenant_id} AND n.node_site = ${site_id} AND n.node_id = ANY(${[...node_ids]}::uuid[]) AND n.node_active`);
  }

  /** Where nodes are live in a locale, for visitors who may not see more of them. */
  async findLivePlaces(site_id: string, node_ids: readonly string[], locale: string): Promise<readonly DraftPlaceRow[]> {
    if (node_ids.length === 0) return [];
    return this.db.current().query<DraftPlaceRow & Record<string, unknown>>(sql`
      SELECT np_node AS node_id, np_locale AS locale, np_kind AS kind, np_name AS name, np_path AS path FROM page_publication
      WHERE tenant_id = ${requireScope().tenant_id} AND np_node = ANY(${[...node_ids]}::uuid[]) AND np_locale = ${locale} AND np_site = ${site_id} AND np_to_seq IS NULL AND np_kind <> 'segment'`);
  }

  /** Whether a draft of the site, or of one of its nodes, refers to the file. */
  async isInDraft(site_id: string, file_id: string, node_id: string | null): Promise<boolean> {
    const row = await this.db.current().first(sql`
      SELECT 1 FROM node_reference r JOIN node n ON n.tenant_id = r.tenant_id AND n.node_id = r.nref_node AND n.node_site = ${site_id} AND n.node_active
      WHERE r.tenant_id = ${requireScope().tenant_id} AND r.nref_kind = 'file' AND r.nref_ref = ${file_id} AND (${node_id}::uuid IS NULL OR r.nref_node = ${node_id}) LIMIT 1`);
    return row !== undefined;
  }
}

import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql, type Sql } from '@atrium/platform/database';
import type { NodeLocale } from '../domain/node-locale';

type LocaleRow = NodeLocale & Record<string, unknown>;

/** A row of a locale to be written; what it was when it was first saved stays. */
export type WrittenLocale = Pick<
  NodeLocale,
  'nl_node' | 'nl_locale' | 'nl_slug' | 'nl_overlay' | 'nl_sources' | 'nl_revision' | 'nl_hash' | 'nl_missing' | 'nl_stale' | 'nl_status'
>;

/** Where a node is: what decides which slugs are taken beside it. */
export interface SlugPlace {
  readonly site_id: string;
  readonly parent: string | null;
}

const COLUMNS = sql`l.nl_node, l.nl_locale, l.nl_parent, l.nl_slug, l.nl_overlay, l.nl_sources, l.nl_revision, l.nl_hash, l.nl_missing, l.nl_stale, l.nl_status,
  (SELECT p.np_hash FROM page_publication p WHERE p.tenant_id = l.tenant_id AND p.np_node = l.nl_node AND p.np_locale = l.nl_locale AND p.np_to_seq IS NULL AND p.np_kind <> 'segment') AS live_hash`;

/** What is written of each row, as PostgreSQL reads it from JSON. */
const WRITTEN = sql`(nl_node uuid, nl_locale text, nl_slug text, nl_overlay jsonb, nl_sources jsonb, nl_revision integer, nl_hash text, nl_missing integer, nl_stale integer, nl_status text)`;

/** The rows of locales. They change under the lock of their node, and their places under the lock of the structure of the site. */
@Injectable()
export class NodeLocaleRows {
  constructor(private readonly db: Database) {}

  /** The rows of the nodes, by node. */
  async findLocales(node_ids: readonly string[]): Promise<ReadonlyMap<string, readonly NodeLocale[]>> {
    const rows = await this.db
      .current()
      .query<LocaleRow>(
        sql`SELECT ${COLUMNS} FROM node_locale l WHERE l.tenant_id = ${tenant()} AND l.nl_node = ANY(${[...node_ids]}::uuid[]) ORDER BY l.nl_node, l.nl_locale`,
      );
    const found = new Map<string, NodeLocale[]>(node_ids.map((id) => [id, []]));
    for (const row of rows) found.get(row.nl_node)?.push(row);
    return found;
  }

  async insertLocales(rows: readonly WrittenLocale[], { now, by }: { readonly now: Date; readonly by: string | null }): Promise<void> {
    await this.db.current().execute(sql`
      INSERT INTO node_locale (tenant_id, nl_node, nl_locale, nl_site, nl_parent, nl_slug, nl_overlay, nl_sources, nl_revision, nl_hash, nl_missing, nl_stale, nl_status, nl_updated, nl_updated_by)
      SELECT n.tenant_id, w.nl_node, w.nl_locale, n.node_site, n.node_parent, w.nl_slug, w.nl_overlay, w.nl_sources, w.nl_revision, w.nl_hash, w.nl_missing, w.nl_stale, w.nl_status, ${now}, ${by}::uuid
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS w ${WRITTEN} JOIN node n ON n.tenant_id = ${tenant()} AND n.node_id = w.nl_node`);
  }

  async saveLocales(rows: readonly WrittenLocale[], { now, by }: { readonly now: Date; readonly by: string | null }): Promise<void> {
    if (rows.length === 0) return;
    await this.db.current().execute(sql`
      UPDATE node_locale l SET nl_parent = n.node_parent, nl_active = n.node_active, nl_slug = w.nl_slug, nl_overlay = w.nl_overlay, nl_sources = w.nl_sources, nl_revision = w.nl_revision, nl_hash = w.nl_hash,
        nl_missing = w.nl_missing, nl_stale = w.nl_stale, nl_status = w.nl_status, nl_updated = ${now}, nl_updated_by = ${by}::uuid
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS w ${WRITTEN} JOIN node n ON n.tenant_id = ${tenant()} AND n.node_id = w.nl_node
      WHERE l.tenant_id = n.tenant_id AND l.nl_node = w.nl_node AND l.nl_locale = w.nl_locale`);
  }

  /** Follows the nodes to their parents, and into the trash and out of it. */
  async followNodes(node_ids: readonly string[]): Promise<void> {
    await this.db.current().execute(sql`
      UPDATE node_locale l SET nl_parent = n.node_parent, nl_active = n.node_active FROM node n
      WHERE n.tenant_id = ${tenant()} AND n.node_id = ANY(${[...node_ids]}::uuid[]) AND l.tenant_id = n.tenant_id AND l.nl_node = n.node_id
        AND (l.nl_parent IS DISTINCT FROM n.node_parent OR l.nl_active <> n.node_active)`);
  }

  /** The slugs at a place that are one of these or continue it with a hyphen, in any locale. */
  async findSlugsLike(
    { site_id, parent }: SlugPlace,
    slugs: readonly string[],
    except: readonly string[] = [],
  ): Promise<ReadonlySet<string>> {
    const rows = await this.db.current().query<{ nl_slug: string }>(sql`
      SELECT DISTINCT l.nl_slug FROM node_locale l JOIN unnest(${[...slugs]}::text[]) AS s (slug) ON l.nl_slug = s.slug OR starts_with(l.nl_slug, s.slug || '-')
      WHERE l.tenant_id = ${tenant()} AND l.nl_site = ${site_id} AND ${underParent(parent)} AND l.nl_active AND l.nl_node <> ALL(${[...except]}::uuid[])`);
    return new Set(rows.map(({ nl_slug }) => nl_slug));
  }

  /** The slugs of nodes by locale: what paths are made of. */
  async findSlugs(node_ids: readonly string[]): Promise<ReadonlyMap<string, ReadonlyMap<string, string>>> {
    const rows = await this.db
      .current()
      .query<{ nl_node: string; slugs: Record<string, string> }>(
        sql`SELECT l.nl_node, jsonb_object_agg(l.nl_locale, l.nl_slug) AS slugs FROM node_locale l WHERE l.tenant_id = ${tenant()} AND l.nl_node = ANY(${[...node_ids]}::uuid[]) GROUP BY l.nl_node`,
      );
    return new Map(rows.map(({ nl_node, slugs }) => [nl_node, new Map(Object.entries(slugs))]));
  }
}

const tenant = (): string => requireScope().tenant_id;

const underParent = (parent: string | null): Sql => (parent === null ? sql`l.nl_parent IS NULL` : sql`l.nl_parent = ${parent}::uuid`);

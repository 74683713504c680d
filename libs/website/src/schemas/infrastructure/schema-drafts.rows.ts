import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql } from '@atrium/platform/database';
import type { JsonObject } from '@atrium/platform/kernel';

/** The draft of a page: its tree, which is that of the default locale. */
export interface DraftTree {
  readonly node_id: string;
  readonly node_tree: JsonObject;
}

/** What a locale says of a page, and the hashes of what it translates. */
export interface DraftOverlay {
  readonly nl_node: string;
  readonly nl_locale: string;
  readonly nl_overlay: JsonObject;
  readonly nl_sources: JsonObject;
}

/** A stretch of the pages that a library can reach: those with blocks of a schema, and where the next stretch begins. */
export interface DraftStretch {
  readonly node_ids: readonly string[];
  readonly next: string | null;
}

const NO_ID = '00000000-0000-0000-0000-000000000000';

/** Drafts of pages, as far as a change of a content schema concerns them. */
@Injectable()
export class SchemaDraftsRows {
  constructor(private readonly db: Database) {}

  /** The pages on sites of the library behind a position that have blocks of the component, among so many. */
  async findStretch(
    { tpl_library, tpl_key }: { readonly tpl_library: string; readonly tpl_key: string },
    after: string | null,
    size: number,
  ): Promise<DraftStretch> {
    const rows = await this.db.current().query<{ node_id: string; has: boolean }>(sql`
      SELECT p.node_id, jsonb_path_exists(p.node_tree, '$.** ? (@.component == $key)', jsonb_build_object('key', ${tpl_key}::text)) AS has FROM (
        SELECT n.node_id, n.node_tree FROM node n WHERE n.tenant_id = ${requireScope().tenant_id} AND n.node_kind = 'page' AND n.node_id > ${after ?? NO_ID}::uuid
          AND EXISTS (SELECT FROM site s WHERE s.tenant_id = n.tenant_id AND s.site_id = n.node_site AND s.site_library = ${tpl_library})
        ORDER BY n.node_id LIMIT ${size}
      ) p ORDER BY p.node_id`);
    return {
      node_ids: rows.filter(({ has }) => has).map(({ node_id }) => node_id),
      next: rows.length < size ? null : (rows.at(-1)?.node_id ?? null),
    };
  }

  readTrees(node_ids: readonly string[]): Promise<DraftTree[]> {
    return this.db
      .current()
      .query<DraftTree & Record<string, unknown>>(
        sql`SELECT node_id, node_tree FROM node WHERE tenant_id = ${requireScope().tenant_id} AND node_id = ANY(${[...node_ids]}::uuid[]) ORDER BY node_id`,
      );
  }

  /** The same, kept from other changes until the unit of work ends. */
  lockTrees(node_ids: readonly string[]): Promise<DraftTree[]> {
    return this.db
      .current()
      .query<DraftTree & Record<string, unknown>>(
        sql`SELECT node_id, node_tree FROM node WHERE tenant_id = ${requireScope().tenant_id} AND node_id = ANY(${[...node_ids]}::uuid[]) ORDER BY node_id FOR NO KEY UPDATE`,
      );
  }

  lockOverlays(node_ids: readonly string[]): Promise<DraftOverlay[]> {
    return this.db.current().query<DraftOverlay & Record<string, unknown>>(
      sql`SELECT nl_node, nl_locale, nl_overlay, nl_sources FROM node_locale WHERE tenant_id = ${requireScope().tenant_id} AND nl_node = ANY(${[...node_ids]}::uuid[])
          AND nl_overlay <> '{}' ORDER BY nl_node, nl_locale FOR NO KEY UPDATE`,
    );
  }

  /** What readers see does not change, as they see it through the moves already; so versions and moments stay as they are. */
  async saveTrees(trees: readonly DraftTree[]): Promise<void> {
    await this.db.current().execute(
      sql`UPDATE node n SET node_tree = t.tree FROM unnest(${trees.map(({ node_id }) => node_id)}::uuid[], ${trees.map(({ node_tree }) => JSON.stringify(node_tree))}::jsonb[]) t (id, tree)
          WHERE n.tenant_id = ${requireScope().tenant_id} AND n.node_id = t.id`,
    );
  }

  async saveOverlays(overlays: readonly DraftOverlay[]): Promise<void> {
    await this.db.current().execute(sql`
      UPDATE node_locale l SET nl_overlay = t.overlay, nl_sources = t.sources
      FROM unnest(${overlays.map(({ nl_node }) => nl_node)}::uuid[], ${overlays.map(({ nl_locale }) => nl_locale)}::text[],
        ${overlays.map(({ nl_overlay }) => JSON.stringify(nl_overlay))}::jsonb[], ${overlays.map(({ nl_sources }) => JSON.stringify(nl_sources))}::jsonb[]) t (node, locale, overlay, sources)
      WHERE l.tenant_id = ${requireScope().tenant_id} AND l.nl_node = t.node AND l.nl_locale = t.locale`);
  }
}

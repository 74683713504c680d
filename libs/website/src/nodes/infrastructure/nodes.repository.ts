import { Injectable } from '@nestjs/common';
import {
  columnsOf,
  Database,
  listPage,
  requireScope,
  ResourceRepository,
  sql,
  type ListParameters,
  type MethodsOf,
  type Page,
  type Sql,
} from '@atrium/platform/database';
import { holdOfNode } from '../../shared/website-holds';
import { BEHIND } from '../domain/lineage';
import { Node } from '../domain/node';

type Hidden = 'tenant_id' | 'row_version' | 'node_tree' | 'node_removed' | 'node_removed_by' | 'node_removed_with' | 'node_lineage';

/** A node as it is stored, without its content. */
export type NodeRow = Omit<Node, Hidden | MethodsOf<Node>> & { readonly node_lineage: string };
export type VersionedNodeRow = NodeRow & { readonly row_version: number };

/** A node of a tree, in the order in which trees are written: parents before children, siblings by their rank. */
export interface TreeRow extends Record<string, unknown> {
  readonly node_id: string;
  readonly node_parent: string | null;
  readonly node_kind: Node['node_kind'];
  readonly node_name: string;
  readonly node_template: string | null;
  readonly node_menu: boolean;
  readonly node_lineage: string;
  readonly slug: string;
  readonly state: string;
  readonly has_children: boolean;
}

export interface TreePart {
  readonly locale: string;
  /** Of the node whose branch is read; empty for the whole site. */
  readonly lineage: string;
  readonly depth: number;
  readonly most: number;
}

/** A node below one that is deleted. */
export interface ChildRow extends Record<string, unknown>, Pick<Node, 'node_id' | 'node_slug' | 'node_slugs' | 'node_lineage'> {}

/** A node with its place beside its former parent. */
export interface LiftedNode extends Pick<Node, 'node_id' | 'node_slug' | 'node_slugs' | 'node_order' | 'node_lineage'> {
  /** The lineage that it had. */
  readonly from: string;
}

/** What nodes are asked for by. */
export interface InSite {
  readonly site_id: string;
  readonly parent: string | null;
}

/** Nodes as aggregates and as answers, and the tree that they make. */
@Injectable()
export class NodesRepository extends ResourceRepository<Node> {
  constructor(db: Database) {
    // Children refer to their parent: they are written while it is changed.
    super(db, Node, 'page', 'beside');
  }

  listNodes(site_id: string, query: ListParameters, where: Sql, locales: number): Promise<Page<NodeRow>> {
    return listPage<NodeRow>(this.db.current(), Node, query, {
      where: sql`r.node_site = ${site_id} AND ${where}`,
      select: sql`r.node_lineage`,
      ignore: ['node_active'],
      effort: { most: MOST_LOCALES_OF_PAGE, of: () => locales },
      // Which index serves depends on the filters: a parent has few children, a branch may be half of the site.
      byValues: true,
    });
  }

  findNodeRow(site_id: string, node_id: string): Promise<VersionedNodeRow | undefined> {
    return this.db
      .current()
      .first(sql`SELECT ${columnsOf(Node)}, r.row_version, r.node_lineage FROM node r WHERE ${inSite(site_id)} AND r.node_id = ${node_id}`);
  }

  /** Parents before children. */
  async insertNodes(nodes: readonly Node[]): Promise<void> {
    await this.db.current().execute(sql`
      INSERT INTO node (tenant_id, node_id, node_site, node_parent, node_kind, node_name, node_slug, node_slugs, node_order, node_template, node_tree, node_seo, node_link, node_tags, node_menu, node_metadata,
        node_lineage, node_created, node_updated, node_created_by, node_updated_by)
      SELECT ${requireScope().tenant_id}, w.node_id, w.node_site, w.node_parent, w.node_kind, w.node_name, w.node_slug, w.node_slugs, w.node_order, w.node_template, w.node_tree, w.node_seo, w.node_link, w.node_tags,
        w.node_menu, w.node_metadata, w.node_lineage, w.node_created, w.node_updated, w.node_created_by, w.node_updated_by
      FROM jsonb_populate_recordset(null::node, ${JSON.stringify(nodes)}::jsonb) AS w`);
  }

  /** The nodes of the site among the ids, for reading. */
  async findNodes(site_id: string, node_ids: readonly string[]): Promise<readonly Node[]> {
    const rows = await this.db
      .current()
      .query<Record<string, unknown> & { readonly node_created: string; readonly node_updated: string }>(
        sql`SELECT ${columnsOf(Node)}, r.row_version, r.node_tree, r.node_lineage FROM node r WHERE ${inSite(site_id)} AND r.node_id = ANY(${[...node_ids]}::uuid[])`,
      );
    return rows.map((row) =>
      Object.assign(new Node(), row, { node_created: new Date(row.node_created), node_updated: new Date(row.node_updated) }),
    );
  }

  /** The lineages of the active nodes of the site among the ids. */
  async findLineages(site_id: string, node_ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (node_ids.length === 0) return new Map();
    const rows = await this.db
      .current()
      .query<{ node_id: string; node_lineage: string }>(
        sql`SELECT r.node_id, r.node_lineage FROM node r WHERE ${inSite(site_id)} AND r.node_id = ANY(${[...node_ids]}::uuid[]) AND r.node_active`,
      );
    return new Map(rows.map(({ node_id, node_lineage }) => [node_id, node_lineage]));
  }

  /** Active nodes down to a depth, one statement; the slugs and states are those of a locale. */
  listTree(site_id: string, { locale, lineage, depth, most }: TreePart): Promise<TreeRow[]> {
    const longest = lineage.length + depth * STEP;
    return this.db.current().query<TreeRow>(sql`
      SELECT r.node_id, r.node_parent, r.node_kind, r.node_name, r.node_template, r.node_menu, r.node_lineage, l.nl_slug AS slug, l.nl_status AS state,
        EXISTS (SELECT FROM node c WHERE c.tenant_id = r.tenant_id AND c.node_site = r.node_site AND c.node_parent = r.node_id AND c.node_active) AS has_children
      FROM node r JOIN node_locale l ON l.tenant_id = r.tenant_id AND l.nl_node = r.node_id AND l.nl_locale = ${locale}
      WHERE ${inSite(site_id)} AND r.node_active AND r.node_lineage > ${lineage} AND r.node_lineage < ${lineage + BEHIND} AND length(r.node_lineage) <= ${longest}::integer
      ORDER BY length(r.node_lineage), r.node_order, r.node_id LIMIT ${most + 1}`);
  }

  /** Nodes of the site, at most one more than the number. Those in the trash count. */
  async countNodes(site_id: string, most: number): Promise<number> {
    return this.countRows(sql`SELECT 1 FROM node r WHERE ${inSite(site_id)} LIMIT ${most + 1}`);
  }

  async countChildren({ site_id, parent }: InSite, most: number): Promise<number> {
    return this.countRows(
      sql`SELECT 1 FROM node r WHERE ${inSite(site_id)} AND ${underParent(parent)} AND r.node_active LIMIT ${most + 1}`,
    );
  }

  /** How many levels there are from the node down, itself included. */
  async countLevels({ node_site, node_lineage }: Pick<Node, 'node_site' | 'node_lineage'>): Promise<number> {
    const row = await this.db
      .current()
      .first<{ longest: number }>(
        sql`SELECT max(length(r.node_lineage)) AS longest FROM node r WHERE ${inSite(node_site)} AND ${subtree(node_lineage)}`,
      );
    return ((row?.longest ?? node_lineage.length) - node_lineage.length) / STEP + 1;
  }

  /** The nodes below one follow it to its new place; those in the trash too. */
  async moveDescendants(site_id: string, from: string, to: string): Promise<void> {
    await this.db
      .current()
      .execute(
        sql`UPDATE node r SET node_lineage = ${to}::text || substr(r.node_lineage, ${from.length + 1}::integer) WHERE ${inSite(site_id)} AND ${subtree(from)} AND r.node_lineage <> ${from}`,
      );
  }

  /** The active node with this id and all active ones below it, parents first. */
  async findSubtreeIds({ node_site, node_lineage }: Pick<Node, 'node_site' | 'node_lineage'>, most: number): Promise<readonly string[]> {
    const rows = await this.db
      .current()
      .query<{ node_id: string }>(
        sql`SELECT r.node_id FROM node r WHERE ${inSite(node_site)} AND ${subtree(node_lineage)} AND r.node_active ORDER BY length(r.node_lineage), r.node_order, r.node_id LIMIT ${most}`,
      );
    return rows.map(({ node_id }) => node_id);
  }

  /** The active nodes directly below one, in their order, locked. */
  findChildren({ site_id, parent }: InSite): Promise<ChildRow[]> {
    return this.db
      .current()
      .query<ChildRow>(
        sql`SELECT r.node_id, r.node_slug, r.node_slugs, r.node_lineage FROM node r WHERE ${inSite(site_id)} AND ${underParent(parent)} AND r.node_active ORDER BY r.node_order, r.node_id FOR NO KEY UPDATE`,
      );
  }

  /** Nodes move beside their former parent. */
  async liftNodes(
    lifted: readonly LiftedNode[],
    { parent, now, by }: { readonly parent: string | null; readonly now: Date; readonly by: string | null },
  ): Promise<void> {
    await this.db.current().execute(sql`
      UPDATE node r SET row_version = r.row_version + 1, node_parent = ${parent}::uuid, node_order = w.node_order, node_slug = w.node_slug, node_slugs = w.node_slugs, node_updated = ${now}, node_updated_by = ${by}::uuid
      FROM jsonb_to_recordset(${JSON.stringify(lifted)}::jsonb) AS w (node_id uuid, node_order text, node_slug text, node_slugs jsonb)
      WHERE r.tenant_id = ${requireScope().tenant_id} AND r.node_id = w.node_id`);
  }

  /** All that is below nodes follows them to their new lineages, they themselves too. */
  async followParents(site_id: string, moved: readonly Pick<LiftedNode, 'from' | 'node_lineage'>[]): Promise<void> {
    const [from, to] = [moved.map((one) => one.from), moved.map((one) => one.node_lineage)];
    await this.db.current().execute(sql`
      UPDATE node r SET node_lineage = w.after || substr(r.node_lineage, length(w.before) + 1) FROM unnest(${from}::text[], ${to}::text[]) AS w (before, after)
      WHERE ${inSite(site_id)} AND r.node_lineage COLLATE "C" >= w.before COLLATE "C" AND r.node_lineage COLLATE "C" < (w.before || ${BEHIND}::text) COLLATE "C"`);
  }

  /** The ids that were taken to the trash along with the node, itself included. */
  async findTakenAlong(site_id: string, node_id: string): Promise<readonly string[]> {
    const rows = await this.db
      .current()
      .query<{ node_id: string }>(
        sql`SELECT r.node_id FROM node r WHERE ${inSite(site_id)} AND NOT r.node_active AND r.node_removed_with = ${node_id} ORDER BY length(r.node_lineage), r.node_id`,
      );
    return rows.map(({ node_id: id }) => id);
  }

  /** All of them to the trash, or out of it. */
  async setTrashed(
    node_ids: readonly string[],
    trashed: { readonly now: Date; readonly by: string | null; readonly withNode: string } | null,
    touched: { readonly now: Date; readonly by: string | null },
  ): Promise<void> {
    await this.db.current().execute(sql`
      UPDATE node r SET row_version = r.row_version + 1, node_active = ${trashed === null}, node_removed = ${trashed?.now ?? null}::timestamptz, node_removed_by = ${trashed?.by ?? null}::uuid,
        node_removed_with = ${trashed?.withNode ?? null}::uuid, node_updated = ${touched.now}, node_updated_by = ${touched.by}::uuid
      WHERE r.tenant_id = ${requireScope().tenant_id} AND r.node_id = ANY(${[...node_ids]}::uuid[])`);
  }

  /** Nodes of a site in the order of their ids, locked. */
  async lockStretch(site_id: string, after: string | null, most: number): Promise<readonly string[]> {
    const behind = after === null ? sql`true` : sql`r.node_id > ${after}::uuid`;
    const rows = await this.db
      .current()
      .query<{ node_id: string }>(
        sql`SELECT r.node_id FROM node r WHERE ${inSite(site_id)} AND ${behind} ORDER BY r.node_id LIMIT ${most} FOR NO KEY UPDATE`,
      );
    return rows.map(({ node_id }) => node_id);
  }

  /** The active nodes among the ids on active sites that the condition on `s` lets through. */
  findReadable(node_ids: readonly string[], readable: Sql): Promise<{ readonly node_id: string; readonly node_name: string }[]> {
    return this.db.current().query(sql`
      SELECT r.node_id, r.node_name FROM node r JOIN site s ON s.tenant_id = r.tenant_id AND s.site_id = r.node_site
      WHERE r.tenant_id = ${requireScope().tenant_id} AND r.node_id = ANY(${[...node_ids]}::uuid[]) AND r.node_active AND s.site_active AND ${readable}`);
  }

  /** Removes what has been in the trash since before a moment, the lowest levels first, except for what is on hold; how many. */
  purgeTrash(before: Date, most: number): Promise<number> {
    const { tenant_id } = requireScope();
    return this.db.current().execute(sql`
      DELETE FROM node n USING (SELECT r.node_id FROM node r WHERE r.tenant_id = ${tenant_id} AND r.node_removed < ${before} AND NOT r.node_active AND ${holdOfNode('r')} IS NULL
          AND NOT EXISTS (SELECT FROM node c WHERE c.tenant_id = r.tenant_id AND c.node_site = r.node_site AND c.node_parent = r.node_id) ORDER BY r.node_removed, r.node_id LIMIT ${most}) due
      WHERE n.tenant_id = ${tenant_id} AND n.node_id = due.node_id`);
  }

  /** Gives nodes of one member to another, at most so many; their ids. */
  async handOver(
    { from, to }: { readonly from: string; readonly to: string },
    { after, size }: { readonly after: string | null; readonly size: number },
  ): Promise<string[]> {
    const { tenant_id } = requireScope();
    const behind = after === null ? sql`true` : sql`r.node_id > ${after}::uuid`;
    const rows = await this.db.current().query<{ node_id: string }>(sql`
      WITH stretch AS (SELECT r.node_id FROM node r WHERE r.tenant_id = ${tenant_id} AND r.node_created_by = ${from}::uuid AND ${behind} ORDER BY r.node_id LIMIT ${size} FOR NO KEY UPDATE)
      UPDATE node n SET node_created_by = ${to}::uuid FROM stretch WHERE n.tenant_id = ${tenant_id} AND n.node_id = stretch.node_id RETURNING n.node_id`);
    return rows.map(({ node_id }) => node_id).sort();
  }

  /** Notes that another locale was saved, which is no change of what the version of the node is compared for. */
  async touchBeside(node_id: string, { now, by }: { readonly now: Date; readonly by: string | null }): Promise<void> {
    await this.db
      .current()
      .execute(
        sql`UPDATE node r SET node_updated = ${now}, node_updated_by = ${by}::uuid WHERE r.tenant_id = ${requireScope().tenant_id} AND r.node_id = ${node_id}`,
      );
  }

  private async countRows(rows: Sql): Promise<number> {
    const row = await this.db.current().first<{ found: string }>(sql`SELECT count(*) AS found FROM (${rows}) x`);
    return Number(row?.found ?? 0);
  }
}

const STEP = 32;
/** Locales of all nodes of a page: each is an entry of its answer. */
const MOST_LOCALES_OF_PAGE = 5_000;

const inSite = (site_id: string): Sql => sql`r.tenant_id = ${requireScope().tenant_id} AND r.node_site = ${site_id}`;

export const underParent = (parent: string | null): Sql =>
  parent === null ? sql`r.node_parent IS NULL` : sql`r.node_parent = ${parent}::uuid`;

/** Condition on `r`: the node with the lineage, or one below it. */
export const subtree = (lineage: string): Sql => sql`r.node_lineage >= ${lineage} AND r.node_lineage < ${lineage + BEHIND}`;

/** Condition on `r`: its row of the locale is like that. */
export const localeCondition = (site_id: string, locale: string, like: Sql): Sql =>
  sql`EXISTS (SELECT FROM node_locale l WHERE l.tenant_id = r.tenant_id AND l.nl_site = ${site_id} AND l.nl_node = r.node_id AND l.nl_locale = ${locale} AND l.nl_active = r.node_active AND ${like})`;

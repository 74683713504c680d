import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Database, join, sql, type ListParameters, type Page, type Sql } from '@atrium/platform/database';
import { invalidField, notFound } from '@atrium/platform/kernel';
import { pagePath } from '../../content/domain/slugs';
import { SiteAccess } from '../../sites/application/site-access';
import type { Site } from '../../sites/domain/site';
import { idsIn, MOST_LEVELS } from '../domain/lineage';
import type { NodeState } from '../domain/node-locale';
import type { NodeKind } from '../domain/page-draft';
import { NodeLocaleRows } from '../infrastructure/node-locales.rows';
import { localeCondition, NodesRepository, subtree, underParent, type TreeRow } from '../infrastructure/nodes.repository';
import { NodeAnswers, type NodeAnswer } from './node-answers';
import { requireLocale } from './node-problems';

export interface NodeFilters extends ListParameters {
  readonly node_parent?: string;
  readonly under?: string;
  readonly node_tags?: readonly string[];
  readonly node_active?: boolean;
  readonly state?: NodeState;
  readonly locale?: string;
  readonly missing?: string;
  readonly stale?: string;
}

export interface TreeWish {
  readonly locale?: string;
  readonly depth?: number;
  readonly under?: string;
}

/** A node of the tree in one locale. */
export interface TreeNode {
  readonly node_id: string;
  readonly node_kind: NodeKind;
  readonly node_name: string;
  readonly node_template: string | null;
  readonly node_menu: boolean;
  readonly slug: string;
  readonly path: string;
  readonly state: string;
  /** Whether there are nodes below it that the depth leaves out. */
  readonly has_more: boolean;
  readonly children: readonly TreeNode[];
}

export interface Tree {
  readonly locale: string;
  /** Whether nodes of lower levels are left out. */
  readonly has_more: boolean;
  readonly data: readonly TreeNode[];
}

const TOP = 'root';
/** Nodes of one answer; what lower levels have beyond them is read branch by branch. */
const MOST_IN_TREE = 10_000;

/** Nodes as they are listed, and as the tree that they make. */
@Injectable()
export class NodeList {
  constructor(
    private readonly db: Database,
    private readonly access: SiteAccess,
    private readonly nodes: NodesRepository,
    private readonly locales: NodeLocaleRows,
    private readonly answers: NodeAnswers,
  ) {}

  listNodes(caller: Principal, site_id: string, filters: NodeFilters): Promise<Page<NodeAnswer>> {
    return this.db.read(async () => {
      const site = await this.access.requireReadable(caller, site_id);
      const {
        node_parent: _,
        under: __,
        node_tags: ___,
        node_active: ____,
        state: _____,
        locale: ______,
        missing: _7,
        stale: _8,
        ...query
      } = filters;
      const where = await this.conditions(site, filters);
      const page = await this.nodes.listNodes(site.site_id, query, where, site.site_locales.length);
      return { ...page, data: await this.answers.completeNodes(site, page.data) };
    });
  }

  readTree(caller: Principal, site_id: string, { locale: named, depth = MOST_LEVELS, under }: TreeWish): Promise<Tree> {
    return this.db.read(async () => {
      const site = await this.access.requireReadable(caller, site_id);
      const locale = requireLocale(site, named);
      const lineage = under === undefined ? '' : await this.requireLineage(site, under);
      const rows = await this.nodes.listTree(site.site_id, { locale, lineage, depth, most: MOST_IN_TREE });
      const slugs = await this.locales.findSlugs(idsIn(lineage));
      const above = idsIn(lineage).map((id) => slugs.get(id)?.get(locale) ?? '');
      const { prefix = '' } = site.site_locales.find(({ code }) => code === locale) ?? {};
      return {
        locale,
        has_more: rows.length > MOST_IN_TREE,
        data: nested(rows.slice(0, MOST_IN_TREE), under?.toLowerCase() ?? null, (segments) => pagePath(prefix, [...above, ...segments])),
      };
    });
  }

  private async requireLineage(site: Site, node_id: string): Promise<string> {
    const row = await this.nodes.findNodeRow(site.site_id, node_id);
    if (!row?.node_active) throw notFound('page');
    return row.node_lineage;
  }

  private async conditions(site: Site, filters: NodeFilters): Promise<Sql> {
    const { node_active = true, node_parent, under, node_tags, state, locale, missing, stale } = filters;
    const where: Sql[] = [sql`r.node_active = ${node_active}`];
    if (node_parent !== undefined) where.push(underParent(node_parent === TOP ? null : node_parent));
    if (under !== undefined) {
      const above = await this.nodes.findNodeRow(site.site_id, under);
      where.push(above ? sql`${subtree(above.node_lineage)} AND r.node_lineage <> ${above.node_lineage}` : sql`false`);
    }
    if (node_tags !== undefined) where.push(sql`r.node_tags @> ${[...node_tags]}::text[]`);
    if (state === undefined && locale !== undefined)
      throw invalidField('locale', 'requires state: the state of the page in the locale', 'required');
    if (state !== undefined) where.push(localeCondition(site.site_id, requireLocale(site, locale), sql`l.nl_status = ${state}`));
    if (missing !== undefined) where.push(localeCondition(site.site_id, requireLocale(site, missing), sql`l.nl_missing > 0`));
    if (stale !== undefined) where.push(localeCondition(site.site_id, requireLocale(site, stale), sql`l.nl_stale > 0`));
    return join(where, ' AND ');
  }
}

interface Branch {
  readonly row: TreeRow;
  readonly segments: readonly string[];
  readonly children: Branch[];
}

/** Rows come by their levels: a parent is there before its children. */
function nested(rows: readonly TreeRow[], under: string | null, pathOf: (segments: readonly string[]) => string): TreeNode[] {
  const top: Branch[] = [];
  const branches = new Map<string, Branch>();
  for (const row of rows) {
    const parent = row.node_parent === under ? null : branches.get(row.node_parent ?? '');
    if (parent === undefined) continue;
    const branch = { row, segments: [...(parent?.segments ?? []), row.slug], children: [] };
    branches.set(row.node_id, branch);
    (parent?.children ?? top).push(branch);
  }
  const shown = ({ row: { node_parent: _, node_lineage: __, has_children, ...row }, segments, children }: Branch): TreeNode => ({
    ...row,
    path: pathOf(segments),
    has_more: has_children,
    children: children.map(shown),
  });
  return top.map(shown);
}

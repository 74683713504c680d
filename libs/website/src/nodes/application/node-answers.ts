import { Injectable } from '@nestjs/common';
import { pagePath } from '../../content/domain/slugs';
import { idsIn } from '../domain/lineage';
import type { NodeState } from '../domain/node-locale';
import type { SiteOfDrafts } from '../domain/page-draft';
import { NodeFactsRows, type LocaleFacts } from '../infrastructure/node-facts.rows';
import { NodeLocaleRows } from '../infrastructure/node-locales.rows';
import type { NodeRow } from '../infrastructure/nodes.repository';
import { ApprovalsOfNodes, type NodeApproval } from './approvals-of-nodes';
import { CmsOfNodes, type NodeCms } from './cms-of-nodes';

/** A locale of a node as clients see it. */
export interface ShownLocale {
  readonly locale: string;
  readonly state: NodeState;
  readonly path: string;
  readonly live_path: string | null;
  readonly version: number | null;
  readonly published: Date | null;
  readonly published_by: string | null;
  readonly changed: Date;
  readonly scheduled: Date | null;
  readonly missing: number;
  readonly stale: number;
  readonly approval: NodeApproval | null;
}

/** A node as clients see it. */
export type NodeAnswer<R extends NodeRow = NodeRow> = Omit<R, 'node_lineage'> & {
  readonly node_path: Readonly<Record<string, string>>;
  readonly node_locales: readonly ShownLocale[];
  readonly node_cms: NodeCms | null;
};

/** Completes rows of nodes: their paths, what is live of them in each locale, and their pages in a CMS. */
@Injectable()
export class NodeAnswers {
  constructor(
    private readonly locales: NodeLocaleRows,
    private readonly facts: NodeFactsRows,
    private readonly approvals: ApprovalsOfNodes,
    private readonly cms: CmsOfNodes,
  ) {}

  /** A constant number of statements for all rows. */
  async completeNodes<R extends NodeRow>(site: SiteOfDrafts, rows: readonly R[]): Promise<NodeAnswer<R>[]> {
    if (rows.length === 0) return [];
    const ids = rows.map(({ node_id }) => node_id);
    const slugs = await this.locales.findSlugs([...new Set(rows.flatMap(({ node_lineage }) => idsIn(node_lineage)))]);
    const facts = await this.facts.findLocaleFacts(ids);
    const cms = await this.cms.findLinks(ids);
    const refs = ids.flatMap((id) => site.site_locales.map(({ code: locale }) => ({ id, locale })));
    const approvals = await this.approvals.findApprovals(refs);
    return rows.map(({ node_lineage, ...row }) => {
      const found = new Map((facts.get(row.node_id) ?? []).map((one) => [one.locale, one]));
      const known = site.site_locales.filter(({ code }) => found.has(code));
      const paths = known.map(({ code, prefix }) => [code, pagePath(prefix, slugsOf(node_lineage, slugs, code))] as const);
      const path = new Map(paths);
      return {
        ...row,
        node_path: Object.fromEntries(paths),
        node_locales: known.flatMap(({ code, prefix }) => {
          const locale = found.get(code);
          return locale
            ? [{ ...shown(locale, prefix), path: path.get(code) ?? '/', approval: approvals.get(`${row.node_id} ${code}`) ?? null }]
            : [];
        }),
        node_cms: cms.get(row.node_id) ?? null,
      };
    });
  }
}

const slugsOf = (lineage: string, slugs: ReadonlyMap<string, ReadonlyMap<string, string>>, locale: string): string[] =>
  idsIn(lineage).map((id) => slugs.get(id)?.get(locale) ?? '');

const shown = ({ nl_node: _, np_path, ...facts }: LocaleFacts, prefix: string): Omit<ShownLocale, 'path' | 'approval'> => ({
  ...facts,
  live_path: np_path === null ? null : livePath(prefix, np_path),
});

/** Paths of publications are those within their locale. */
const livePath = (prefix: string, path: string): string => (prefix === '' ? path : `/${prefix}${path === '/' ? '' : path}`);

import { Injectable } from '@nestjs/common';
import { ApprovalGate } from '@atrium/approvals';
import { PermissionSet, type Principal } from '@atrium/platform/access';
import { Database, requireScope } from '@atrium/platform/database';
import { isBlock } from '../../content/domain/content-form';
import { NewNodes } from '../../nodes/application/new-nodes';
import { NodeTrashService } from '../../nodes/application/node-trash.service';
import { SiteLibraries, type SiteLibrary } from '../../nodes/application/site-libraries';
import type { Node } from '../../nodes/domain/node';
import type { NodeLocale, NodeState } from '../../nodes/domain/node-locale';
import { NODE_SUBJECT } from '../../nodes/domain/node-subject';
import { NodeLocaleRows } from '../../nodes/infrastructure/node-locales.rows';
import { NodesRepository } from '../../nodes/infrastructure/nodes.repository';
import { Publishing } from '../../publishing/application/publishing';
import type { Site } from '../../sites/domain/site';
import { SiteStructureLock } from '../../sites/infrastructure/site-structure-lock';
import type { PageDocument } from '../../content/domain/page-document';
import { LocalSummaryRows, type SummaryRow } from '../infrastructure/local-summaries.rows';
import { LocalPages, type LocalPage, type LocalSummary, type LocalWrite } from './local-pages';
import { NodeWriting, requireTemplate } from './node-writing';

/** Pages of sites, by the services through which everyone else writes them. */
@Injectable()
export class NodePages extends LocalPages {
  constructor(
    private readonly db: Database,
    private readonly summaries: LocalSummaryRows,
    private readonly nodes: NodesRepository,
    private readonly locales: NodeLocaleRows,
    private readonly libraries: SiteLibraries,
    private readonly structure: SiteStructureLock,
    private readonly fresh: NewNodes,
    private readonly writing: NodeWriting,
    private readonly bin: NodeTrashService,
    private readonly publishing: Publishing,
    private readonly gate: ApprovalGate,
  ) {
    super();
  }

  async listSummaries(site: Site, after: string | null, most: number): Promise<readonly LocalSummary[]> {
    return (await this.summaries.listSummaries(site.site_id, site.site_default_locale, { after, most })).map(summaryOf);
  }

  async findSummaries(site: Site, node_ids: readonly string[]): Promise<readonly LocalSummary[]> {
    if (node_ids.length === 0) return [];
    return (await this.summaries.findSummaries(site.site_id, site.site_default_locale, node_ids)).map(summaryOf);
  }

  async findAtPaths(site: Site, paths: readonly string[]): Promise<readonly LocalSummary[]> {
    if (paths.length === 0) return [];
    return (await this.summaries.findAtPaths(site.site_id, site.site_default_locale, paths)).map(summaryOf);
  }

  readPages(site: Site, node_ids: readonly string[]): Promise<ReadonlyMap<string, LocalPage>> {
    return this.db.read(async () => {
      const summaries = await this.findSummaries(site, node_ids);
      const [nodes, locales, library] = [
        await this.nodes.findNodes(site.site_id, node_ids),
        await this.locales.findLocales(node_ids),
        await this.libraries.openLibrary(site),
      ];
      const byId = new Map(nodes.map((node) => [node.node_id, node]));
      return new Map(
        summaries.flatMap((summary) => {
          const node = byId.get(summary.node_id);
          const own = locales.get(summary.node_id) ?? [];
          return node ? [[summary.node_id, { ...summary, document: documentOf(site, node, { locales: own, library }) }] as const] : [];
        }),
      );
    });
  }

  async lockPage(site: Site, node_id: string): Promise<LocalPage | null> {
    const [node] = await this.nodes.lockMany([node_id]);
    if (node?.node_site !== site.site_id) return null;
    return (await this.readPages(site, [node_id])).get(node_id) ?? null;
  }

  lockStructure(site: Site): Promise<void> {
    return this.structure.lockStructure(site.site_id);
  }

  /** First without content, then as any other change: values of other locales need the page that they belong to. */
  async createPage(site: Site, document: PageDocument, write: LocalWrite): Promise<string> {
    const library = await this.libraries.openLibrary(site);
    const { [site.site_default_locale]: node_slug = '', ...others } = document.slugs;
    const { node_id } = await this.fresh.createNode(
      actingAs(write.by),
      site,
      {
        node_name: document.name,
        node_kind: document.kind,
        node_parent: document.parent,
        node_slug,
        node_slugs: others,
        ...(document.kind === 'page' ? { node_template: requireTemplate(library, document.template) } : {}),
      },
      { kind: 'synced' },
    );
    if (document.kind === 'page') await this.changePage(site, node_id, document, write);
    return node_id;
  }

  changePage(site: Site, node_id: string, document: PageDocument, write: LocalWrite): Promise<void> {
    return this.writing.changeNode(actingAs(write.by), site, node_id, { document, write });
  }

  trashPage({ site_id }: Site, node_id: string, by: Principal | null): Promise<void> {
    return this.bin.remove(actingAs(by), { site_id, node_id }, {});
  }

  async restorePage({ site_id }: Site, node_id: string, by: Principal | null): Promise<void> {
    await this.bin.restore(actingAs(by), { site_id, node_id });
  }

  readStates(node_id: string): Promise<Readonly<Record<string, NodeState>>> {
    return this.db.read(async () => {
      const rows = (await this.locales.findLocales([node_id])).get(node_id) ?? [];
      return Object.fromEntries(rows.map(({ nl_locale, nl_status }) => [nl_locale, nl_status]));
    });
  }

  async assertApproved(site: Site, node_id: string): Promise<void> {
    const rows = (await this.locales.findLocales([node_id])).get(node_id) ?? [];
    const written = rows.filter(
      ({ nl_locale, nl_overlay }) => nl_locale === site.site_default_locale || Object.keys(nl_overlay).length > 0,
    );
    await this.gate.demandApprovals(
      NODE_SUBJECT,
      written.map(({ nl_locale: locale, nl_hash: hash }) => ({ id: node_id, locale, hash })),
    );
  }

  async publishPage(site: Site, node_id: string, by: Principal | null): Promise<void> {
    await this.publishing.publishNodes(site, [{ node_id }], by?.user_id ?? null);
  }
}

/** What the CMS changes by itself is nobody's: rows name no author, and nothing but drafts may be written. */
function actingAs(by: Principal | null): Principal {
  if (by) return by;
  return {
    kind: 'system',
    tenant_id: requireScope().tenant_id,
    user_id: null as never,
    key_id: null,
    session_id: null,
    role_ids: [],
    space_ids: [],
    permissions: PermissionSet.of(['site:view', 'site:edit', 'content:view', 'content:edit']),
    modules: new Set(),
    auth_time: null,
    methods: [],
    key_rate_limit: null,
  };
}

const summaryOf = ({ is_active, ...row }: SummaryRow): LocalSummary => ({ ...row, isActive: is_active, depth: Number(row.depth) });

function documentOf(
  site: Site,
  node: Node,
  { locales, library }: { readonly locales: readonly NodeLocale[]; readonly library: SiteLibrary },
): PageDocument {
  const others = locales.filter(({ nl_locale }) => nl_locale !== site.site_default_locale);
  return {
    name: node.node_name,
    slugs: { [site.site_default_locale]: node.node_slug, ...node.node_slugs },
    parent: node.node_parent,
    template: node.node_template === null ? '' : (library.findTemplate(node.node_template)?.key ?? ''),
    kind: node.node_kind,
    content: isBlock(node.node_tree) ? node.node_tree : {},
    overlays: Object.fromEntries(others.map(({ nl_locale, nl_overlay }) => [nl_locale, nl_overlay])),
    seo: node.node_seo,
    order: null,
  };
}

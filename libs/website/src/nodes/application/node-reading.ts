import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { notFound, type JsonObject } from '@atrium/platform/kernel';
import { SiteAccess } from '../../sites/application/site-access';
import type { Site } from '../../sites/domain/site';
import { DraftPage } from '../domain/draft-page';
import type { Node } from '../domain/node';
import type { NodeIssue } from '../domain/page-draft';
import { NodeLocaleRows } from '../infrastructure/node-locales.rows';
import { NodesRepository } from '../infrastructure/nodes.repository';
import { NodeAnswers, type NodeAnswer } from './node-answers';
import { NodeIssues } from './node-issues';
import { requireLocale } from './node-problems';
import { assertOfSite, draftVersion } from './open-drafts';
import { SiteLibraries, type SiteLibrary } from './site-libraries';

/** A node in one locale, with its content. */
export type NodeDetail = NodeAnswer & {
  readonly node_content: JsonObject;
  readonly node_issues: readonly NodeIssue[];
  readonly row_version: number;
};

/** A draft that is read. */
export interface ReadDraft {
  readonly site: Site;
  readonly node: Node;
  readonly page: DraftPage;
  readonly library: SiteLibrary;
  readonly locale: string;
}

/** Reads single nodes as clients see them. Within the unit of work of its callers. */
@Injectable()
export class NodeReading {
  constructor(
    private readonly access: SiteAccess,
    private readonly nodes: NodesRepository,
    private readonly locales: NodeLocaleRows,
    private readonly libraries: SiteLibraries,
    private readonly answers: NodeAnswers,
    private readonly issues: NodeIssues,
  ) {}

  /** The node in the trash or out of it, in the locale that a request names or the default one. */
  async openDraft(caller: Principal, { site_id, node_id }: NodeAddress, locale?: string): Promise<ReadDraft> {
    const site = await this.access.requireReadable(caller, site_id);
    const node = await this.nodes.findRow(node_id);
    if (!node) throw notFound('page');
    assertOfSite(node, site.site_id);
    const library = await this.libraries.openLibrary(site);
    const rows = library.followSchemas(node, (await this.locales.findLocales([node_id])).get(node_id) ?? []);
    return { site, node, library, page: new DraftPage(site, node, rows, library.find), locale: requireLocale(site, locale) };
  }

  /** The draft as a client sees it; `known` are issues that a save found. */
  async readNode(
    caller: Principal,
    address: NodeAddress,
    { locale, known = [] }: { readonly locale?: string; readonly known?: readonly NodeIssue[] } = {},
  ): Promise<NodeDetail> {
    const draft = await this.openDraft(caller, address, locale);
    return this.describe(draft, draft.page, known);
  }

  /** The node with the content of a page: of the draft, or of another state of it. */
  async describe(draft: ReadDraft, shown: DraftPage, known: readonly NodeIssue[] = []): Promise<NodeDetail> {
    const { site, node, locale } = draft;
    const [answer] = await this.answers.completeNodes(site, [rowOf(node)]);
    if (!answer) throw notFound('page');
    const issues = await this.issues.findIssues({ ...draft, page: shown });
    const row_version = draftVersion(site, locale, { row_version: node.row_version, nl_revision: shown.revisionIn(locale) });
    const { seo } = shown.resolve(locale);
    return { ...answer, node_seo: seo, node_content: shown.contentIn(locale), node_issues: [...known, ...issues], row_version };
  }
}

export interface NodeAddress {
  readonly site_id: string;
  readonly node_id: string;
}

/** What answers show of a node. */
const rowOf = (node: Node) => {
  const {
    tenant_id: _,
    node_tree: __,
    node_removed: ___,
    node_removed_by: ____,
    node_removed_with: _____,
    row_version: ______,
    ...shown
  } = node;
  return shown;
};

import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { DraftPage } from '../domain/draft-page';
import { draftReferences } from '../domain/draft-references';
import { lineageBelow } from '../domain/lineage';
import { Node } from '../domain/node';
import type { DraftRef, PageDraft, SiteOfDrafts } from '../domain/page-draft';
import { NodeLocaleRows } from '../infrastructure/node-locales.rows';
import { NodesRepository } from '../infrastructure/nodes.repository';
import { NodeIssues } from './node-issues';
import { SiteLibraries, type SiteLibrary } from './site-libraries';
import { StoredVersions, type StoredVersion } from './stored-versions';

/** A draft before its issues are known. */
interface FoundDraft {
  readonly ref: DraftRef;
  readonly node: Node;
  readonly page: DraftPage;
  readonly library: SiteLibrary;
  readonly version: StoredVersion | null;
}

/** Drafts as previews and publications show them: resolved, with their hash and their issues. */
@Injectable()
export class PageDrafts {
  constructor(
    private readonly nodes: NodesRepository,
    private readonly locales: NodeLocaleRows,
    private readonly libraries: SiteLibraries,
    private readonly versions: StoredVersions,
    private readonly issues: NodeIssues,
  ) {}

  /**
   * Within the unit of work of the caller, in the order of the references; those of unknown nodes are missing. With `caller` the files
   * that drafts refer to are asked after again, as for publishing. The statements grow with the blocks of all drafts by thousands, not with
   * the drafts.
   */
  async findDrafts(
    site: SiteOfDrafts,
    refs: readonly DraftRef[],
    { caller = null }: { readonly caller?: Principal | null } = {},
  ): Promise<readonly PageDraft[]> {
    const found = await this.openDrafts(site, refs);
    const issues = await this.issues.findIssuesOfMany(
      found.map(({ ref, node, page, library }) => ({ site, node, page, library, locale: ref.locale })),
      caller,
    );
    return found.map((draft, at) => ({ ...shownOf(draft), issues: issues[at] ?? [] }));
  }

  private async openDrafts(site: SiteOfDrafts, refs: readonly DraftRef[]): Promise<readonly FoundDraft[]> {
    const ids = [...new Set(refs.map(({ node_id }) => node_id))];
    const nodes = new Map((await this.nodes.findNodes(site.site_id, ids)).map((node) => [node.node_id, node]));
    const rows = await this.locales.findLocales(ids);
    const library = await this.libraries.openLibrary(site);
    const versions = await this.versions.findVersions(refs.flatMap(({ ver_id }) => ver_id ?? []));
    const parents = await this.nodes.findLineages(
      site.site_id,
      [...versions.values()].flatMap(({ structure }) => structure.node_parent ?? []),
    );
    const pages = new Map<string, DraftPage>();
    return refs.flatMap((ref) => {
      const current = nodes.get(ref.node_id);
      const version = ref.ver_id === undefined ? null : versions.get(ref.ver_id);
      if (!current || version === undefined || (version && version.node_id !== ref.node_id)) return [];
      const node = version ? asOf(current, version, parents) : current;
      const key = `${ref.node_id} ${ref.ver_id ?? ''}`;
      const page =
        pages.get(key) ??
        new DraftPage(
          site,
          node,
          library.followSchemas(node, version?.locales ?? rows.get(ref.node_id) ?? [], version?.written),
          library.find,
        );
      pages.set(key, page);
      return [{ ref, node, page, library, version }];
    });
  }
}

/** The node as a version has it; where its parent of then is gone, it stays below the one of now. */
function asOf(node: Node, { structure, tree }: StoredVersion, parents: ReadonlyMap<string, string>): Node {
  const above = structure.node_parent === null ? '' : parents.get(structure.node_parent);
  const place =
    above === undefined || above.includes(lineageBelow('', node.node_id))
      ? { node_parent: node.node_parent, node_lineage: node.node_lineage }
      : { node_parent: structure.node_parent, node_lineage: lineageBelow(above, node.node_id) };
  const then: Partial<Node> = { ...structure, ...place, node_tree: tree };
  return Object.assign(new Node(), node, then);
}

function shownOf({ ref, node, page, library, version }: FoundDraft): Omit<PageDraft, 'issues'> {
  const { locale } = ref;
  return {
    node_id: node.node_id,
    locale,
    kind: node.node_kind,
    parent: node.node_parent,
    lineage: node.node_lineage,
    order: node.node_order,
    slug: page.slugIn(locale),
    name: node.node_name,
    template: node.node_template,
    link: node.node_link,
    tags: node.node_tags,
    menu: node.node_menu,
    seo: page.resolve(locale).seo,
    content: page.contentIn(locale),
    hash: version?.hashes[locale] ?? page.hashIn(locale),
    references: draftReferences(page, node, [{ nl_overlay: page.overlayOf(locale) }], library.find),
    version: version?.ver_id ?? null,
    row_version: node.row_version,
    nl_revision: page.revisionIn(locale),
  };
}

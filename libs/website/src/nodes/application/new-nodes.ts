import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Clock, Ids, invalidField } from '@atrium/platform/kernel';
import { freeSlug, slugFromName } from '../../content/domain/slugs';
import type { Site } from '../../sites/domain/site';
import { DraftPage, slugIn } from '../domain/draft-page';
import { draftReferences } from '../domain/draft-references';
import { Node } from '../domain/node';
import { NEW_LOCALE } from '../domain/node-locale';
import type { NodeKind } from '../domain/page-draft';
import type { VersionKind } from '../domain/page-version';
import { NodeLocaleRows } from '../infrastructure/node-locales.rows';
import { NodeReferenceRows } from '../infrastructure/node-references.rows';
import { NodesRepository } from '../infrastructure/nodes.repository';
import { ContentChecks } from './content-checks';
import type { NewNode } from './node-facts';
import { NodeFields } from './node-fields';
import { NodeOrder } from './node-order';
import { NodePlaces } from './node-places';
import { MOST_NODES, tooManyNodes, translatingSlugConflicts } from './node-problems';
import { OpenDrafts } from './open-drafts';
import { PageVersions } from './page-versions';
import { requireTemplate, SiteLibraries, type SiteLibrary } from './site-libraries';

/** Adds nodes to sites. The caller holds the lock of the structure. */
@Injectable()
export class NewNodes {
  constructor(
    private readonly nodes: NodesRepository,
    private readonly locales: NodeLocaleRows,
    private readonly references: NodeReferenceRows,
    private readonly libraries: SiteLibraries,
    private readonly places: NodePlaces,
    private readonly order: NodeOrder,
    private readonly fields: NodeFields,
    private readonly checks: ContentChecks,
    private readonly versions: PageVersions,
    private readonly drafts: OpenDrafts,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  async assertRoom(site_id: string, count = 1): Promise<void> {
    if ((await this.nodes.countNodes(site_id, MOST_NODES)) + count > MOST_NODES) throw tooManyNodes();
  }

  /** Within the unit of work of the caller. */
  async createNode(caller: Principal, site: Site, wish: NewNode, { kind: ver_kind = 'saved' }: { readonly kind?: VersionKind } = {}) {
    const { site_id } = site;
    await this.assertRoom(site_id);
    const library = await this.libraries.openLibrary(site);
    const node = this.blankNode(caller, site_id, wish);
    const parent = await this.places.requireParent(site_id, wish.node_parent ?? null);
    node.placeUnder(parent, 1);
    await this.places.assertRoomUnder(site_id, node.node_parent);
    Object.assign(node, await this.checkedFields(caller, node, { library, wish }));
    [node.node_order = ''] = await this.order.findRanks({ site_id, parent: node.node_parent }, wish);
    await this.chooseSlug(site, node, wish);
    await this.insertNode(caller, site, { node, library, kind: ver_kind });
    return { site_id, node_id: node.node_id };
  }

  /** A slug that nothing beside the node has in any locale that would use it: `-2`, where the wanted one is taken. */
  async chooseSlug(site: Site, node: Node, wish: Pick<NewNode, 'node_name' | 'node_slug' | 'node_slugs'>): Promise<void> {
    const isTop = node.node_parent === null;
    const { node_slug, node_slugs = {} } = this.fields.checkSlugs(site, wish, { isTop });
    node.node_slugs = node_slugs;
    if (node_slug !== undefined) {
      node.node_slug = node_slug;
      return;
    }
    const wanted = slugFromName(wish.node_name, site.site_default_locale);
    const taken = await this.locales.findSlugsLike({ site_id: site.site_id, parent: node.node_parent }, [wanted]);
    const prefixes = isTop ? site.site_locales.map(({ prefix }) => prefix) : [];
    node.node_slug = freeSlug(wanted, new Set([...taken, ...prefixes, ...Object.values(node_slugs)]));
  }

  /** Writes a new node with the rows of its locales, and its first version. */
  async insertNode(
    caller: Principal,
    site: Site,
    { node, library, kind }: { readonly node: Node; readonly library: SiteLibrary; readonly kind: VersionKind },
  ): Promise<void> {
    const page = new DraftPage(site, node, [], library.find);
    const blank = site.site_locales.map(({ code }) => ({
      ...NEW_LOCALE,
      nl_node: node.node_id,
      nl_locale: code,
      nl_parent: node.node_parent,
      nl_slug: slugIn(node, site, code),
    }));
    const rows = page.settle(blank);
    await this.nodes.insert(node);
    await translatingSlugConflicts(() => this.locales.insertLocales(rows, { now: node.node_created, by: caller.user_id }));
    const references = draftReferences(page, node, rows, library.find);
    if (references.length > 0) await this.references.replaceReferences(node.node_id, references);
    await this.versions.recordVersions([{ node_id: node.node_id, kind, locales: [site.site_default_locale] }], caller.user_id);
    this.drafts.emitPageEvent('page.created', node, [site.site_default_locale]);
  }

  private blankNode(caller: Principal, node_site: string, wish: NewNode): Node {
    const now = this.clock.now();
    const { node_kind = 'page', node_name, node_tags = [], node_menu = true, node_metadata = {} } = wish;
    return Object.assign(new Node(), {
      node_id: this.ids.next(),
      node_site,
      node_parent: null,
      node_kind,
      node_name,
      node_slug: '',
      node_slugs: {},
      node_template: null,
      node_tree: {},
      node_seo: {},
      node_link: null,
      node_tags: [...new Set(node_tags)],
      node_menu,
      node_metadata,
      node_active: true,
      node_removed: null,
      node_removed_by: null,
      node_removed_with: null,
      node_created: now,
      node_updated: now,
      node_created_by: caller.user_id,
      node_updated_by: caller.user_id,
    });
  }

  private async checkedFields(
    caller: Principal,
    { node_site: site_id, node_kind }: Node,
    { library, wish }: { readonly library: SiteLibrary; readonly wish: NewNode },
  ): Promise<Partial<Node>> {
    const asked = { site_id, caller };
    const node_seo = wish.node_seo ? await this.fields.checkSeo(wish.node_seo, asked) : {};
    const node_link = await this.fields.checkLink(wish.node_link ?? null, node_kind, asked);
    if (node_kind !== 'page') {
      assertNoContent(node_kind, wish);
      return { node_seo, node_link };
    }
    const template = requireTemplate(library, wish.node_template);
    const node_tree = await this.checks.checkContent(wish.node_content ?? {}, {
      library,
      site_id,
      template: template.key,
      previous: null,
      caller,
    });
    return { node_seo, node_link, node_template: template.tpl_id, node_tree };
  }
}

function assertNoContent(kind: NodeKind, { node_template, node_content }: NewNode): void {
  if (node_template) throw invalidField('node_template', `A ${kind} has no template.`, 'unknown_field');
  if (node_content && Object.keys(node_content).length > 0)
    throw invalidField('node_content', `A ${kind} has no content.`, 'unknown_field');
}

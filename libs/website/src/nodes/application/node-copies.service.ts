import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { Clock, Ids, invalidState, Problem } from '@atrium/platform/kernel';
import { isBlock } from '../../content/domain/content-form';
import { freeSlug, slugFromName } from '../../content/domain/slugs';
import { SiteAccess } from '../../sites/application/site-access';
import type { Site } from '../../sites/domain/site';
import { SiteStructureLock } from '../../sites/infrastructure/site-structure-lock';
import { DraftPage } from '../domain/draft-page';
import { copiedOverlay, freshCopy } from '../domain/fresh-copy';
import { levelOf, lineageBelow, MOST_LEVELS } from '../domain/lineage';
import { Node } from '../domain/node';
import { NEW_LOCALE, type NodeLocale } from '../domain/node-locale';
import { NodeLocaleRows } from '../infrastructure/node-locales.rows';
import { NodeReferenceRows } from '../infrastructure/node-references.rows';
import { NodesRepository } from '../infrastructure/nodes.repository';
import { ContentChecks } from './content-checks';
import { NewNodes } from './new-nodes';
import { NodeOrder } from './node-order';
import { NodePlaces } from './node-places';
import { translatingSlugConflicts } from './node-problems';
import { NodeReading, type NodeAddress, type NodeDetail } from './node-reading';
import { OpenDrafts } from './open-drafts';
import { PageVersions } from './page-versions';
import { SiteLibraries, type SiteLibrary } from './site-libraries';

/** Nodes that one request copies. */
const MOST_COPIED = 500;
/** Copies that are written together. */
const STRETCH = 50;

export interface CopyWish {
  readonly node_parent?: string | null;
  readonly node_name?: string;
  readonly subtree?: boolean;
}

/** Copies of nodes: drafts in every locale, whose blocks have identities of their own. */
@Injectable()
export class NodeCopiesService {
  constructor(
    private readonly db: Database,
    private readonly access: SiteAccess,
    private readonly structure: SiteStructureLock,
    private readonly nodes: NodesRepository,
    private readonly locales: NodeLocaleRows,
    private readonly references: NodeReferenceRows,
    private readonly libraries: SiteLibraries,
    private readonly places: NodePlaces,
    private readonly order: NodeOrder,
    private readonly fresh: NewNodes,
    private readonly checks: ContentChecks,
    private readonly versions: PageVersions,
    private readonly drafts: OpenDrafts,
    private readonly reading: NodeReading,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  copyNode(caller: Principal, { site_id, node_id }: NodeAddress, wish: CopyWish): Promise<NodeDetail> {
    return this.db.write(
      async () => {
        const site = await this.access.requireEditable(caller, site_id);
        await this.structure.lockStructure(site.site_id);
        const { node: source } = await this.reading.openDraft(caller, { site_id: site.site_id, node_id });
        if (!source.node_active) throw invalidState('The page is in the trash. Restore it first.');
        const sources = wish.subtree ? await this.nodes.findSubtreeIds(source, MOST_COPIED + 1) : [source.node_id];
        if (sources.length > MOST_COPIED)
          throw new Problem('limit_reached', `A request can copy at most ${MOST_COPIED} pages. Copy branches of the page one by one.`);
        const copies = await this.writeCopies(caller, site, { source, sources, wish });
        await this.references.copyReferences(copies);
        const copy = copies.get(source.node_id) ?? source.node_id;
        for (const copied of copies.values()) this.drafts.emitPageEvent('page.created', { node_id: copied, node_site: site.site_id });
        return this.reading.readNode(caller, { site_id: site.site_id, node_id: copy });
      },
      { mayBeLong: 'a page is copied with all below it, or not at all' },
    );
  }

  /** The copies by their sources. */
  private async writeCopies(
    caller: Principal,
    site: Site,
    { source, sources, wish }: { readonly source: Node; readonly sources: readonly string[]; readonly wish: CopyWish },
  ): Promise<ReadonlyMap<string, string>> {
    await this.fresh.assertRoom(site.site_id, sources.length);
    const root = await this.placeRoot(site, source, wish);
    const library = await this.libraries.openLibrary(site);
    const copies = new Map(sources.map((id) => [id, this.ids.next()]));
    const lineages = new Map<string, string>();
    for (let at = 0; at < sources.length; at += STRETCH) {
      const ids = sources.slice(at, at + STRETCH);
      const found = new Map((await this.nodes.findNodes(site.site_id, ids)).map((node) => [node.node_id, node]));
      const rows = await this.locales.findLocales(ids);
      const written = ids.flatMap((id) => {
        const node = found.get(id);
        return node
          ? [this.copyOf(caller, node, { copies, lineages, root, site, library, rows: library.followSchemas(node, rows.get(id) ?? []) })]
          : [];
      });
      await this.insertCopies(caller, site, written);
    }
    return copies;
  }

  /** Where the copy of the page itself goes: beside it or below another parent, under a name and a slug that are free there. */
  private async placeRoot(
    site: Site,
    source: Node,
    { node_parent = source.node_parent, node_name = source.node_name }: CopyWish,
  ): Promise<CopiedRoot> {
    const parent = await this.places.requireParent(site.site_id, node_parent);
    const place = { site_id: site.site_id, parent: node_parent };
    await this.places.assertRoomUnder(site.site_id, node_parent);
    const levels = await this.nodes.countLevels(source);
    if (levelOf(parent?.node_lineage ?? '') + levels > MOST_LEVELS)
      throw new Problem('invalid_move', `The pages of a site can be nested at most ${MOST_LEVELS} levels deep.`);
    const [node_order = ''] = await this.order.findRanks(place, node_parent === source.node_parent ? { after: source.node_id } : {});
    const wanted =
      source.node_slug === '' || node_name !== source.node_name ? slugFromName(node_name, site.site_default_locale) : source.node_slug;
    const slugs = [wanted, ...Object.values(source.node_slugs)];
    const prefixes = node_parent === null ? site.site_locales.map(({ prefix }) => prefix) : [];
    const taken = new Set([...(await this.locales.findSlugsLike(place, slugs)), ...prefixes]);
    const node_slugs = Object.fromEntries(Object.entries(source.node_slugs).map(([locale, slug]) => [locale, freeSlug(slug, taken)]));
    return {
      source: source.node_id,
      node_parent,
      above: parent?.node_lineage ?? '',
      node_name,
      node_order,
      node_slug: freeSlug(wanted, taken),
      node_slugs,
    };
  }

  private copyOf(caller: Principal, source: Node, context: CopyContext): WrittenCopy {
    const { copies, lineages, root, site, library, rows } = context;
    const node_id = copies.get(source.node_id) ?? this.ids.next();
    const isRoot = source.node_id === root.source;
    const node_parent = isRoot ? root.node_parent : (copies.get(source.node_parent ?? '') ?? null);
    const node_lineage = lineageBelow(isRoot ? root.above : (lineages.get(node_parent ?? '') ?? ''), node_id);
    lineages.set(node_id, node_lineage);
    const { tree, uids } = isBlock(source.node_tree)
      ? freshCopy(source.node_tree, library.find, () => this.checks.newUid())
      : { tree: source.node_tree, uids: new Map<string, string>() };
    const now = this.clock.now();
    const { source: _, above: __, ...place } = root;
    const node = Object.assign(new Node(), source, isRoot ? place : {}, {
      node_id,
      node_parent,
      node_lineage,
      node_tree: tree,
      node_created: now,
      node_updated: now,
      node_created_by: caller.user_id,
      node_updated_by: caller.user_id,
    });
    const before = rows.map(({ nl_locale, nl_overlay, nl_sources }): NodeLocale => ({
      ...NEW_LOCALE,
      nl_node: node_id,
      nl_locale,
      nl_parent: node_parent,
      nl_slug: '',
      nl_overlay: copiedOverlay(nl_overlay, uids),
      nl_sources: copiedOverlay(nl_sources, uids),
    }));
    return { node, locales: new DraftPage(site, node, before, library.find).settle(before) };
  }

  private async insertCopies(caller: Principal, site: Site, written: readonly WrittenCopy[]): Promise<void> {
    await this.nodes.insertNodes(written.map(({ node }) => node));
    const touched = { now: this.clock.now(), by: caller.user_id };
    await translatingSlugConflicts(() =>
      this.locales.insertLocales(
        written.flatMap(({ locales }) => locales),
        touched,
      ),
    );
    await this.versions.recordVersions(
      written.map(({ node }) => ({ node_id: node.node_id, kind: 'saved', locales: site.site_locales.map(({ code }) => code) })),
      caller.user_id,
    );
  }
}

interface CopiedRoot extends Pick<Node, 'node_parent' | 'node_name' | 'node_order' | 'node_slug' | 'node_slugs'> {
  readonly source: string;
  /** Lineage of its parent. */
  readonly above: string;
}

interface CopyContext {
  readonly copies: ReadonlyMap<string, string>;
  /** Of the copies that were made so far: parents come first. */
  readonly lineages: Map<string, string>;
  readonly root: CopiedRoot;
  readonly site: Site;
  readonly library: SiteLibrary;
  readonly rows: readonly NodeLocale[];
}

interface WrittenCopy {
  readonly node: Node;
  readonly locales: ReturnType<DraftPage['settle']>;
}

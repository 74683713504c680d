import { Injectable } from '@nestjs/common';
import { OwnedFiles } from '@atrium/files';
import { permissionDenied, type Principal } from '@atrium/platform/access';
import { assertCurrent, Database, type Precondition } from '@atrium/platform/database';
import { Clock, invalidState, Problem } from '@atrium/platform/kernel';
import { Outbox } from '@atrium/platform/messaging';
import { freeSlug } from '../../content/domain/slugs';
import { SiteAccess } from '../../sites/application/site-access';
import type { Site } from '../../sites/domain/site';
import { SiteStructureLock } from '../../sites/infrastructure/site-structure-lock';
import { lineageBelow } from '../domain/lineage';
import type { Node } from '../domain/node';
import { NodeLocaleRows } from '../infrastructure/node-locales.rows';
import { NodesRepository, type LiftedNode } from '../infrastructure/nodes.repository';
import { ApprovalsOfNodes } from './approvals-of-nodes';
import { DraftSettling } from './draft-settling';
import { LivePages } from './live-pages';
import { NodeOrder } from './node-order';
import { NodePlaces } from './node-places';
import { MOST_NODES } from './node-problems';
import { NodeReading, type NodeAddress, type NodeDetail } from './node-reading';
import { assertOfSite, draftVersion, OpenDrafts } from './open-drafts';

/** What becomes of the pages below a deleted one, and what visitors find where it was. */
export interface Removal {
  readonly children?: 'delete' | 'reparent';
  readonly redirect_to?: string;
}

/** The trash of sites. What goes there is no longer live, from the same transaction on. */
@Injectable()
export class NodeTrashService {
  constructor(
    private readonly db: Database,
    private readonly access: SiteAccess,
    private readonly structure: SiteStructureLock,
    private readonly nodes: NodesRepository,
    private readonly locales: NodeLocaleRows,
    private readonly places: NodePlaces,
    private readonly order: NodeOrder,
    private readonly live: LivePages,
    private readonly approvals: ApprovalsOfNodes,
    private readonly drafts: OpenDrafts,
    private readonly settling: DraftSettling,
    private readonly reading: NodeReading,
    private readonly files: OwnedFiles,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  remove(caller: Principal, { site_id, node_id }: NodeAddress, removal: Removal, precondition?: Precondition): Promise<void> {
    return this.db.write(
      async () => {
        const site = await this.access.requireEditable(caller, site_id);
        await this.structure.lockStructure(site.site_id);
        const node = await this.nodes.lock(node_id, undefined, (row) => assertOfSite(row, site.site_id));
        assertCurrent(
          precondition,
          draftVersion(site, site.site_default_locale, { row_version: node.row_version, nl_revision: 0 }),
          'page',
        );
        if (!node.node_active) return;
        const ids = await this.takenBy(node, removal);
        await this.takeDown(caller, site, ids, removal);
        const lifted = removal.children === 'reparent' ? await this.planLift(site, node) : [];
        await this.trash(caller, node, ids);
        await this.liftChildren(caller, site, node, lifted);
      },
      { mayBeLong: 'a page and all below it go to the trash, or none' },
    );
  }

  /** With all that its deletion took along. */
  restore(caller: Principal, { site_id, node_id }: NodeAddress): Promise<NodeDetail> {
    return this.db.write(async () => {
      const site = await this.access.requireEditable(caller, site_id);
      await this.structure.lockStructure(site.site_id);
      const node = await this.nodes.lock(node_id, undefined, (row) => assertOfSite(row, site.site_id));
      if (node.node_active) throw invalidState('The page is not in the trash.');
      await this.assertActiveParent(node);
      await this.places.assertRoomUnder(site.site_id, node.node_parent);
      await this.revive(caller, site, node);
      return this.reading.readNode(caller, { site_id, node_id });
    });
  }

  private async takenBy(node: Node, { children }: Removal): Promise<readonly string[]> {
    const below = await this.nodes.findSubtreeIds(node, MOST_NODES);
    if (below.length === 1 || children === 'delete') return below;
    if (children === 'reparent') return [node.node_id];
    throw new Problem(
      'in_use',
      `There are ${below.length - 1} pages below the page. Choose with children whether to delete them or to move them up (reparent).`,
    );
  }

  private async takeDown(caller: Principal, site: Site, ids: readonly string[], { redirect_to }: Removal): Promise<void> {
    const live = await this.live.findLive(site.site_id, ids);
    if (live.size > 0 && !caller.permissions.has('site:publish')) throw permissionDenied(['site:publish']);
    await this.live.takeDown(site, ids, { by: caller.user_id, ...(redirect_to === undefined ? {} : { redirect_to }) });
    await this.approvals.recordRemoval(ids);
  }

  private async trash(caller: Principal, node: Node, ids: readonly string[]): Promise<void> {
    const touched = { now: this.clock.now(), by: caller.user_id };
    await this.nodes.setTrashed(ids, { ...touched, withNode: node.node_id }, touched);
    await this.locales.followNodes(ids);
    await this.files.onOwnersDeleted('node', ids);
    this.outbox.emitEvent({ name: 'page.trashed', subject_id: node.node_id, payload: { site_id: node.node_site, pages: ids.length } });
  }

  /** The places of the children beside their parent, in their order; a slug that is taken there gets a number. */
  private async planLift(site: Site, node: Node): Promise<readonly LiftedNode[]> {
    const children = await this.nodes.findChildren({ site_id: site.site_id, parent: node.node_id });
    if (children.length === 0) return [];
    const place = { site_id: site.site_id, parent: node.node_parent };
    await this.places.assertRoomUnder(site.site_id, node.node_parent, children.length - 1);
    const ranks = await this.order.findRanks(place, { after: node.node_id }, children.length);
    const wanted = [...new Set(children.flatMap(({ node_slug, node_slugs }) => [node_slug, ...Object.values(node_slugs)]))];
    const taken = new Set(await this.locales.findSlugsLike(place, wanted, [node.node_id]));
    for (const prefix of this.reservedSlugs(site, node.node_parent)) taken.add(prefix);
    const above = node.node_lineage.slice(0, -lineageBelow('', node.node_id).length);
    return children.map((child, at) => {
      const slugs = freedSlugs(child, taken);
      for (const slug of [slugs.node_slug, ...Object.values(slugs.node_slugs)]) taken.add(slug);
      return {
        node_id: child.node_id,
        from: child.node_lineage,
        node_order: ranks[at] ?? '',
        node_lineage: lineageBelow(above, child.node_id),
        ...slugs,
      };
    });
  }

  private async liftChildren(caller: Principal, site: Site, node: Node, lifted: readonly LiftedNode[]): Promise<void> {
    if (lifted.length === 0) return;
    await this.nodes.liftNodes(lifted, { parent: node.node_parent, now: this.clock.now(), by: caller.user_id });
    await this.nodes.followParents(site.site_id, lifted);
    const changed = await this.settling.settleNodes(
      site,
      lifted.map(({ node_id }) => node_id),
      caller.user_id,
    );
    await this.approvals.recordEdits([...changed].flatMap(([id, locales]) => locales.map((locale) => ({ id, locale }))));
    for (const { node_id } of lifted)
      this.drafts.emitPageEvent('page.moved', { node_id, node_site: site.site_id }, changed.get(node_id) ?? []);
  }

  private async assertActiveParent({ node_parent }: Node): Promise<void> {
    const parent = node_parent === null ? null : await this.nodes.findRow(node_parent);
    if (parent && !parent.node_active) throw invalidState(`The parent ${parent.node_name} is in the trash. Restore it first.`);
  }

  private async revive(caller: Principal, site: Site, node: Node): Promise<void> {
    const touched = { now: this.clock.now(), by: caller.user_id };
    const [, ...along] = node.node_removed_with === node.node_id ? await this.nodes.findTakenAlong(site.site_id, node.node_id) : [];
    const draft = await this.drafts.openLocked(caller, site, node);
    const removed = node.node_removed;
    Object.assign(node, { node_active: true, node_removed: null, node_removed_by: null, node_removed_with: null });
    const own = [node.node_slug, ...Object.values(node.node_slugs)];
    const taken = await this.locales.findSlugsLike({ site_id: site.site_id, parent: node.node_parent }, own, [node.node_id]);
    Object.assign(node, freedSlugs(node, new Set([...taken, ...this.reservedSlugs(site, node.node_parent)])));
    await this.drafts.saveDraft(draft, { locale: site.site_default_locale, event: 'page.restored' });
    if (along.length > 0) await this.nodes.setTrashed(along, null, touched);
    await this.locales.followNodes([node.node_id, ...along]);
    if (removed) await this.files.onOwnersRestored('node', [node.node_id, ...along], new Date(removed));
  }

  /** At the top, the prefixes of locales are no slugs. */
  private reservedSlugs({ site_locales }: Site, parent: string | null): readonly string[] {
    return parent === null ? site_locales.map(({ prefix }) => prefix).filter((prefix) => prefix !== '') : [];
  }
}

type Slugs = Pick<Node, 'node_slug' | 'node_slugs'>;

/** Each slug that something else has by now gets a number. */
const freedSlugs = ({ node_slug, node_slugs }: Slugs, taken: ReadonlySet<string>): Slugs => ({
  node_slug: freeSlug(node_slug, taken),
  node_slugs: Object.fromEntries(Object.entries(node_slugs).map(([locale, slug]) => [locale, freeSlug(slug, taken)])),
});

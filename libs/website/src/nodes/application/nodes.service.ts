import { Injectable } from '@nestjs/common';
import { permissionDenied, type Principal } from '@atrium/platform/access';
import { Database, type Precondition } from '@atrium/platform/database';
import { invalidField, invalidFields } from '@atrium/platform/kernel';
import { isBlock, type Block } from '../../content/domain/content-form';
import { deriveSeoOverlay } from '../../content/domain/overlays';
import { SiteStructureLock } from '../../sites/infrastructure/site-structure-lock';
import { ContentChecks } from './content-checks';
import type { NewNode, NodeFacts } from './node-facts';
import { NodeFields } from './node-fields';
import { NodeOrder } from './node-order';
import { NodePlaces } from './node-places';
import { requireLocale } from './node-problems';
import { NodeReading, type NodeAddress, type NodeDetail } from './node-reading';
import { NewNodes } from './new-nodes';
import { OpenDrafts, type OpenDraft } from './open-drafts';
import { requireTemplate } from './site-libraries';
import { followTemplate } from '../domain/template-change';

/** Fields that decide where pages are: a contributor cannot change them. */
const STRUCTURE = ['node_slug', 'node_slugs', 'node_parent', 'before', 'after', 'node_template', 'node_menu'] as const;
/** What differs by locale; all else is the same in every locale. */
const LOCALIZED: ReadonlySet<string> = new Set(['node_seo']);

/** Single nodes as clients write them. */
@Injectable()
export class NodesService {
  constructor(
    private readonly db: Database,
    private readonly drafts: OpenDrafts,
    private readonly places: NodePlaces,
    private readonly fresh: NewNodes,
    private readonly reading: NodeReading,
    private readonly fields: NodeFields,
    private readonly checks: ContentChecks,
    private readonly order: NodeOrder,
    private readonly structure: SiteStructureLock,
  ) {}

  create(caller: Principal, site_id: string, wish: NewNode): Promise<NodeDetail> {
    return this.db.write(async () => {
      const site = await this.drafts.requireSite(caller, site_id);
      await this.structure.lockStructure(site.site_id);
      const node = await this.fresh.createNode(caller, site, wish);
      return this.reading.readNode(caller, node);
    });
  }

  change(
    caller: Principal,
    address: NodeAddress,
    { locale: named, ...facts }: NodeFacts & { readonly locale?: string },
    precondition?: Precondition,
  ): Promise<NodeDetail> {
    return this.db.write(async () => {
      const site = await this.drafts.requireSite(caller, address.site_id);
      const locale = requireLocale(site, named);
      if (STRUCTURE.some((name) => facts[name] !== undefined) && !caller.permissions.has('site:edit'))
        throw permissionDenied(['site:edit']);
      if (facts.node_parent !== undefined || facts.node_slug !== undefined || facts.node_slugs !== undefined || facts.before || facts.after)
        await this.structure.lockStructure(site.site_id);
      const draft = await this.drafts.lockDraft(caller, site, address.node_id, { locale, precondition });
      const known =
        locale === site.site_default_locale ? await this.changeNode(draft, facts) : await this.changeLocale(draft, locale, facts);
      return this.reading.readNode(caller, address, { locale, known });
    });
  }

  private async changeNode(draft: OpenDraft, facts: NodeFacts) {
    const { site, node, caller } = draft;
    const from = { parent: node.node_parent, lineage: node.node_lineage };
    const asked = { site_id: site.site_id, caller };
    if (facts.node_name !== undefined) node.node_name = facts.node_name;
    if (facts.node_tags !== undefined) node.node_tags = [...new Set(facts.node_tags)];
    if (facts.node_menu !== undefined) node.node_menu = facts.node_menu;
    if (facts.node_metadata !== undefined) node.node_metadata = facts.node_metadata;
    if (facts.node_link !== undefined) node.node_link = await this.fields.checkLink(facts.node_link, node.node_kind, asked);
    if (facts.node_seo !== undefined) node.node_seo = await this.fields.checkSeo(facts.node_seo, asked);
    if (facts.node_parent !== undefined && facts.node_parent !== node.node_parent) await this.places.placeUnder(draft, facts.node_parent);
    const isMoved = node.node_lineage !== from.lineage;
    if (facts.before || facts.after || isMoved)
      [node.node_order = node.node_order] = await this.order.findRanks({ site_id: site.site_id, parent: node.node_parent }, facts);
    this.changeSlugs(draft, facts, isMoved);
    if (facts.node_template !== undefined && facts.node_template !== node.node_template)
      await this.changeTemplate(draft, facts.node_template);
    const dropped = await this.drafts.saveDraft(draft, {
      locale: site.site_default_locale,
      event: isMoved ? 'page.moved' : 'page.updated',
    });
    if (isMoved) await this.places.takeAlong(node, from.lineage);
    return dropped;
  }

  private changeSlugs({ site, node }: OpenDraft, facts: NodeFacts, isMoved: boolean): void {
    if (facts.node_slug === undefined && facts.node_slugs === undefined && !isMoved) return;
    const { node_slug = node.node_slug, node_slugs = node.node_slugs } = facts;
    Object.assign(node, this.fields.checkSlugs(site, { node_slug, node_slugs }, { isTop: node.node_parent === null }));
  }

  /** Values of equal keys stay, in every locale; what the new template does not have is dropped. */
  private async changeTemplate(draft: OpenDraft, tpl_id: string | null): Promise<void> {
    const { site, node, library, caller } = draft;
    if (node.node_kind !== 'page') {
      if (tpl_id !== null) throw invalidField('node_template', 'Only pages have a template.', 'unknown_field');
      return;
    }
    const template = requireTemplate(library, tpl_id);
    const before = node.node_template ? library.findTemplate(node.node_template) : undefined;
    const tree = followTemplate(node.node_tree as Block, before, template);
    node.node_template = template.tpl_id;
    node.node_tree = await this.checks.checkContent(tree, {
      library,
      site_id: site.site_id,
      template: template.key,
      previous: isBlock(tree) ? tree : null,
      caller,
    });
  }

  private async changeLocale(draft: OpenDraft, locale: string, facts: NodeFacts) {
    const strange = Object.entries(facts).filter(([name, value]) => value !== undefined && !LOCALIZED.has(name));
    if (strange.length > 0)
      throw invalidFields(
        strange.map(([path]) => ({
          path,
          code: 'not_localized',
          message: 'is the same in every locale; change it in the default locale.',
        })),
      );
    if (facts.node_seo === undefined) return [];
    const page = this.drafts.pageOf(draft);
    const seo = await this.fields.checkSeo(facts.node_seo, { site_id: draft.site.site_id, caller: draft.caller });
    const overlay = deriveSeoOverlay(seo, { fallback: page.resolveFallback(locale), overlay: page.overlayOf(locale) });
    const values = new Map([[locale, { nl_locale: locale, nl_overlay: overlay, nl_sources: page.sourcesIn(locale, overlay) }]]);
    return this.drafts.saveDraft(draft, { locale, values });
  }
}

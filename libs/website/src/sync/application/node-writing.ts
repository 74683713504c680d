import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { invalidFields, Problem } from '@atrium/platform/kernel';
import { isBlock, type Block } from '../../content/domain/content-form';
import { deriveOverlay, resolvePage, type Overlay } from '../../content/domain/overlays';
import { ContentChecks } from '../../nodes/application/content-checks';
import { NodeFields } from '../../nodes/application/node-fields';
import { NodeOrder } from '../../nodes/application/node-order';
import { NodePlaces } from '../../nodes/application/node-places';
import { OpenDrafts, type OpenDraft } from '../../nodes/application/open-drafts';
import type { SiteLibrary } from '../../nodes/application/site-libraries';
import type { LocaleValues } from '../../nodes/domain/draft-page';
import type { Site } from '../../sites/domain/site';
import type { PageDocument } from '../../content/domain/page-document';
import type { LocalWrite } from './local-pages';

interface Rewrite {
  readonly document: PageDocument;
  readonly write: LocalWrite;
}

/** Makes a document the draft of a page, in all locales that it speaks of; the rest of the page stays. */
@Injectable()
export class NodeWriting {
  constructor(
    private readonly drafts: OpenDrafts,
    private readonly places: NodePlaces,
    private readonly order: NodeOrder,
    private readonly fields: NodeFields,
    private readonly checks: ContentChecks,
  ) {}

  /** Within a unit of work that holds the lock of the structure. */
  async changeNode(caller: Principal, site: Site, node_id: string, { document, write }: Rewrite): Promise<void> {
    const locale = site.site_default_locale;
    const draft = await this.drafts.lockDraft(caller, site, node_id, { locale });
    const { node } = draft;
    if (node.node_kind !== document.kind)
      throw new Problem('unprocessable_content', `The page is a ${node.node_kind} here and a ${document.kind} in the CMS.`);
    const from = node.node_lineage;
    node.node_name = document.name;
    if (document.parent !== node.node_parent) await this.moveNode(draft, document.parent);
    this.changeSlugs(draft, document, write);
    if (write.carriesSeo) node.node_seo = await this.fields.checkSeo(document.seo, { site_id: site.site_id, caller });
    if (node.node_kind === 'page') await this.changeTree(draft, document);
    const values = node.node_kind === 'page' ? await this.valuesOf(draft, document, write) : new Map<string, LocaleValues>();
    const isMoved = node.node_lineage !== from;
    await this.drafts.saveDraft(draft, {
      locale,
      beside: [...values.keys()],
      values,
      kind: write.kind,
      event: isMoved ? 'page.moved' : 'page.updated',
    });
    if (isMoved) await this.places.takeAlong(node, from);
  }

  private async moveNode(draft: OpenDraft, parent: string | null): Promise<void> {
    const { node } = draft;
    await this.places.placeUnder(draft, parent);
    [node.node_order = node.node_order] = await this.order.findRanks({ site_id: node.node_site, parent: node.node_parent }, {});
  }

  /** Slugs of locales that the CMS does not have stay. */
  private changeSlugs({ site, node }: OpenDraft, { slugs }: PageDocument, { locales }: LocalWrite): void {
    const { [site.site_default_locale]: node_slug = node.node_slug, ...others } = slugs;
    const kept = Object.entries(node.node_slugs).filter(([locale]) => !locales.includes(locale));
    const node_slugs = { ...Object.fromEntries(kept), ...others };
    Object.assign(node, this.fields.checkSlugs(site, { node_slug, node_slugs }, { isTop: node.node_parent === null }));
  }

  private async changeTree({ site, node, library, caller }: OpenDraft, { template, content }: PageDocument): Promise<void> {
    node.node_template = requireTemplate(library, template);
    const previous = isBlock(node.node_tree) ? node.node_tree : null;
    node.node_tree = await this.checks.checkContent(content, { library, site_id: site.site_id, template, previous, caller, trusted: true });
  }

  /** Values of other locales, checked as the pages that they make. */
  private async valuesOf(draft: OpenDraft, document: PageDocument, write: LocalWrite): Promise<Map<string, LocaleValues>> {
    const { site, locales } = draft;
    const values = new Map<string, LocaleValues>();
    for (const { nl_locale, nl_overlay } of locales) {
      if (nl_locale === site.site_default_locale || !write.locales.includes(nl_locale)) continue;
      const seo = Object.entries(write.carriesSeo ? (document.overlays[nl_locale] ?? {}) : nl_overlay).filter(([key]) =>
        key.startsWith('seo.'),
      );
      const content = Object.entries(document.overlays[nl_locale] ?? {}).filter(([key]) => !key.startsWith('seo.'));
      const overlay = { ...Object.fromEntries(content), ...Object.fromEntries(seo) };
      const nl_sources = (checked: Overlay) => this.drafts.pageOf(draft).sourcesIn(nl_locale, checked);
      const checked = await this.checkOverlay(draft, document, { locale: nl_locale, overlay });
      values.set(nl_locale, { nl_locale, nl_overlay: checked, nl_sources: nl_sources(checked) });
    }
    return values;
  }

  private async checkOverlay(
    draft: OpenDraft,
    { template }: PageDocument,
    { locale, overlay }: { readonly locale: string; readonly overlay: Overlay },
  ): Promise<Overlay> {
    const { library, site, caller } = draft;
    const find = (key: string) => library.find(key);
    const page = this.drafts.pageOf(draft);
    const fallback = page.resolveFallback(locale);
    const whole = resolvePage(fallback, [overlay], find).tree;
    const previous: Block = page.resolve(locale).tree;
    const content = await this.checks.checkContent(whole, { library, site_id: site.site_id, template, previous, caller, trusted: true });
    const { overlay: derived, faults } = deriveOverlay(content, { fallback, overlay, find, at: 'node_content' });
    if (faults.length > 0) throw invalidFields(faults);
    return derived;
  }
}

export function requireTemplate(library: SiteLibrary, key: string): string {
  const template = library.find(key);
  if (!template)
    throw new Problem('unprocessable_content', `The component ${key} is not in the library of the site. Pull the schemas first.`, {
      errors: [{ path: 'component', code: 'unsupported_field', message: `The component ${key} is not in the library of the site.` }],
    });
  return template.tpl_id;
}

import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Database, type Precondition } from '@atrium/platform/database';
import { invalidFields, invalidState, Problem, type JsonObject } from '@atrium/platform/kernel';
import type { Block } from '../../content/domain/content-form';
import { applyOps } from '../../content/domain/content-ops';
import type { ContentOp } from '../../content/domain/op';
import { applyOverlayOps } from '../../content/domain/overlay-ops';
import { copyOverlay, deriveOverlay, resolvePage, type Overlay } from '../../content/domain/overlays';
import type { LocaleValues } from '../domain/draft-page';
import type { NodeIssue } from '../domain/page-draft';
import { ContentChecks } from './content-checks';
import { requireLocale } from './node-problems';
import { NodeReading, type NodeAddress, type NodeDetail } from './node-reading';
import { OpenDrafts, type OpenDraft } from './open-drafts';
import type { CompiledSchema } from '../../schemas/application/schema-compiler';

export interface ContentWish {
  readonly locale?: string;
  readonly note?: string | null;
}

export type ChangedContent = NodeDetail & { readonly new_uids: readonly string[] };

/** The content of pages as clients write it: whole, or by operations on its blocks. */
@Injectable()
export class ContentService {
  constructor(
    private readonly db: Database,
    private readonly drafts: OpenDrafts,
    private readonly checks: ContentChecks,
    private readonly reading: NodeReading,
  ) {}

  /** In the default locale the content replaces the tree, in others what of it differs becomes the values of the locale. */
  replace(
    caller: Principal,
    address: NodeAddress,
    wish: ContentWish & { readonly node_content: JsonObject },
    precondition?: Precondition,
  ): Promise<NodeDetail> {
    return this.saving(caller, address, { ...wish, precondition }, async (draft, locale) => ({
      known:
        locale === draft.site.site_default_locale
          ? await this.replaceTree(draft, wish.node_content, wish.note)
          : await this.replaceValues(draft, locale, wish),
    })).then(({ node }) => node);
  }

  applyOps(
    caller: Principal,
    address: NodeAddress,
    wish: ContentWish & { readonly ops: readonly ContentOp[] },
    precondition?: Precondition,
  ): Promise<ChangedContent> {
    return this.saving(caller, address, { ...wish, precondition }, (draft, locale) =>
      locale === draft.site.site_default_locale ? this.changeTree(draft, wish) : this.changeValues(draft, locale, wish),
    ).then(({ node, made = [] }) => ({ ...node, new_uids: made }));
  }

  private saving(
    caller: Principal,
    address: NodeAddress,
    { locale: named, precondition }: ContentWish & { readonly precondition?: Precondition | undefined },
    save: (draft: OpenDraft, locale: string) => Promise<{ readonly known: readonly NodeIssue[]; readonly made?: readonly string[] }>,
  ) {
    return this.db.write(async () => {
      const site = await this.drafts.requireSite(caller, address.site_id);
      const locale = requireLocale(site, named);
      const draft = await this.drafts.lockDraft(caller, site, address.node_id, { locale, precondition });
      requirePage(draft);
      const { known, made } = await save(draft, locale);
      return { node: await this.reading.readNode(caller, address, { locale, known }), made };
    });
  }

  private async replaceTree(
    draft: OpenDraft,
    content: JsonObject,
    note: string | null | undefined,
    copies: ReadonlyMap<string, string> = new Map(),
  ) {
    const { node, site, locales } = draft;
    const previous = node.node_tree as Block;
    node.node_tree = await this.checkContent(draft, content, previous);
    return this.drafts.saveDraft(draft, {
      locale: site.site_default_locale,
      note: note ?? null,
      values: new Map(copies.size === 0 ? [] : locales.map((row) => [row.nl_locale, copiedValues(row, copies)])),
    });
  }

  private async changeTree(draft: OpenDraft, { ops, note }: ContentWish & { readonly ops: readonly ContentOp[] }) {
    const { tree, made, copies } = applyOps(draft.node.node_tree as Block, ops, {
      find: draft.library.find,
      at: 'ops',
      newUid: () => this.checks.newUid(),
    });
    return { known: await this.replaceTree(draft, tree, note, copies), made };
  }

  private async replaceValues(
    draft: OpenDraft,
    locale: string,
    { node_content, note }: ContentWish & { readonly node_content: JsonObject },
  ) {
    const page = this.drafts.pageOf(draft);
    const given = await this.checkContent(draft, node_content, page.resolve(locale).tree);
    const { overlay, faults } = deriveOverlay(given, {
      fallback: page.resolveFallback(locale),
      overlay: page.overlayOf(locale),
      find: draft.library.find,
      at: 'node_content',
    });
    if (faults.length > 0) throw invalidFields(faults);
    return this.saveValues(draft, locale, { overlay, note });
  }

  private async changeValues(draft: OpenDraft, locale: string, { ops, note }: ContentWish & { readonly ops: readonly ContentOp[] }) {
    const page = this.drafts.pageOf(draft);
    const { find } = draft.library;
    const { overlay, confirmed } = applyOverlayOps(page.tree, page.overlayOf(locale), ops, { find, at: 'ops' });
    const changed = resolvePage(page.resolveFallback(locale), [overlay], find).tree;
    const checked = await this.checkContent(draft, changed, page.resolve(locale).tree);
    // What was written is stored in the form in which it was checked.
    const { overlay: stored } = deriveOverlay(checked, { fallback: page.resolveFallback(locale), overlay, find, at: 'node_content' });
    return { known: await this.saveValues(draft, locale, { overlay: stored, note, confirmed }) };
  }

  private saveValues(
    draft: OpenDraft,
    locale: string,
    {
      overlay,
      note,
      confirmed,
    }: { readonly overlay: Overlay; readonly note: string | null | undefined; readonly confirmed?: ReadonlySet<string> },
  ) {
    const sources = this.drafts.pageOf(draft).sourcesIn(locale, overlay, confirmed);
    const values = new Map([[locale, { nl_locale: locale, nl_overlay: overlay, nl_sources: sources }]]);
    return this.drafts.saveDraft(draft, { locale, values, note: note ?? null });
  }

  private checkContent(draft: OpenDraft, content: JsonObject, previous: Block): Promise<Block> {
    const { library, site, caller } = draft;
    return this.checks.checkContent(content, { library, site_id: site.site_id, template: requirePage(draft).key, previous, caller });
  }
}

/** The template of the page; folders and links have no content. */
function requirePage({ node, library }: OpenDraft): CompiledSchema {
  if (node.node_kind !== 'page') throw invalidState(`A ${node.node_kind} has no content.`);
  const template = node.node_template ? library.findTemplate(node.node_template) : undefined;
  if (!template)
    throw new Problem('invalid_state', 'The template of the page is not in the library of the site. Choose another template first.');
  return template;
}

function copiedValues({ nl_locale, nl_overlay, nl_sources }: LocaleValues, copies: ReadonlyMap<string, string>): LocaleValues {
  return {
    nl_locale,
    nl_overlay: copyOverlay(nl_overlay, copies),
    nl_sources: copyOverlay(nl_sources, copies) as LocaleValues['nl_sources'],
  };
}

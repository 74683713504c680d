import type { JsonObject } from '@atrium/platform/kernel';
import { isBlock, type Block, type FindComponent } from '../../content/domain/content-form';
import {
  localeChain,
  resolvePage,
  sourcesAfter,
  translationState,
  type LocalePage,
  type Overlay,
  type TranslationState,
} from '../../content/domain/overlays';
import type { Node } from './node';
import { stateAfterSave, type NodeLocale } from './node-locale';
import type { SiteOfDrafts } from './page-draft';
import { digestOf, ShownContent } from './shown-content';

/** The fields of a node that its previews show, besides its content. */
export type ShownNode = Pick<
  Node,
  | 'node_id'
  | 'node_parent'
  | 'node_kind'
  | 'node_name'
  | 'node_slug'
  | 'node_slugs'
  | 'node_template'
  | 'node_link'
  | 'node_tags'
  | 'node_menu'
  | 'node_tree'
  | 'node_seo'
>;

/** What is stored of a locale, as far as its page follows from it. */
export type LocaleValues = Pick<NodeLocale, 'nl_locale' | 'nl_overlay' | 'nl_sources'> & Partial<Pick<NodeLocale, 'nl_revision'>>;

export type SettledLocale = Omit<NodeLocale, 'nl_parent' | 'live_hash'>;

/** Folders and links have no content: a block without fields takes its place. */
const NO_CONTENT: Block = { _uid: '', component: '' };

/** A draft with all its locales: what each of them shows, and what of it is missing or was translated from something else. */
export class DraftPage {
  private readonly values: ReadonlyMap<string, LocaleValues>;
  private shown: ShownContent | null = null;

  constructor(
    private readonly site: SiteOfDrafts,
    private readonly node: ShownNode,
    locales: readonly LocaleValues[],
    private readonly find: FindComponent,
  ) {
    this.values = new Map(locales.map((locale) => [locale.nl_locale, locale]));
  }

  get tree(): Block {
    return isBlock(this.node.node_tree) ? this.node.node_tree : NO_CONTENT;
  }

  /** The page in the default locale. */
  get source(): LocalePage {
    return { tree: this.tree, seo: this.node.node_seo };
  }

  slugIn(locale: string): string {
    return slugIn(this.node, this.site, locale);
  }

  revisionIn(locale: string): number {
    return this.values.get(locale)?.nl_revision ?? 0;
  }

  overlayOf(locale: string): Overlay {
    return locale === this.site.site_default_locale ? {} : (this.values.get(locale)?.nl_overlay ?? {});
  }

  resolve(locale: string): LocalePage {
    return resolvePage(this.source, this.overlaysOf(locale), this.find);
  }

  /** What the locale would show without values of its own. */
  resolveFallback(locale: string): LocalePage {
    return resolvePage(this.source, this.overlaysOf(locale).slice(1), this.find);
  }

  contentIn(locale: string): JsonObject {
    return this.node.node_kind === 'page' ? this.resolve(locale).tree : {};
  }

  translationIn(locale: string): TranslationState {
    if (locale === this.site.site_default_locale || this.node.node_kind !== 'page') return { missing: [], stale: [] };
    const { nl_overlay = {}, nl_sources = {} } = this.values.get(locale) ?? {};
    return translationState({ overlay: nl_overlay, sources: nl_sources }, this.resolveFallback(locale), this.find);
  }

  /** The hash of all that a preview of the locale shows. */
  hashIn(locale: string): string {
    this.shown ??= new ShownContent(this.source, this.find);
    const { node_name, node_parent, node_kind, node_template, node_link, node_tags, node_menu } = this.node;
    return digestOf({
      structure: { node_name, node_parent, node_kind, node_template, node_link, node_tags: [...node_tags], node_menu },
      slug: this.slugIn(locale),
      content: this.shown.digestIn(this.overlaysOf(locale)),
    });
  }

  /**
   * The rows of the locales as they follow from the draft; `written` are the locales whose own values were written. Where nothing but the
   * values of some locales has changed (`alone`), only these and those that fall back to them are worked out.
   */
  settle(before: readonly NodeLocale[], written: readonly string[] = [], alone?: ReadonlySet<string>): SettledLocale[] {
    return before.map(({ nl_parent: _, live_hash, ...row }) => {
      const nl_locale = row.nl_locale;
      if (alone && !this.chainOf(nl_locale).some((code) => alone.has(code))) return row;
      const nl_hash = this.hashIn(nl_locale);
      const { missing, stale } = this.translationIn(nl_locale);
      const { nl_overlay, nl_sources } = this.values.get(nl_locale) ?? row;
      return {
        ...row,
        nl_overlay,
        nl_sources,
        nl_hash,
        nl_slug: this.slugIn(nl_locale),
        nl_missing: missing.length,
        nl_stale: stale.length,
        nl_revision: row.nl_revision + (written.includes(nl_locale) ? 1 : 0),
        nl_status: stateAfterSave(row.nl_status, nl_hash, live_hash),
      };
    });
  }

  /** The sources of the values that a save leaves in a locale. */
  sourcesIn(locale: string, after: Overlay, confirmed: ReadonlySet<string> = new Set()): NodeLocale['nl_sources'] {
    const { nl_overlay: before = {}, nl_sources: sources = {} } = this.values.get(locale) ?? {};
    return sourcesAfter({ before, sources, after, confirmed }, this.resolveFallback(locale), this.find);
  }

  private overlaysOf(locale: string): readonly Overlay[] {
    return this.chainOf(locale).map((code) => this.overlayOf(code));
  }

  private chainOf(locale: string): readonly string[] {
    return localeChain(locale, this.site.site_locales, this.site.site_default_locale);
  }
}

/** The segment of the path that is in effect in a locale. */
export const slugIn = (
  { node_slug, node_slugs }: Pick<Node, 'node_slug' | 'node_slugs'>,
  { site_default_locale }: Pick<SiteOfDrafts, 'site_default_locale'>,
  locale: string,
): string => (locale === site_default_locale || !Object.hasOwn(node_slugs, locale) ? node_slug : (node_slugs[locale] ?? node_slug));

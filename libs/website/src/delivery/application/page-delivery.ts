import { Injectable } from '@nestjs/common';
import { Database } from '@atrium/platform/database';
import { invalidField, notFound, Problem } from '@atrium/platform/kernel';
import { hashOfPath, splitFullPath } from '../../publishing/domain/live-path';
import { readSitePath } from '../../publishing/domain/redirect-address';
import { ABSOLUTE, addressesFor, Redirect } from '../../publishing/domain/redirect';
import { RedirectsRepository, type MatchedRule } from '../../publishing/infrastructure/redirects.repository';
import type { RedirectAnswer } from '../domain/delivered';
import { pathsIn } from '../domain/site-paths';
import { DeliveredPagesRows, type DeliveredPage, type PageLookup } from '../infrastructure/delivered-pages.rows';
import type { SiteFacts } from '../infrastructure/delivered-sites.rows';
import { DeliveryGate } from './delivery-gate';
import { KnownPages } from './known-pages';
import { PageRendering } from './page-rendering';
import { PageTexts, tagOf } from './page-texts';

/** Rules that lead to one another at most. */
const MOST_FOLLOWED = 5;

/** What is asked for: an address of a site. */
export interface PageQuery {
  readonly path: string;
  readonly locale?: string;
  readonly rich?: 'doc' | 'html';
}

/** A page that is live: its tag, and its text where the client does not have it already. */
export interface LivePageAnswer {
  readonly site: SiteFacts;
  readonly seq: number;
  readonly tag: string;
  readonly cacheTags: readonly string[];
  /** Null: the client has it. */
  readonly text: string | null;
}

export type DeliveryAnswer = LivePageAnswer | { readonly site: SiteFacts; readonly seq: number; readonly redirect: RedirectAnswer };

/** An address within a locale of a site. */
export interface Address {
  readonly locale: string;
  readonly path: string;
}

/** Delivers the page at an address: one statement finds it with everything around it, and its content is read only when it is sent. */
@Injectable()
export class PageDelivery {
  constructor(
    private readonly db: Database,
    private readonly gate: DeliveryGate,
    private readonly pages: DeliveredPagesRows,
    private readonly redirects: RedirectsRepository,
    private readonly rendering: PageRendering,
    private readonly texts: PageTexts,
    private readonly known: KnownPages,
  ) {}

  /** `isKnown` says whether the client has the answer with a tag. */
  async deliverPage(site_key: string, query: PageQuery, isKnown: (tag: string) => boolean): Promise<DeliveryAnswer> {
    let site = await this.gate.openSiteNow(site_key);
    const known = this.findKnown(site, query, isKnown);
    if (known) return known;
    return this.db.read(async () => {
      let found = await this.findPage(site, query);
      if (found.version !== site.version) {
        site = await this.gate.openSite(site_key, { renew: true });
        found = await this.findPage(site, query);
      }
      if (found.node_id === null) return { site, seq: found.site_seq, redirect: await this.findRedirect(site, query) };
      return this.answerPage(site, found, query, isKnown);
    });
  }

  /** What was found at the address, if nothing of the site has changed since and its text is at hand or not needed. */
  private findKnown(site: SiteFacts, query: PageQuery, isKnown: (tag: string) => boolean): LivePageAnswer | undefined {
    const page = this.known.findPage(site, addressOf(site, query), query.rich);
    if (!page) return undefined;
    const text = isKnown(page.tag) ? null : this.texts.findText(page.tag);
    return text === undefined ? undefined : { site, seq: site.site_seq, ...page, text };
  }

  private async findPage(site: SiteFacts, query: PageQuery): Promise<PageLookup> {
    const { locale, path } = addressOf(site, query);
    const found = await this.pages.findPage(site.site_id, locale, hashOfPath(path));
    if (!found) throw notFound('site');
    return found;
  }

  private async answerPage(
    site: SiteFacts,
    page: PageLookup & DeliveredPage,
    query: PageQuery,
    isKnown: (tag: string) => boolean,
  ): Promise<LivePageAnswer> {
    const address = addressOf(site, query);
    const { locale } = address;
    const { site_seq: seq, version, ...shown } = page;
    const tag = tagOf([version, locale, query.rich ?? 'doc', shown]);
    const cacheTags = [`site:${site.site_id}`, `node:${page.node_id}`, `tpl:${page.template}`];
    this.known.keepPage({ ...site, site_seq: seq }, address, query.rich, { tag, cacheTags });
    if (isKnown(tag)) return { site, seq, tag, cacheTags, text: null };
    const known = this.texts.findText(tag);
    if (known !== undefined) return { site, seq, tag, cacheTags, text: known };
    const doc = await this.pages.findDocument(page.snapshot);
    if (!doc) throw notFound('page');
    const text = JSON.stringify(this.rendering.renderPage(site, page, doc, { locale, html: query.rich === 'html' }));
    this.texts.keepText(tag, text);
    return { site, seq, tag, cacheTags, text };
  }

  /** Where an address leads at which nothing is live; 410 or 404 where it leads nowhere. */
  private async findRedirect(site: SiteFacts, query: PageQuery): Promise<RedirectAnswer> {
    const address = addressOf(site, query);
    const rule = await this.findRule(site, address);
    const target = rule && (await this.followRule(site, address, rule));
    if (!rule || !target) throw notFound('page');
    return { kind: 'redirect', status: rule.red_status, location: encodeURI(target) };
  }

  private findRule(site: SiteFacts, { locale, path }: Address): Promise<MatchedRule | undefined> {
    return this.redirects.findRule(site.site_id, locale, addressesFor(pathsIn(site, locale)(path)));
  }

  /**
   * Where a rule leads in the end, so that visitors are redirected once however often pages moved since. A rule of a page leads
   * nowhere while nothing is live at its target; what a person wrote is followed as written.
   */
  private async followRule(site: SiteFacts, from: Address, rule: MatchedRule, followed: readonly string[] = []): Promise<string | null> {
    if (rule.red_status === 410) throw new Problem('gone', 'The page was removed for good.');
    const at = pathsIn(site, from.locale);
    const full = at(from.path);
    const target = Object.assign(new Redirect(), rule).resolveTarget(full, rule.live_path === null ? null : at(rule.live_path));
    if (target === null || target === full) return null;
    const next = ABSOLUTE.test(target) ? null : splitFullPath(activeOf(site), target.split(/[?#]/, 1)[0] ?? '');
    if (!next || (await this.pages.isLive(site.site_id, next.locale, hashOfPath(next.path)))) return target;
    const passed = [...followed, rule.red_id];
    const further = passed.length < MOST_FOLLOWED ? await this.findRule(site, next) : undefined;
    const end = !further || passed.includes(further.red_id) ? null : await this.followRule(site, next, further, passed);
    return end ?? (rule.red_node === null ? target : null);
  }
}

const activeOf = ({ site_locales }: SiteFacts): SiteFacts['site_locales'] => site_locales.filter(({ active }) => active);

/** Which locale an address belongs to. A locale that is named takes paths with and without its prefix. */
export function addressOf(site: SiteFacts, { path: asked, locale }: PageQuery): Address {
  const path = readSitePath(asked, 'path');
  const active = activeOf(site);
  if (locale !== undefined && !active.some(({ code }) => code === locale))
    throw invalidField('locale', 'must be a locale of the site', 'reference');
  const split = splitFullPath(active, path);
  if (locale === undefined) {
    if (!split) throw notFound('page');
    return split;
  }
  return split?.locale === locale ? split : { locale, path };
}

import { Injectable } from '@nestjs/common';
import { Database } from '@atrium/platform/database';
import { invalidField, notFound, Problem } from '@atrium/platform/kernel';
import { fullPath, hashOfPath, splitFullPath } from '../../publishing/domain/live-path';
import { readSitePath } from '../../publishing/domain/redirect-address';
import { addressesFor, Redirect } from '../../publishing/domain/redirect';
import { RedirectsRepository } from '../../publishing/infrastructure/redirects.repository';
import type { RedirectAnswer } from '../domain/delivered';
import { prefixIn } from '../domain/site-paths';
import { DeliveredPagesRows, type DeliveredPage, type PageLookup } from '../infrastructure/delivered-pages.rows';
import type { SiteFacts } from '../infrastructure/delivered-sites.rows';
import { DeliveryGate } from './delivery-gate';
import { PageRendering } from './page-rendering';
import { PageTexts, tagOf } from './page-texts';

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
  ) {}

  /** `isKnown` says whether the client has the answer with a tag. */
  async deliverPage(site_key: string, query: PageQuery, isKnown: (tag: string) => boolean): Promise<DeliveryAnswer> {
    let site = await this.gate.openSite(site_key);
    return this.db.read(async () => {
      let found = await this.findPage(site, query);
      if (found.version !== site.version) {
        site = await this.gate.openSite(site_key, { renew: true });
        found = await this.findPage(site, query);
      }
      if (found.node_id === null) return { site, seq: found.site_seq, redirect: await this.findRedirect(site, query) };
      return this.answerPage(site, found as PageLookup & DeliveredPage, query, isKnown);
    });
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
    const { locale } = addressOf(site, query);
    const { site_seq: seq, version, ...shown } = page;
    const tag = tagOf([version, locale, query.rich ?? 'doc', shown]);
    const cacheTags = [`site:${site.site_id}`, `node:${page.node_id}`, `tpl:${page.template}`];
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
    const { locale, path } = addressOf(site, query);
    const prefix = prefixIn(site, locale);
    const full = fullPath(prefix, path);
    const rule = await this.redirects.findRule(site.site_id, locale, addressesFor(full));
    if (!rule) throw notFound('page');
    if (rule.red_status === 410) throw new Problem('gone', 'The page was removed for good.');
    const live = rule.live_path === null ? null : fullPath(prefix, rule.live_path);
    const target = Object.assign(new Redirect(), rule).resolveTarget(full, live);
    if (target === null || target === full) throw notFound('page');
    return { kind: 'redirect', status: rule.red_status, location: encodeURI(target) };
  }
}

/** Which locale an address belongs to. A locale that is named takes paths with and without its prefix. */
export function addressOf(site: SiteFacts, { path: asked, locale }: PageQuery): Address {
  const path = readSitePath(asked, 'path');
  const active = site.site_locales.filter((one) => one.active);
  if (locale !== undefined && !active.some(({ code }) => code === locale))
    throw invalidField('locale', 'must be a locale of the site', 'reference');
  const split = splitFullPath(active, path);
  if (locale === undefined) {
    if (!split) throw notFound('page');
    return split;
  }
  return split?.locale === locale ? split : { locale, path };
}

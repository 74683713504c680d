import { Injectable } from '@nestjs/common';
import { Database } from '@atrium/platform/database';
import type { JsonObject } from '@atrium/platform/kernel';
import type { TreeNode } from '../domain/delivered';
import { buildLiveTree } from '../domain/live-tree';
import { pathsIn } from '../domain/site-paths';
import { DeliveredPagesRows, type TreeEntry } from '../infrastructure/delivered-pages.rows';
import type { SiteFacts } from '../infrastructure/delivered-sites.rows';
import { DeliveryGate } from './delivery-gate';
import { localeOf } from './page-lists';
import { PageRendering } from './page-rendering';
import { tagOf } from './page-texts';

/** Entries of a tree; a larger site is read by lists. */
const MOST_ENTRIES = 5_000;
/** Levels of a site. */
const LEVELS = 15;

export interface TreeQuery {
  readonly locale?: string;
  readonly depth?: number;
  readonly menu?: boolean;
}

/** What visitors know of a site as a whole. */
export interface SiteAnswer {
  readonly name: string;
  readonly locales: readonly { readonly code: string; readonly name: string; readonly prefix: string; readonly default: boolean }[];
  readonly seq: number;
  readonly base_url: string | null;
}

/** An answer with what caches have to know of it. */
export interface Tagged<T> {
  readonly site: SiteFacts;
  readonly tag: string;
  readonly body: T;
}

/** A site and its menu, as they are live. */
@Injectable()
export class SiteOverview {
  constructor(
    private readonly db: Database,
    private readonly gate: DeliveryGate,
    private readonly pages: DeliveredPagesRows,
    private readonly rendering: PageRendering,
  ) {}

  async describeSite(site_key: string): Promise<Tagged<SiteAnswer>> {
    const site = await this.gate.openSite(site_key, { renew: true });
    const body: SiteAnswer = {
      name: site.site_name,
      locales: site.site_locales
        .filter(({ active }) => active)
        .map(({ code, name, prefix }) => ({ code, name, prefix, default: code === site.site_default_locale })),
      seq: site.site_seq,
      base_url: site.site_base_url,
    };
    return { site, tag: tagOf(body), body };
  }

  async showTree(site_key: string, { locale: asked, depth = LEVELS, menu = true }: TreeQuery): Promise<Tagged<readonly TreeNode[]>> {
    const site = await this.gate.openSite(site_key, { renew: true });
    const locale = localeOf(site, asked);
    const rows = await this.db.read(() => this.pages.listTree(site.site_id, locale, { levels: depth, menu, most: MOST_ENTRIES }));
    const at = pathsIn(site, locale);
    const placed = rows.map((row) => ({ ...row, path: at(row.path), link: row.link && this.withAddress(site, row, at) }));
    const body = buildLiveTree(placed, { menu, depth });
    return { site, tag: tagOf(body), body };
  }

  /** The target of a link in a menu: a page leads to where it is live, a file to its bytes. */
  private withAddress(site: SiteFacts, { link, files, target }: TreeEntry, at: (path: string) => string): JsonObject | null {
    if (typeof link?.ref !== 'string') return link;
    const file = files?.[link.ref];
    if (link.kind === 'file') return { ...link, url: file ? this.rendering.assetOf(site, link.ref, file).url : null };
    return link.kind === 'page' ? { ...link, url: target === null ? null : at(target) } : link;
  }
}

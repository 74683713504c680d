import { Injectable } from '@nestjs/common';
import { Problem } from '@atrium/platform/kernel';
import { MOST_SITEMAP_URLS, readSitemap, type Sitemap } from '../infrastructure/sitemap';
import { SiteFetch } from '../infrastructure/site-fetch';
import type { SiteCrawlState } from './site-crawl-state';

/** Sitemaps of one site, indexes included. */
const MOST_SITEMAPS = 200;
const AT_ONCE = 1_000;

/** Pages that a sitemap names, and what is to be said of it. */
export interface MappedPages {
  readonly address: string;
  readonly pages: readonly string[];
  /** A sentence that says what of it could not be read. */
  readonly flaw: string | null;
}

/** Reads the sitemaps of a site and those that they name, up to 50,000 pages. What cannot be read is passed over and said. */
@Injectable()
export class SiteMaps {
  constructor(private readonly fetch: SiteFetch) {}

  /** Where the site does not name its sitemap, the usual address is asked, and need not be one. */
  async *readSitemaps(
    addresses: readonly string[],
    { isNamed, siteState }: { readonly isNamed: boolean; readonly siteState: SiteCrawlState },
    signal: AbortSignal,
  ): AsyncGenerator<MappedPages> {
    const waiting: { readonly address: string; readonly isNamed: boolean }[] = [];
    const known = new Set<string>();
    const add = (address: string, named: boolean): void => {
      if (known.size >= MOST_SITEMAPS || known.has(address)) return;
      known.add(address);
      waiting.push({ address, isNamed: named });
    };
    for (const address of addresses) add(address, isNamed);
    let left = MOST_SITEMAP_URLS;
    for (let next = waiting.shift(); next !== undefined && left > 0; next = waiting.shift()) {
      const { address } = next;
      const { pages, sitemaps, isSitemap, flaw } = await this.one(address, { most: left, siteState }, signal);
      for (const further of sitemaps)
        if (known.size >= MOST_SITEMAPS) break;
        else if (URL.canParse(further, address)) add(new URL(further, address).href, true);
      left -= pages.length;
      const said = flaw === null || !(next.isNamed || isSitemap) ? null : `The sitemap ${address} could not be read completely: ${flaw}`;
      if (said !== null) yield { address, pages: [], flaw: said };
      for (let at = 0; at < pages.length; at += AT_ONCE) yield { address, pages: pages.slice(at, at + AT_ONCE), flaw: null };
    }
  }

  private async one(
    address: string,
    { most, siteState }: { readonly most: number; readonly siteState: SiteCrawlState },
    signal: AbortSignal,
  ): Promise<Sitemap> {
    try {
      const { status, body } = await this.fetch.fetchSitemap(address, siteState.cookies, signal);
      return body === null ? unread(`The site returned the status ${status}.`) : await readSitemap(body, most);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof Problem)) throw error;
      return unread(error.detail);
    }
  }
}

const unread = (flaw: string): Sitemap => ({ pages: [], sitemaps: [], isSitemap: false, flaw });

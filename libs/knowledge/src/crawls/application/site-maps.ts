import { Injectable, Logger } from '@nestjs/common';
import { Problem } from '@atrium/platform/kernel';
import { MOST_SITEMAP_URLS, readSitemap, type Sitemap } from '../infrastructure/sitemap';
import { SiteFetch } from '../infrastructure/site-fetch';

/** Sitemaps of one site, indexes included. */
const MOST_SITEMAPS = 200;
const AT_ONCE = 1_000;

/** Reads the sitemaps of a site and those that they name, up to 50,000 pages. One that cannot be read is passed over. */
@Injectable()
export class SiteMaps {
  private readonly log = new Logger(SiteMaps.name);

  constructor(private readonly fetch: SiteFetch) {}

  async *pages(addresses: readonly string[], signal: AbortSignal): AsyncGenerator<readonly string[]> {
    const waiting = [...addresses];
    const seen = new Set<string>();
    let left = MOST_SITEMAP_URLS;
    for (let address = waiting.shift(); address !== undefined && left > 0 && seen.size < MOST_SITEMAPS; address = waiting.shift()) {
      if (seen.has(address)) continue;
      seen.add(address);
      const { pages, sitemaps } = await this.read(address, left, signal);
      waiting.push(...sitemaps);
      left -= pages.length;
      for (let at = 0; at < pages.length; at += AT_ONCE) yield pages.slice(at, at + AT_ONCE);
    }
  }

  private async read(address: string, most: number, signal: AbortSignal): Promise<Sitemap> {
    try {
      const source = await this.fetch.sitemap(address, signal);
      return source === null ? NOTHING : await readSitemap(source, most);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof Problem)) throw error;
      this.log.log({ msg: 'a sitemap cannot be read', address, reason: error.detail });
      return NOTHING;
    }
  }
}

const NOTHING: Sitemap = { pages: [], sitemaps: [] };

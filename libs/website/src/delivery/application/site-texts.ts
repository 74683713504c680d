import { Injectable } from '@nestjs/common';
import { publicOrigin, Settings } from '@atrium/platform/config';
import { Database } from '@atrium/platform/database';
import { apartFromRequest, isId, LoopTurns, notFound } from '@atrium/platform/kernel';
import { LRUCache } from 'lru-cache';
import { pagesPerSitemap, sitemapUrls, writeSitemap, writeSitemapIndex } from '../domain/sitemap';
import { DeliveredPagesRows } from '../infrastructure/delivered-pages.rows';
import type { SiteFacts } from '../infrastructure/delivered-sites.rows';
import { DeliveryGate } from './delivery-gate';
import { tagOf } from './page-texts';

/** What sitemaps of one process take in memory. */
const MOST_BYTES = 64 * 1024 * 1024;
/** Pages that are read and written at a time. */
const AT_ONCE = 2_000;

/** A text with what caches have to know of it. */
export interface SiteText {
  readonly site: SiteFacts;
  readonly tag: string;
  readonly text: string;
}

/** The sitemap and robots.txt of a site. Sitemaps name addresses on the site itself, so that they need its `site_base_url`. */
@Injectable()
export class SiteTexts {
  /** Apart from pages, which a large sitemap would displace. */
  private readonly texts = new LRUCache<string, string>({ maxSize: MOST_BYTES, sizeCalculation: (text) => text.length * 2 + 1 });
  private readonly writing = new Map<string, Promise<string>>();

  constructor(
    private readonly db: Database,
    private readonly gate: DeliveryGate,
    private readonly pages: DeliveredPagesRows,
    private readonly settings: Settings,
  ) {}

  async writeRobots(site_key: string): Promise<SiteText> {
    const site = await this.gate.openSite(site_key, { renew: true });
    const sitemap = site.site_base_url === null ? '' : `Sitemap: ${this.addressOf(site, 'sitemap.xml')}\n`;
    const text = `${site.site_robots.trimEnd()}\n${sitemap}`;
    return { site, tag: tagOf(text), text };
  }

  /** The sitemap, or an index of sitemaps where the site has more addresses than one may list. */
  async writeSitemap(site_key: string): Promise<SiteText> {
    const site = await this.gate.openSite(site_key, { renew: true });
    return this.keepText(site, 'sitemap', async (base_url) => {
      const most = pagesPerSitemap(localesOf(site));
      const starts = await this.db.read(() => this.pages.listSitemapStarts(site.site_id, most));
      if (starts.length > 1) return writeSitemapIndex(starts.map((start) => this.addressOf(site, `sitemap/${start}.xml`)));
      return this.writePart(site, base_url, null);
    });
  }

  /** A part of it, which begins with a node. */
  async writeSitemapPart(site_key: string, start: string): Promise<SiteText> {
    if (!isId(start)) throw notFound('sitemap');
    const site = await this.gate.openSite(site_key, { renew: true });
    return this.keepText(site, `sitemap ${start}`, (base_url) => this.writePart(site, base_url, start));
  }

  private async keepText(site: SiteFacts, name: string, write: (base_url: string) => Promise<string>): Promise<SiteText> {
    const { site_base_url: base_url } = site;
    if (base_url === null) throw notFound('sitemap');
    const tag = tagOf([name, site.site_id, site.site_seq, site.version]);
    return { site, tag, text: this.texts.get(tag) ?? (await this.writeOnce(tag, () => write(base_url))) };
  }

  /** For all who ask for it in the meantime. */
  private writeOnce(tag: string, write: () => Promise<string>): Promise<string> {
    const running = this.writing.get(tag);
    if (running) return running;
    const writing = apartFromRequest(write)
      .then((text) => {
        this.texts.set(tag, text);
        return text;
      })
      .finally(() => this.writing.delete(tag));
    this.writing.set(tag, writing);
    return writing;
  }

  /** Read in stretches, so that no connection is held while the text is written. */
  private async writePart(site: SiteFacts, base_url: string, start: string | null): Promise<string> {
    const most = pagesPerSitemap(localesOf(site));
    const turns = new LoopTurns();
    const urls: string[] = [];
    let listed = 0;
    for (let from = start; ;) {
      const wanted = Math.min(AT_ONCE, most - listed);
      const rows = await this.db.read(() => this.pages.listSitemap(site.site_id, from, wanted + 1));
      urls.push(sitemapUrls(rows.slice(0, wanted), { ...site, base_url }));
      listed += Math.min(rows.length, wanted);
      from = rows[wanted]?.node_id ?? null;
      if (from === null || listed >= most) return writeSitemap(urls);
      if (turns.isOver) await turns.awaitNextTurn();
    }
  }

  private addressOf({ site_key }: SiteFacts, name: string): string {
    return `${publicOrigin(this.settings)}/w/${site_key}/${name}`;
  }
}

const localesOf = ({ site_locales }: SiteFacts): number => Math.max(1, site_locales.filter(({ active }) => active).length);

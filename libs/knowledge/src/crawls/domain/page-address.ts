import { createHash } from 'node:crypto';
import { LoopTurns } from '@atrium/platform/kernel';

/** Parameters that say where a visitor came from, never what a page shows. */
const TRACKING =
  /^(?:utm_\w+|gclid|gclsrc|dclid|gbraid|wbraid|fbclid|msclkid|yclid|twclid|ttclid|li_fat_id|igshid|mc_cid|mc_eid|mkt_tok|_hs(?:enc|mi)|_ga|_gl|ref_src|ref_url|wt_mc|pk_\w+|mtm_\w+|piwik_\w+|s_cid|icid|vero_(?:conv|id)|oly_(?:anon|enc)_id|__s)$/i;
/** Longest address that is kept. */
export const LONGEST_ADDRESS = 2_048;
/** As it is written: to read an address takes time that grows with its length, and much of it may be tracking. */
const LONGEST_WRITTEN = 4 * LONGEST_ADDRESS;
const LONGEST_EXTERNAL_ID = 512;

/**
 * The one spelling of a page's address: lower host, no default port, fragment, name or password, no tracking parameters, the others in order.
 * Undefined for what is no address of a page.
 */
export function pageAddress(text: string, base?: string): string | undefined {
  if (text.length > LONGEST_WRITTEN || !URL.canParse(text.trim(), base)) return undefined;
  const url = new URL(text.trim(), base);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return undefined;
  if (url.username !== '' || url.password !== '') return undefined;
  url.hash = '';
  url.hostname = url.hostname.replace(/\.$/, '');
  const kept = [...url.searchParams].filter(([name]) => !TRACKING.test(name));
  kept.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  url.search = new URLSearchParams(kept).toString();
  return url.href.length <= LONGEST_ADDRESS ? url.href : undefined;
}

/**
 * A site: the pages of one origin. An address of it that says http is followed by https where the site began with it; a site that
 * began with http goes on as it is.
 */
export class Site {
  private readonly start: URL;

  constructor(address: string) {
    this.start = new URL(address);
  }

  get robots(): string {
    return new URL('/robots.txt', this.start).href;
  }

  /** Where a sitemap is unless the site says otherwise. */
  get sitemap(): string {
    return new URL('/sitemap.xml', this.start).href;
  }

  /** The address as it is fetched; undefined where it leads to another site. */
  own(text: string, base: string): string | undefined {
    const address = pageAddress(text, base);
    if (address === undefined) return undefined;
    const url = new URL(address);
    if (url.protocol === 'http:' && this.start.protocol === 'https:' && url.port === '' && this.start.port === '') url.protocol = 'https:';
    return url.origin === this.start.origin ? url.href : undefined;
  }

  /** Those of many addresses that lead to pages of this site, each once, in several turns of the event loop. */
  async allOwn(texts: readonly string[], base: string): Promise<string[]> {
    const own = new Set<string>();
    const turns = new LoopTurns();
    for (const text of texts) {
      if (turns.isOver) await turns.next();
      const address = this.own(text, base);
      if (address !== undefined) own.add(address);
    }
    return [...own];
  }
}

/** What names the page among all others of its crawl, whatever its length. */
const addressHash = (address: string): Buffer => createHash('sha256').update(address).digest();

/** The address as the id of a record, which is shorter: one that is too long ends in a digest of it. */
export function externalId(address: string): string {
  if (address.length <= LONGEST_EXTERNAL_ID) return address;
  return `${address.slice(0, LONGEST_EXTERNAL_ID - 44)}#${addressHash(address).toString('base64url')}`;
}

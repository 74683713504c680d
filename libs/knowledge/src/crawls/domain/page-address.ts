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

/** Parameters that name the visit, never what a page shows. */
const SESSION = /^(?:phpsessid|jsessionid|aspsessionid\w*|cfid|cftoken|oscsid|zenid|session_?id)$/i;
/** Names that a session and others share: the value separates them. */
const MAYBE_SESSION = /^(?:s|sid)=[0-9a-f]{32}$/i;
const SESSION_OF_A_PATH = /;jsessionid=[^/;]*/i;

/**
 * The address of a page as it is asked for: lower host, no default port, fragment, name or password, no tracking parameters. What else is in its
 * query stays as it was written, because sites read it as they like. Undefined for what is no address of a page.
 */
export function pageAddress(text: string, base?: string): string | undefined {
  if (text.length > LONGEST_WRITTEN || !URL.canParse(text.trim(), base)) return undefined;
  const url = new URL(text.trim(), base);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return undefined;
  if (url.username !== '' || url.password !== '') return undefined;
  url.hash = '';
  url.hostname = url.hostname.replace(/\.$/, '');
  const parameters = parametersOf(url);
  const kept = parameters.filter((parameter) => !TRACKING.test(nameOf(parameter)));
  if (kept.length < parameters.length || url.search === '') url.search = kept.join('&');
  return url.href.length <= LONGEST_ADDRESS ? url.href : undefined;
}

/**
 * The one spelling of a page's address, by which pages are compared and never asked for: parameters in order, without those of a session, and
 * signs that may be written by their code or not in one way.
 */
export function comparedAddress(address: string): string {
  const url = new URL(address);
  url.hash = '';
  url.pathname = sameSigns(url.pathname.replace(SESSION_OF_A_PATH, ''));
  const kept = parametersOf(url)
    .filter((parameter) => parameter !== '' && !SESSION.test(nameOf(parameter)) && !MAYBE_SESSION.test(parameter))
    .map((parameter) => sameSigns(parameter).replaceAll('%20', '+'));
  kept.sort((a, b) => compare(nameOf(a), nameOf(b)));
  url.search = kept.join('&');
  return url.href;
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const parametersOf = ({ search }: URL): readonly string[] => (search === '' ? [] : search.slice(1).split('&'));
const nameOf = (parameter: string): string => parameter.split('=', 1)[0] ?? '';

/** Codes in capital letters, and none for signs that need none. */
const sameSigns = (text: string): string =>
  text.replace(/%[0-9a-f]{2}/gi, (code) => {
    const sign = String.fromCharCode(parseInt(code.slice(1), 16));
    return /[\w.~-]/.test(sign) ? sign : code.toUpperCase();
  });

/**
 * A site: the pages of one origin. An address of it that says http is followed by https where the site began with it; a site that
 * began with http goes on as it is. One that `www.` was added to or taken from keeps its pages under either name.
 */
export class Site {
  private readonly start: URL;
  private readonly formerHost: string | undefined;

  constructor(address: string, former?: Site) {
    this.start = new URL(address);
    if (former !== undefined && former.start.host !== this.start.host && bare(former.start.host) === bare(this.start.host))
      this.formerHost = former.start.host;
  }

  get origin(): string {
    return this.start.origin;
  }

  get robots(): string {
    return new URL('/robots.txt', this.start).href;
  }

  /** Where a sitemap is unless the site says otherwise. */
  get sitemap(): string {
    return new URL('/sitemap.xml', this.start).href;
  }

  /** The address as it is fetched; undefined where it leads to another site. */
  ownAddress(text: string, base: string): string | undefined {
    const address = pageAddress(text, base);
    if (address === undefined) return undefined;
    const url = new URL(this.securedAddress(address));
    if (url.host === this.formerHost) url.host = this.start.host;
    return url.origin === this.start.origin ? url.href : undefined;
  }

  /** The address by https, where the site began with it and nothing says that another port answers http. */
  securedAddress(address: string): string {
    const url = new URL(address);
    if (url.protocol === 'http:' && this.start.protocol === 'https:' && url.port === '' && this.start.port === '') url.protocol = 'https:';
    return url.href;
  }

  /** Those of many addresses that lead to pages of this site, each once in its first spelling, in several turns of the event loop. */
  async allOwn(texts: readonly string[], base: string): Promise<string[]> {
    const own = new Map<string, string>();
    const turns = new LoopTurns();
    for (const text of texts) {
      if (turns.isOver) await turns.awaitNextTurn();
      const address = this.ownAddress(text, base);
      if (address === undefined) continue;
      const compared = comparedAddress(address);
      if (!own.has(compared)) own.set(compared, address);
    }
    return [...own.values()];
  }
}

const bare = (host: string): string => host.replace(/^www\./, '');

/** What names the page among all others of its crawl, whatever its length. */
const addressHash = (address: string): Buffer => createHash('sha256').update(address).digest();

/** The address as the id of a record, which is shorter: one that is too long ends in a digest of it. */
export function externalId(address: string): string {
  if (address.length <= LONGEST_EXTERNAL_ID) return address;
  return `${address.slice(0, LONGEST_EXTERNAL_ID - 44)}#${addressHash(address).toString('base64url')}`;
}

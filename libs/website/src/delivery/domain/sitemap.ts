import { pathsIn } from './site-paths';
import type { SiteLocale } from '../../sites/domain/site-locales';

/** Addresses that one sitemap may have, by its standard. */
const MOST_ADDRESSES = 50_000;
/** Entries of other locales in one sitemap: each address lists all of its locales. */
const MOST_ALTERNATES = 200_000;

/** A page that search engines may list, in the locales in which it is live. */
export interface SitemapPage {
  readonly pages: readonly { readonly locale: string; readonly path: string; readonly published: string }[];
}

/** Pages of one sitemap, so that it keeps to what the standard allows however many locales the site has. */
export const pagesPerSitemap = (locales: number): number =>
  Math.max(1, Math.min(Math.floor(MOST_ADDRESSES / locales), Math.floor(MOST_ALTERNATES / (locales * locales))));

/** The addresses of some pages as XML. The pages of the default locale are those for readers of any other language. */
export function sitemapUrls(
  pages: readonly SitemapPage[],
  site: { readonly base_url: string; readonly site_locales: readonly SiteLocale[]; readonly site_default_locale: string },
): string {
  const delivered = new Set(site.site_locales.filter(({ active }) => active).map(({ code }) => code));
  return pages
    .flatMap(({ pages: locales }) => {
      const addressed = locales
        .filter(({ locale }) => delivered.has(locale))
        .map(({ locale, path, published }) => ({
          locale,
          published,
          address: addressOn(site.base_url, pathsIn(site, locale)(path)),
        }));
      const others =
        addressed.length < 2 ? '' : addressed.map(({ locale, address }) => alternate(locale, address)).join('') + fallback(addressed, site);
      return addressed.map(
        ({ address, published }) =>
          `<url><loc>${escapeXml(address)}</loc><lastmod>${new Date(published).toISOString()}</lastmod>${others}</url>`,
      );
    })
    .join('');
}

/** A sitemap as XML, of the addresses of its pages. */
export const writeSitemap = (urls: readonly string[]): string =>
  `${HEAD}<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">${urls.join('')}</urlset>\n`;

/** An index of sitemaps as XML. */
export const writeSitemapIndex = (addresses: readonly string[]): string =>
  `${HEAD}<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${addresses.map((address) => `<sitemap><loc>${escapeXml(address)}</loc></sitemap>`).join('')}</sitemapindex>\n`;

/** A path on the site that is in front of the delivery. */
const addressOn = (base: string, path: string): string => `${base.replace(/\/$/, '')}${path === '/' ? '/' : encodeURI(path)}`;

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';

const alternate = (locale: string, address: string): string =>
  `<xhtml:link rel="alternate" hreflang="${escapeXml(locale)}" href="${escapeXml(address)}"/>`;

function fallback(
  pages: readonly { readonly locale: string; readonly address: string }[],
  { site_default_locale }: { readonly site_default_locale: string },
): string {
  const page = pages.find(({ locale }) => locale === site_default_locale);
  return page ? alternate('x-default', page.address) : '';
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };
const escapeXml = (text: string): string => text.replace(/[&<>"']/g, (sign) => ESCAPES[sign] ?? sign);

import { Readable } from 'node:stream';
import type { SiteFetch } from '../infrastructure/site-fetch';
import type { SiteCrawlState } from './site-crawl-state';
import { SiteMaps } from './site-maps';

const MOST = 200;
const EACH = 1_000;

describe('the sitemaps of a site', () => {
  it('are read up to a number, and no more of those that their indexes name are kept', async () => {
    let asked = 0;
    const fetch = {
      fetchSitemap: () => {
        asked++;
        const named = Array.from({ length: EACH }, (_, at) => `<sitemap><loc>/${asked}-${at}.xml</loc></sitemap>`);
        return Promise.resolve({ status: 200, body: Readable.from([Buffer.from(`<sitemapindex>${named.join('')}</sitemapindex>`)]) });
      },
    } as unknown as SiteFetch;
    const resolved = jest.spyOn(URL, 'canParse');
    const maps = new SiteMaps(fetch).readSitemaps(
      ['https://a.example/sitemap.xml'],
      { isNamed: true, siteState: { cookies: null } as unknown as SiteCrawlState },
      new AbortController().signal,
    );
    for await (const { pages } of maps) expect(pages).toEqual([]);
    expect(asked).toBe(MOST);
    expect(resolved.mock.calls.length).toBeLessThanOrEqual(MOST);
    resolved.mockRestore();
  });
});

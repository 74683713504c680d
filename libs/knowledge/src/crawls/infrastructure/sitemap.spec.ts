import { Readable } from 'node:stream';
import { readSitemap } from './sitemap';

const source = (text: string): Readable => Readable.from([Buffer.from(text)]);

describe('a sitemap', () => {
  it('names pages, and an index names sitemaps', async () => {
    expect(
      await readSitemap(
        source(`<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:i="x"><url><loc> https://a.example/?x=1&amp;y=2 </loc><i:image><i:loc>https://a.example/p.png</i:loc></i:image></url>
          <url><loc><![CDATA[https://a.example/b]]></loc></url></urlset>`),
      ),
    ).toEqual({ pages: ['https://a.example/?x=1&y=2', 'https://a.example/b'], sitemaps: [] });
    expect(await readSitemap(source('<sitemapindex><sitemap><loc>https://a.example/1.xml</loc></sitemap></sitemapindex>'))).toEqual({
      pages: [],
      sitemaps: ['https://a.example/1.xml'],
    });
  });

  it('passes over an address that is longer than any', async () => {
    const text = `<urlset><url><loc>https://a.example/${'"'.repeat(10_000)}</loc></url><url><loc>https://a.example/b</loc></url></urlset>`;
    expect((await readSitemap(source(text))).pages).toEqual(['https://a.example/b']);
  });

  it('is read up to its bound', async () => {
    const urls = Array.from({ length: 30 }, (_, at) => `<url><loc>https://a.example/${at}</loc></url>`).join('');
    expect((await readSitemap(source(`<urlset>${urls}</urlset>`), 10)).pages).toHaveLength(10);
  });

  it.each(['<urlset><url>', 'not xml', '<!DOCTYPE x [<!ENTITY a "b">]><urlset><url><loc>&a;</loc></url></urlset>'])(
    'is refused where it is none: %s',
    async (text) => {
      await expect(readSitemap(source(text))).rejects.toMatchObject({ code: 'unprocessable_content' });
    },
  );
});

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunningApi, TestWorkspace } from '@atrium/platform/testing';
import { memoryPages, validateXML } from 'xmllint-wasm';
import { sharedAtrium } from '../support/shared-atrium';
import { LiveSite } from './live-site';
import { insertLivePages } from './many-live-pages';
import { makePages, type Pages } from './pages';

const BASE = 'https://www.example.com';
/** Addresses of one sitemap, by its standard. */
const MOST = 50_000;

let api: RunningApi;
let ours: TestWorkspace;
let pages: Pages;
let live: LiveSite;

/** A text at an address outside of the API, and what caches know of it. */
const fetchText = async (address: string, headers: Record<string, string> = {}) => {
  const answer = await fetch(address, { headers });
  return { status: answer.status, headers: Object.fromEntries(answer.headers), text: await answer.text() };
};
const at = (name: string): string => `${new URL(api.url).origin}/w/${live.site_key}/${name}`;
const begin = async (more: object = {}): Promise<void> => {
  pages = await makePages(ours.owner.client, { site_base_url: BASE, ...more });
  live = await LiveSite.of(api, pages);
};

/** What the schema finds wrong with a sitemap or an index. */
async function findFaults(contents: string): Promise<readonly string[]> {
  const [main, links] = await Promise.all(
    ['sitemap.xsd', 'alternate-link.xsd'].map(async (fileName) => ({
      fileName,
      contents: await readFile(join(__dirname, fileName), 'utf8'),
    })),
  );
  if (!main || !links) throw new Error('Two schemas.');
  const { errors } = await validateXML({
    xml: [{ fileName: 'sitemap.xml', contents }],
    schema: [main],
    preload: [links],
    initialMemoryPages: 64 * memoryPages.MiB,
    maxMemoryPages: memoryPages.GiB,
  });
  return errors.map(({ message }) => message);
}

const locations = (xml: string): string[] => [...xml.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address = '']) => address);

beforeAll(async () => {
  api = await sharedAtrium();
  ours = await api.workspace([]);
});
afterAll(() => api.close());

describe('[website 12] the sitemap', () => {
  it('lists the pages of both locales with one another, without those that search engines leave out', async () => {
    await begin();
    const lamp = await pages.make('Lamp & Co', { node_slugs: { de: 'lämpchen' }, node_content: { headline: 'Lamp' } });
    const desk = await pages.make('Desk', { node_content: { headline: 'Desk' } });
    const hidden = await pages.make('Hidden', { node_content: { headline: 'Hidden' }, node_seo: { noindex: true } });
    const folder = await pages.folder('Folder');
    await pages.make('Draft', { node_content: { headline: 'Draft' } });
    await live.publishAll({ node_ids: [lamp, hidden, folder].map(({ node_id }) => node_id), locales: ['en', 'de'] }).expect(200);
    await live.publish(desk.node_id, { locales: ['en'] });

    const { status, headers, text } = await fetchText(at('sitemap.xml'));
    expect([status, headers['content-type']]).toEqual([200, 'application/xml; charset=utf-8']);
    expect(await findFaults(text)).toEqual([]);
    expect(locations(text).sort()).toEqual([`${BASE}/de/l%C3%A4mpchen`, `${BASE}/desk`, `${BASE}/lamp-co`]);
    const others = [
      `<xhtml:link rel="alternate" hreflang="de" href="${BASE}/de/l%C3%A4mpchen"/>`,
      `<xhtml:link rel="alternate" hreflang="en" href="${BASE}/lamp-co"/>`,
      `<xhtml:link rel="alternate" hreflang="x-default" href="${BASE}/lamp-co"/>`,
    ].join('');
    expect(text.split(others)).toHaveLength(3);
    const urlOf = (path: string): string => /<url>(?:(?!<url>).)*$/.exec(text.split(`${BASE}${path}</loc>`)[0] ?? '')?.[0] ?? '';
    expect(urlOf('/desk')).not.toContain('xhtml:link');
    const { published } = (await live.page('/desk').expect(200)).body as { published: string };
    expect(text).toContain(`<url><loc>${BASE}/desk</loc><lastmod>${published}</lastmod></url>`);

    const known = await fetchText(at('sitemap.xml'), { 'If-None-Match': headers.etag ?? '' });
    expect([known.status, known.text, known.headers.etag]).toEqual([304, '', headers.etag]);
    await live.unpublish(desk.node_id);
    const later = await fetchText(at('sitemap.xml'), { 'If-None-Match': headers.etag ?? '' });
    expect([later.status, locations(later.text).length, later.headers['x-site-seq']]).toEqual([200, 2, '3']);
    await pages.change(hidden.node_id, { node_seo: {} }).expect(200);
    await live.publish(hidden.node_id, { locales: ['en'] });
    expect(locations((await fetchText(at('sitemap.xml'))).text)).toContain(`${BASE}/hidden`);
  });

  it('is an index of sitemaps beyond what one may list', async () => {
    await begin({ site_locales: [{ code: 'en', prefix: '' }] });
    await insertLivePages(api, { tenant_id: ours.tenant_id, site_id: pages.site.site_id, many: MOST + 1 });
    const index = await fetchText(at('sitemap.xml'));
    expect([index.status, await findFaults(index.text)]).toEqual([200, []]);
    const parts = locations(index.text);
    expect([index.text.includes('<sitemapindex'), parts.length]).toEqual([true, 2]);
    const listed: string[][] = [];
    for (const part of parts) {
      const { status, text } = await fetchText(part);
      expect([status, await findFaults(text), text.length < 50 * 1024 * 1024]).toEqual([200, [], true]);
      listed.push(locations(text));
    }
    expect(listed.map(({ length }) => length)).toEqual([MOST, 1]);
    expect(new Set(listed.flat()).size).toBe(MOST + 1);
  }, 240_000);

  it('is missing where the site has no address, is unknown, or has no such part', async () => {
    await begin({ site_base_url: null });
    for (const name of ['sitemap.xml', 'sitemap/nothing.xml', `sitemap/${pages.site.site_id}.xml`])
      expect((await fetchText(at(name))).status).toBe(404);
    expect((await fetchText(at('robots.txt'))).text).not.toContain('Sitemap:');
    expect((await fetchText(at('sitemap.xml').replace(live.site_key, `wsk_${'x'.repeat(24)}`))).status).toBe(404);
    await begin();
    const empty = await fetchText(at('sitemap.xml'));
    expect([empty.status, locations(empty.text)]).toEqual([200, []]);
  });
});

describe('robots.txt', () => {
  it('says what the site says, and where its sitemap is', async () => {
    await begin({ site_robots: 'User-agent: *\nDisallow: /internal/' });
    const { status, headers, text } = await fetchText(at('robots.txt'));
    expect([status, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
    const [rules, address = ''] = text.split('Sitemap: ');
    expect(rules).toBe('User-agent: *\nDisallow: /internal/\n');
    expect((await fetchText(address.trim())).status).toBe(200);
    expect((await fetchText(at('robots.txt'), { 'If-None-Match': headers.etag ?? '' })).status).toBe(304);
    await ours.owner.client.patch(`/sites/${pages.site.site_id}`, { site_robots: 'User-agent: *\nDisallow: /' }).expect(200);
    const changed = await fetchText(at('robots.txt'), { 'If-None-Match': headers.etag ?? '' });
    expect([changed.status, changed.text.startsWith('User-agent: *\nDisallow: /\n')]).toEqual([200, true]);
  });
});

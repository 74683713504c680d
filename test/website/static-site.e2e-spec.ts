import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunningApi, TestWorkspace } from '@atrium/platform/testing';
import type { BrowserContext, Page } from 'playwright-core';
import { chromiumPath, openBrowser } from '../openapi/browser';
import { sharedAtriumWithWorker } from '../support/shared-atrium';
import { LampShop } from './lamp-shop';
import { LiveSite } from './live-site';
import type { Pages } from './pages';
import { standardPages } from './standard-pages';
import { StaticSite } from './static-site';

const describeBrowser = chromiumPath ? describe : describe.skip;
if (!chromiumPath) console.log('Skipped: a static site in a browser, for Chromium is not installed.');

const ENGLISH = [
  '/',
  '/about-us',
  '/news',
  '/news/a-new-pier-lamp',
  '/news/open-workshop',
  '/news/restoring-old-lamps',
  '/products',
  '/products/harbour-lamp',
  '/products/pier-lamp',
  '/products/quay-lamp',
];
const GERMAN = [
  '/de',
  '/de/neuigkeiten',
  '/de/neuigkeiten/alte-lampen',
  '/de/neuigkeiten/neue-pierlampe',
  '/de/neuigkeiten/offene-werkstatt',
  '/de/produkte',
  '/de/produkte/hafenlampe',
  '/de/produkte/kailampe',
  '/de/produkte/pierlampe',
  '/de/ueber-uns',
];

let api: RunningApi;
let ours: TestWorkspace;
let pages: Pages;
let live: LiveSite;
let folder: string;
const servers: Server[] = [];

beforeAll(async () => {
  api = await sharedAtriumWithWorker();
  ours = await api.workspace([]);
  folder = await mkdtemp(join(tmpdir(), 'atrium-static-'));
  pages = await standardPages(ours.owner.client);
  live = await LiveSite.of(api, pages);
  const shop = new LampShop(pages);
  await shop.makePages();
  await live.publishAll({ node_ids: shop.made.map(({ node_id }) => node_id), locales: ['en', 'de'] }).expect(200);
}, 120_000);
afterAll(async () => {
  for (const server of servers) server.close();
  await api.close();
  if (!process.env.KEEP_SCREENSHOTS) await rm(folder, { recursive: true, force: true });
});

const delivery = (): string => `${api.url}/api/v1/delivery/${live.site_key}`;

/** Generates a site into a folder of that name and serves it. */
async function generate(name: string, token?: string): Promise<{ readonly site: StaticSite; readonly origin: string }> {
  const at = join(folder, name);
  await mkdir(at);
  const site = await StaticSite.open(delivery(), at, token);
  const { origin, server } = await site.serve();
  servers.push(server);
  return { site, origin };
}

describeBrowser('a static site that is generated from delivery, in a browser', () => {
  let browser: BrowserContext;
  let page: Page;
  const faults: string[] = [];

  beforeAll(async () => {
    browser = await openBrowser(chromiumPath ?? '', join(folder, 'profile'));
    page = await browser.newPage();
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (message) => message.type() === 'error' && faults.push(`${message.text()} ${message.location().url}`));
    page.on('requestfailed', (request) => faults.push(`${request.url()}: ${request.failure()?.errorText ?? ''}`));
  }, 60_000);
  afterAll(() => browser?.close());
  beforeEach(() => void faults.splice(0));

  async function shoot(name: string): Promise<void> {
    await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
  }

  const textsOf = (selector: string): Promise<string[]> => page.locator(selector).allInnerTexts();
  /** Alternative text and natural size of each picture, in the order of the page. */
  const pictures = (): Promise<{ alt: string; width: number; height: number }[]> =>
    page.locator('img').evaluateAll((images) =>
      Promise.all(
        (images as unknown as { alt: string; naturalWidth: number; naturalHeight: number; decode(): Promise<void> }[]).map(
          async (image) => {
            await image.decode();
            return { alt: image.alt, width: image.naturalWidth, height: image.naturalHeight };
          },
        ),
      ),
    );

  /** Follows a link of the page to an address of the same site. */
  async function follow(selector: string, path: string): Promise<void> {
    await page.click(selector);
    await page.waitForURL(({ pathname }) => pathname === path);
  }

  it('has every page in both languages, with pictures, and links that lead to pages', async () => {
    const { site, origin } = await generate('live');
    expect([...(await site.writeSite())].sort()).toEqual([...ENGLISH, ...GERMAN].sort());
    const followed = new Set<string>();
    for (const path of [...ENGLISH, ...GERMAN]) {
      await page.goto(`${origin}${path}`);
      expect([path, await page.getAttribute('html', 'lang')]).toEqual([path, GERMAN.includes(path) ? 'de' : 'en']);
      for (const { width } of await pictures()) expect(width).toBeGreaterThan(0);
      const links = await page.locator('a').evaluateAll((anchors) => (anchors as unknown as { href: string }[]).map(({ href }) => href));
      for (const link of links) followed.add(link);
      await shoot(path === '/' ? 'home' : path.slice(1).replaceAll('/', '-'));
    }
    expect([...followed].map((link) => link.replace(origin, '')).sort()).toEqual([...ENGLISH, ...GERMAN].sort());
    for (const link of followed) expect([link, (await fetch(link)).status]).toEqual([link, 200]);
    expect(faults).toEqual([]);

    await page.goto(`${origin}/`);
    expect(await page.title()).toBe('Brass & Light');
    expect(await textsOf('nav > ul > li > a')).toEqual(['Brass & Light', 'Products', 'News', 'About us']);
    expect((await pictures()).map(({ alt }) => alt)).toEqual(['Lamps that last', ...Array<string>(3).fill('On the workbench')]);
    expect(await textsOf('main ul li p')).toEqual(['Solid brass', '42 cm']);
    await follow('main p a', '/news/restoring-old-lamps');
    await follow('.languages a[hreflang=de]', '/de/neuigkeiten/alte-lampen');
    expect(await textsOf('.crumbs, h1, time')).toEqual([
      'Neuigkeiten › Alte Lampen restaurieren',
      'Alte Lampen restaurieren',
      '2026-05-17',
    ]);
    await follow('.crumbs a', '/de/neuigkeiten');
    expect(await page.title()).toBe('Neuigkeiten');

    await page.goto(`${origin}/de`);
    expect(await textsOf('.hero h1, .faq h3, .faq p, main p strong')).toEqual([
      'Lampen, die bleiben',
      'wunderschön',
      'Reparieren Sie Lampen?',
      'Ja, alle unsere.',
    ]);
    await follow('.hero .button', '/de/produkte');
    await page.goto(`${origin}/products/harbour-lamp`);
    expect(await textsOf('th, td')).toEqual(['Height', 'Material', '42 cm', 'Solid brass']);
    const [lamp] = await pictures();
    expect([lamp?.alt, (lamp?.width ?? 0) * 750]).toEqual(['Harbour lamp', (lamp?.height ?? 0) * 1200]);
    expect(faults).toEqual([]);
  }, 120_000);

  it('shows drafts in the same way to who holds a preview link, and to nobody else', async () => {
    const [home] = await pages.list('node_name=Home');
    const { node_content } = await pages.read(home?.node_id ?? '');
    const [hero] = node_content.body ?? [];
    await pages.operate(home?.node_id ?? '', [{ op: 'set', uid: hero?._uid, key: 'headline', value: 'Lamps of tomorrow' }]).expect(200);
    const { prv_url } = (await ours.owner.client.post(`/sites/${pages.site.site_id}/preview-links`, {}).expect(201)).body as {
      prv_url: string;
    };
    const token = new URL(prv_url).searchParams.get('token') ?? '';
    const { site, origin } = await generate('draft', token);
    for (const path of ['/', '/de', '/products/harbour-lamp']) await site.writePage(path);

    await page.goto(`${origin}/`);
    expect(await textsOf('.hero h1')).toEqual(['Lamps of tomorrow']);
    const shown = await pictures();
    expect(shown).toHaveLength(4);
    for (const { width } of shown) expect(width).toBeGreaterThan(0);
    await shoot('draft');
    // The German headline is a translation of its own, which the change of its source leaves as it was.
    await page.goto(`${origin}/de`);
    expect(await textsOf('.hero h1')).toEqual(['Lampen, die bleiben']);
    expect(faults).toEqual([]);

    const { site: without } = await generate('without');
    await without.writePage('/');
    expect((await fetch(`${delivery()}/page?path=/&version=draft`)).status).toBe(401);
    const stillLive = (await (await fetch(`${delivery()}/page?path=/`)).json()) as { content: { body: { headline: string }[] } };
    expect(stillLive.content.body[0]?.headline).toBe('Lamps that last');
  }, 60_000);
});

describe('a language that is switched off', () => {
  const locales = (active: boolean) => [
    { code: 'en', prefix: '' },
    { code: 'de', prefix: 'de', active },
  ];
  const switchGerman = (active: boolean) =>
    pages.client
      .patch(`/sites/${pages.site.site_id}`, { site_locales: locales(active), site_base_url: 'https://lamps.example' })
      .expect(200);
  const offered = async (): Promise<unknown> => (await live.page('/products').expect(200)).body.alternates;
  const sitemap = async (): Promise<string> => (await fetch(`${api.url}/w/${live.site_key}/sitemap.xml`)).text();

  it('is offered by no page and no sitemap until it is switched on again', async () => {
    const both = [
      { locale: 'en', path: '/products' },
      { locale: 'de', path: '/de/produkte' },
    ];
    await switchGerman(true);
    expect(await offered()).toEqual(both);
    expect(await sitemap()).toContain('<loc>https://lamps.example/de/produkte</loc>');
    await switchGerman(false);
    expect(await offered()).toEqual(both.slice(0, 1));
    await live.page('/de/produkte').expect(404);
    const text = await sitemap();
    expect([text.includes('https://lamps.example/products'), text.includes('/de'), text.includes('hreflang')]).toEqual([
      true,
      false,
      false,
    ]);
    await switchGerman(true);
    expect(await offered()).toEqual(both);
  });
});

import type { RunningApi, TestWorkspace } from '@atrium/platform/testing';
import { startAtrium } from '../support/api';
import { repeated } from '../support/repeated';
import { nodesOf, rowsRead, sentDuring, type SentStatement } from '../support/sent-statements';
import { LiveSite } from './live-site';
import { insertLivePages } from './many-live-pages';
import { makeLibrary, makePages, makeSite, Pages } from './pages';

const MANY = repeated('LIVE_PAGES', { usual: 100_000, deep: 200_000 });
const RULES = 20_000;
const MOVED = 20_000;
/** Statements about what is live, beyond those that every request needs. */
const OWN = /page_publication|page_snapshot|site_redirect|form_value|FROM site /;

let api: RunningApi;
let ours: TestWorkspace;
let pages: Pages;
let live: LiveSite;
let tpl_id: string;

const own = (sent: readonly SentStatement[]): SentStatement[] => sent.filter(({ text }) => OWN.test(text));
/** Rows of tables that statements read, all together. */
async function rowsOf(sent: readonly SentStatement[], ...tables: readonly string[]): Promise<number> {
  let rows = 0;
  for (const statement of own(sent)) {
    const nodes = await nodesOf(api, ours.tenant_id, statement);
    for (const table of tables) rows += rowsRead(nodes, table);
  }
  return rows;
}
const begin = async (): Promise<void> => {
  pages = await makePages(ours.owner.client, { site_locales: [{ code: 'en', prefix: '' }] });
  live = await LiveSite.of(api, pages);
};

/** A site of very many live pages, each with two filterable values. */
async function fillSite(): Promise<void> {
  const { client } = ours.owner;
  const library = await makeLibrary(client);
  const fields = ['price', 'rank'].map((key) => ({ key, type: 'integer', label: key, filterable: true }));
  const schema = { tpl_library: library.lib_id, tpl_key: 'product', tpl_name: 'Product', tpl_kind: 'page', tpl_config: { fields } };
  tpl_id = (await client.post('/content-schemas', schema).expect(201)).body.tpl_id as string;
  const site = await makeSite(client, library, { site_locales: [{ code: 'en', prefix: '' }] });
  pages = new Pages(client, site, library);
  live = await LiveSite.of(api, pages);
  const content = { component: 'product', _uid: 'root0001' };
  await insertLivePages(api, {
    tenant_id: ours.tenant_id,
    site_id: site.site_id,
    many: MANY,
    content,
    template: { tpl_id, tpl_key: 'product' },
  });
  await api.sql(
    `INSERT INTO form_value (tenant_id, form_id, owner_id, field_key, position, value_num)
     SELECT p.tenant_id, $1, p.np_snapshot, v.key, 0, v.value FROM page_publication p, LATERAL (VALUES ('price', p.np_order::integer % 10), ('rank', p.np_order::integer)) v (key, value)
     WHERE p.np_site = $2`,
    [tpl_id, site.site_id],
  );
  await api.sql(
    `INSERT INTO site_redirect (tenant_id, red_id, red_site, red_from, red_from_hash, red_to, red_kind, red_created)
     SELECT $1, gen_random_uuid(), $2, x.path, encode(sha256(convert_to(x.path, 'UTF8')), 'hex'), '/page-000001', 'manual', now()
     FROM (SELECT '/old/' || n || CASE WHEN n % 2 = 0 THEN '/*' ELSE '' END AS path FROM generate_series(1, $3::integer) n) x`,
    [ours.tenant_id, site.site_id, RULES],
  );
  await api.sql('ANALYZE page_publication, page_snapshot, form_value, site_redirect');
}

beforeAll(async () => {
  api = await startAtrium();
  ours = await api.workspace([]);
  await fillSite();
}, 400_000);
afterAll(() => api.close());

describe('a site of very many live pages', () => {
  const list = (query: string) => live.visitor.get(`/delivery/${live.site_key}/pages?${query}`);

  it('finds a page by its path, and a client that has it costs one statement', async () => {
    await live.page('/page-000002').expect(200);
    let etag = '';
    const found = await sentDuring(api, async () => void (etag = (await live.page('/page-054321').expect(200)).headers.etag ?? ''));
    // The numbers of the site, the page with its links, and its content.
    expect(own(found)).toHaveLength(3);
    expect(await rowsOf(found, 'page_publication', 'page_snapshot')).toBeLessThanOrEqual(5);
    const known = live.visitor.with({ 'If-None-Match': etag });
    const again = await sentDuring(api, () => known.get(`/delivery/${live.site_key}/page?path=/page-054321`).expect(304));
    expect(own(again)).toHaveLength(1);
    expect(await rowsOf(again, 'page_publication', 'page_snapshot')).toBe(0);
  }, 60_000);

  it('reads of the tree as much as it shows', async () => {
    const top = await sentDuring(api, () => live.tree('?locale=en&depth=1'));
    expect(own(top).filter(({ text }) => text.includes('page_publication'))).toHaveLength(1);
    expect(await rowsOf(top, 'page_publication')).toBeLessThanOrEqual(5_000);
  }, 60_000);

  it('is a sitemap of parts, each of which reads the pages that it lists', async () => {
    await ours.owner.client.patch(`/sites/${pages.site.site_id}`, { site_base_url: 'https://www.example.com' }).expect(200);
    const index = await sentDuring(api, async () => expect((await fetch(`${api.url}/w/${live.site_key}/sitemap.xml`)).status).toBe(200));
    expect(own(index).filter(({ text }) => text.includes('page_publication'))).toHaveLength(1);
    const [row] = await api.sql<{ np_node: string }>(
      `SELECT np_node FROM page_publication WHERE np_site = $1 ORDER BY np_node OFFSET 50000 LIMIT 1`,
      [pages.site.site_id],
    );
    let urls = 0;
    const part = await sentDuring(api, async () => {
      const text = await (await fetch(`${api.url}/w/${live.site_key}/sitemap/${row?.np_node ?? ''}.xml`)).text();
      urls = text.split('<url>').length - 1;
    });
    expect(urls).toBe(Math.min(50_000, MANY - 50_000));
    expect(await rowsOf(part, 'page_publication')).toBeLessThanOrEqual(urls * 1.01);
  }, 120_000);

  it('looks up redirects by the address and its prefixes, however many there are', async () => {
    const exact = await sentDuring(api, async () => expect((await live.page('/old/4001').expect(200)).body.location).toBe('/page-000001'));
    expect(await rowsOf(exact, 'site_redirect')).toBeLessThanOrEqual(2);
    const prefix = await sentDuring(api, async () =>
      expect((await live.page('/old/4002/a/b').expect(200)).body.location).toBe('/page-000001'),
    );
    expect(await rowsOf(prefix, 'site_redirect')).toBeLessThanOrEqual(2);
    const none = await sentDuring(api, () => live.page('/never/a/b/c').expect(404));
    expect(await rowsOf(none, 'site_redirect')).toBe(0);
  }, 60_000);

  it.each([
    'content[price]=3&sort=content_rank',
    'content[price]=3&sort=-published',
    'sort=name',
    'sort=order',
    'content[rank][gte]=500&sort=content_price',
  ])(
    'reads as few rows for the first page of a list as for the 1,000th: %s',
    async (query) => {
      const asked = `locale=en&template=product&${query}`;
      const first = await sentDuring(api, () => list(`${asked}&limit=10`).expect(200));
      let cursor: string | null = null;
      // 1,000 pages of ten.
      for (let page = 0; page < 100; page++) {
        const { body } = await list(`${asked}&limit=100${cursor === null ? '' : `&cursor=${cursor}`}`).expect(200);
        cursor = body.next_cursor as string | null;
        if (cursor === null) break;
        if (page === 98) break;
      }
      expect(cursor).not.toBeNull();
      const late = await sentDuring(api, () => list(`${asked}&limit=10&cursor=${cursor ?? ''}`).expect(200));
      const [early, then] = [await rowsOf(first, 'page_publication', 'form_value'), await rowsOf(late, 'page_publication', 'form_value')];
      expect([early <= 500, then <= 500, early, then]).toEqual([true, true, early, then]);
    },
    180_000,
  );
});

describe('the tree of a site', () => {
  it('is one statement over the pages of the site', async () => {
    await begin();
    const folder = await pages.folder('Folder');
    await live.publish(folder.node_id);
    const under = { node_id: folder.node_id, path: '/folder' };
    await insertLivePages(api, { tenant_id: ours.tenant_id, site_id: pages.site.site_id, many: 4_999, under });
    await api.sql('ANALYZE page_publication');
    let shown: readonly { readonly children: readonly unknown[] }[] = [];
    const sent = await sentDuring(api, async () => void (shown = await live.tree()));
    expect(shown.map(({ children }) => children.length)).toEqual([4_999]);
    expect(own(sent).filter(({ text }) => text.includes('page_publication'))).toHaveLength(1);
    // Once to find what is at the top, where nearly everything else of the table is at the top of its site, and once for what is below.
    expect(await rowsOf(sent, 'page_publication')).toBeLessThanOrEqual(10_000);
    const top = await sentDuring(api, async () => expect(await live.tree('?locale=en&depth=1')).toHaveLength(1));
    expect(await rowsOf(top, 'page_publication')).toBeLessThanOrEqual(5_000);
  }, 60_000);
});

describe('a publish', () => {
  it('of 500 pages is few statements', async () => {
    await begin();
    const folder = await pages.folder('Folder 0');
    for (let at = 1; at < 25; at++)
      await pages.make(`Page ${at}`, {
        node_parent: folder.node_id,
        node_content: { headline: `Page ${at}` },
      });
    for (let copy = 1; copy < 20; copy++) await pages.duplicate(folder.node_id, { node_name: `Folder ${copy}`, subtree: true }).expect(201);
    const rows = await api.sql<{ node_id: string }>(`SELECT node_id FROM node WHERE node_site = $1`, [pages.site.site_id]);
    const node_ids = rows.map(({ node_id }) => node_id);
    expect(node_ids).toHaveLength(500);
    const first = await sentDuring(api, () => live.publishAll({ node_ids, locales: ['en'] }).expect(200));
    assertFew(first, 20 + node_ids.length / 50);
    // Once more, with everything changed: what was live is closed.
    await api.sql(`UPDATE node SET node_menu = false WHERE node_site = $1`, [pages.site.site_id]);
    const again = await sentDuring(api, () => live.publishAll({ node_ids, locales: ['en'] }).expect(200));
    expect(await live.seq()).toBe(2);
    assertFew(again, 20 + node_ids.length / 50);
  }, 240_000);

  it('that moves a folder is as many statements over 20,000 live pages as over two', async () => {
    const [few, many] = [await statementsOfMove(2), await statementsOfMove(MOVED)];
    expect(many).toEqual(few);
  }, 240_000);
});

/** Renames a folder over so many live pages; what that publish sends. */
async function statementsOfMove(many: number): Promise<string[]> {
  await begin();
  const folder = await pages.folder('Before');
  await live.publish(folder.node_id);
  await insertLivePages(api, {
    tenant_id: ours.tenant_id,
    site_id: pages.site.site_id,
    many,
    under: { node_id: folder.node_id, path: '/before' },
    content: { component: 'article', _uid: 'root0001' },
  });
  await api.sql('ANALYZE page_publication');
  await pages.change(folder.node_id, { node_slug: 'after' }).expect(200);
  let repathed = 0;
  const sent = await sentDuring(api, async () => {
    const moved = await live.publish(folder.node_id);
    repathed = moved.repathed;
  });
  expect(repathed).toBe(many);
  expect((await live.page('/before/page-000002').expect(200)).body).toEqual({
    kind: 'redirect',
    status: 301,
    location: '/after/page-000002',
  });
  expect((await live.page('/after/page-000002').expect(200)).body.path).toBe('/after/page-000002');
  expect(await live.redirects()).toEqual([['/before/*', 'auto']]);
  return ofTheRequest(sent).map(({ text }) => text.replaceAll(/\s+/g, ' ').slice(0, 80));
}

/** What the service asks for every request, or by the clock. */
const FRAME = /auth_|rate_|usage|access_log|outbox_|START TRANSACTION|^SET |set_config|COMMIT|LISTEN|schedule|workspace|role|job\b/i;
/** Tables that a publish or a visit reads or writes: what else is sent at that time is by the clock. */
const TABLES = /\b(?:page_|node|site|content_|approval_|form_|file|publish_)/;
const ofTheRequest = (sent: readonly SentStatement[]): SentStatement[] => sent.filter(({ text }) => TABLES.test(text) && !FRAME.test(text));

function assertFew(sent: readonly SentStatement[], most: number): void {
  const texts = ofTheRequest(sent).map(({ text }) => text.replaceAll(/\s+/g, ' ').trim().slice(0, 140));
  if (process.env.PRINT_STATEMENTS) process.stderr.write(`${texts.length} of ${sent.length}:\n${texts.join('\n')}\n`);
  expect(texts.length <= most ? [] : texts).toEqual([]);
}

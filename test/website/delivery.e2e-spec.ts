import { newId } from '@atrium/platform/kernel';
import { eventually, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { startAtrium } from '../support/api';
import { orderOf, over } from '../governance/asking-for-data';
import { sharedAtriumWithWorker } from '../support/shared-atrium';
import { uploadedPhoto } from './photos';
import { LiveSite } from './live-site';
import { issuesOf, Pages, type Library, type Site } from './pages';

let api: RunningApi;
let ours: TestWorkspace;
let pages: Pages;
let live: LiveSite;

/** A site with the library Standard in English without a prefix and German behind `de`. */
async function standardSite(more: object = {}): Promise<void> {
  const { client } = ours.owner;
  const { data } = (await client.get('/content-schema-libraries?limit=100').expect(200)).body as {
    data: { lib_id: string; lib_name: string }[];
  };
  const lib_id = data.find(({ lib_name }) => lib_name === 'Standard')?.lib_id ?? '';
  const schemas = (await client.get(`/content-schemas?tpl_library=${lib_id}&limit=100`).expect(200)).body as {
    data: { tpl_id: string; tpl_key: string }[];
  };
  const keyed = (key: string): string => schemas.data.find(({ tpl_key }) => tpl_key === key)?.tpl_id ?? '';
  const library: Library = { lib_id, article: keyed('article'), plain: keyed('page') };
  const site = (
    await client
      .post('/sites', {
        site_name: `Site ${newId()}`,
        site_library: lib_id,
        site_locales: [
          { code: 'en', prefix: '' },
          { code: 'de', prefix: 'de' },
        ],
        ...more,
      })
      .expect(201)
  ).body as Site;
  pages = new Pages(client, site, library);
  live = await LiveSite.of(api, pages);
}

beforeAll(async () => {
  api = await sharedAtriumWithWorker();
  ours = await api.workspace([]);
}, 60_000);
beforeEach(() => standardSite());
afterAll(() => api.close());

const paragraph = (text: string, marks: readonly object[] = []) => ({
  type: 'paragraph',
  content: [{ type: 'text', text, ...(marks.length > 0 && { marks }) }],
});
const bytesAt = async (url: string, headers: Record<string, string> = {}): Promise<Response> => fetch(url, { headers });
const statusAt = async (url: string): Promise<number> => {
  const answer = await bytesAt(url);
  await answer.arrayBuffer();
  return answer.status;
};

describe('delivery', () => {
  it('[website 1] answers 404 before a page is published and afterwards exactly its content, and 304 to who has it', async () => {
    const photo = await uploadedPhoto(ours.owner.client);
    const home = await pages.make('Home', { node_slug: '', node_template: pages.library.plain, node_content: { title: 'Home' } });
    const products = await pages.make('Products', { node_template: pages.library.plain, node_content: { title: 'Products' } });
    const lamp = await pages.make('Lamp', {
      node_parent: products.node_id,
      node_template: pages.library.plain,
      node_content: {
        title: 'Lamp',
        body: [
          { component: 'hero', headline: 'Brass lamp', link: { kind: 'page', ref: home.node_id } },
          { component: 'text', body: { type: 'doc', content: [paragraph('Made of <brass>.')] } },
          { component: 'image', image: { file: photo.file_id, alt: 'A lamp' } },
        ],
      },
    });
    await live.page('/products/lamp').expect(404, /not_found/);
    await live.publishAll({ node_ids: [home, products, lamp].map(({ node_id }) => node_id) }).expect(200);

    const answer = await live.page('/products/lamp').expect(200);
    const draft = await pages.read(lamp.node_id);
    const [hero, text, image] = draft.node_content.body ?? [];
    expect(answer.body).toEqual({
      kind: 'page',
      node_id: lamp.node_id,
      locale: 'en',
      path: '/products/lamp',
      name: 'Lamp',
      template: 'page',
      content: {
        _uid: draft.node_content._uid,
        component: 'page',
        title: 'Lamp',
        body: [
          { _uid: hero?._uid, component: 'hero', headline: 'Brass lamp', link: { kind: 'page', ref: home.node_id, url: '/' } },
          { _uid: text?._uid, component: 'text', body: { type: 'doc', content: [paragraph('Made of <brass>.')] } },
          {
            _uid: image?._uid,
            component: 'image',
            image: {
              file: photo.file_id,
              alt: 'A lamp',
              url: expect.stringContaining(`/w/${live.site_key}/assets/${photo.file_id}/${photo.hash}/`) as string,
              name: photo.name,
              type: 'image/jpeg',
              width: photo.width,
              height: photo.height,
            },
          },
        ],
      },
      seo: {},
      alternates: [{ locale: 'en', path: '/products/lamp' }],
      breadcrumbs: [{ node_id: products.node_id, name: 'Products', path: '/products' }],
      published: expect.any(String) as string,
      first_published: expect.any(String) as string,
      seq: 1,
    });
    expect(answer.headers).toMatchObject({
      'x-site-seq': '1',
      'cache-control': 'public, max-age=0, s-maxage=60, stale-while-revalidate=300',
      'cache-tag': `site:${pages.site.site_id} node:${lamp.node_id} tpl:page`,
      'access-control-allow-origin': '*',
    });
    const etag = answer.headers.etag ?? '';
    const known = live.visitor.with({ 'If-None-Match': etag });
    const again = await known.get(`/delivery/${live.site_key}/page?path=/products/lamp`).expect(304);
    expect([again.text, again.headers.etag]).toEqual(['', etag]);
    const html = (await live.page('/products/lamp', '&rich=html').expect(200)).body;
    expect(html.content.body[1].body).toBe('<p>Made of &lt;brass&gt;.</p>');

    // What the page links to counts among what it shows.
    await live.unpublish(home.node_id);
    const unlinked = await known.get(`/delivery/${live.site_key}/page?path=/products/lamp`).expect(200);
    expect(unlinked.body.content.body[0].link.url).toBeNull();
  });

  it('[website 2] leaves what is live as it is while the draft changes, and the other locales while one is published', async () => {
    const lamp = await pages.make('Lamp', { node_content: { title: 'Lamp' } });
    await live.publishAll({ node_ids: [lamp.node_id], locales: ['en', 'de'] }).expect(200);
    const before = (await live.page('/lamp').expect(200)).body;
    await pages.write(lamp.node_id, { ...lamp.node_content, title: 'Lantern' }).expect(200);
    expect((await live.page('/lamp').expect(200)).body).toEqual(before);
    expect(live.stateOf(await pages.read(lamp.node_id), 'en')).toBe('changed');
    const [publication] = await live.asOf(1);
    await live.publish(lamp.node_id, { locales: ['de'] });
    expect((await live.page('/lamp').expect(200)).body).toEqual(before);
    expect((await live.asOf(2)).filter(({ locale }) => locale === 'en')).toEqual([
      expect.objectContaining({ node: lamp.node_id, snapshot: (await live.asOf(1)).find(({ locale }) => locale === 'en')?.snapshot }),
    ]);
    expect(publication).toBeDefined();
    expect((await live.page('/de/lamp').expect(200)).body.content.title).toBe('Lantern');
    await live.unpublish(lamp.node_id, { locales: ['de'] });
    await live.page('/lamp').expect(200);
  });

  it('[website 11] opens the draft to who holds a preview link, and to nobody else', async () => {
    const lamp = await pages.make('Lamp', {
      node_template: pages.library.plain,
      node_content: { title: 'Draft', body: [{ component: 'text', body: { type: 'doc', content: [paragraph('Not yet.')] } }] },
    });
    const other = await pages.make('Other', { node_content: { title: 'Other' } });
    const links = `/sites/${pages.site.site_id}/preview-links`;
    const made = (await pages.client.post(links, { prv_node: lamp.node_id, prv_locale: 'en' }).expect(201)).body as {
      prv_id: string;
      prv_url: string;
    };
    const token = new URL(made.prv_url).searchParams.get('token') ?? '';
    const shown = await live.page('/lamp', `&version=draft&token=${token}`).expect(200);
    const [text] = (await pages.read(lamp.node_id)).node_content.body ?? [];
    expect(shown.body).toMatchObject({
      kind: 'page',
      node_id: lamp.node_id,
      seq: null,
      content: {
        title: 'Draft',
        _edit: { node_id: lamp.node_id, uid: lamp.node_content._uid, key: 'page' },
        body: [{ _edit: { node_id: lamp.node_id, uid: text?._uid, key: 'text' } }],
      },
    });
    expect(shown.headers['cache-control']).toBe('private, no-store');
    expect(
      (await live.visitor.with({ 'X-Site-Token': token }).get(`/delivery/${live.site_key}/page?path=/lamp&version=draft`).expect(200)).body
        .node_id,
    ).toBe(lamp.node_id);
    await live.page('/lamp', '&version=draft').expect(401);
    await live.page('/lamp', `&version=draft&token=${token.slice(1)}A`).expect(401);
    await live.page('/other', `&version=draft&token=${token}`).expect(404);
    await live.page('/de/lamp', `&version=draft&token=${token}`).expect(404);
    await live.page('/lamp').expect(404);
    const elsewhere = await api.workspace([]);
    const theirs = (await elsewhere.owner.client.post('/sites', { site_name: 'Theirs' }).expect(201)).body as { site_key: string };
    await live.visitor.get(`/delivery/${theirs.site_key}/page?path=/lamp&version=draft&token=${token}`).expect(401);

    const [listed] = (await pages.client.get(links).expect(200)).body.data as { prv_uses: number; prv_url?: string }[];
    expect([listed?.prv_uses, listed?.prv_url]).toEqual([4, undefined]);
    expect(JSON.stringify(await api.sql(`SELECT * FROM preview_link`))).not.toContain(token);
    await api.sql(`UPDATE preview_link SET prv_expires = now() WHERE prv_id = $1`, [made.prv_id]);
    await live.page('/lamp', `&version=draft&token=${token}`).expect(401);
    const whole = (await pages.client.post(links, {}).expect(201)).body as { prv_id: string; prv_url: string };
    const all = new URL(whole.prv_url).searchParams.get('token') ?? '';
    expect((await live.page('/de/other', `&version=draft&token=${all}`).expect(200)).body.node_id).toBe(other.node_id);
    await pages.client.delete(`${links}/${whole.prv_id}`).expect(204);
    await live.page('/de/other', `&version=draft&token=${all}`).expect(401);
  });

  it('opens no draft with the link of somebody who could not make it any more', async () => {
    const lamp = await pages.make('Lamp', { node_content: { title: 'Draft' } });
    const [closedOut, demoted] = [await ours.member('editor'), await ours.member('editor')];
    const tokenOf = async ({ client }: typeof demoted): Promise<string> => {
      const { body } = await client.post(`/sites/${pages.site.site_id}/preview-links`, {}).expect(201);
      return new URL((body as { prv_url: string }).prv_url).searchParams.get('token') ?? '';
    };
    const [first, second] = [await tokenOf(closedOut), await tokenOf(demoted)];
    const draft = (token: string) => live.page('/lamp', `&version=draft&token=${token}`);
    expect((await draft(first).expect(200)).body.node_id).toBe(lamp.node_id);
    await draft(second).expect(200);
    await ours.owner.client.patch(`/admin/users/${demoted.user_id}`, { user_roles: [] }).expect(200);
    await draft(second).expect(401);
    await draft(first).expect(200);
    await ours.owner.client.patch(`/sites/${pages.site.site_id}`, { site_acl: { users: { [ours.owner.user_id]: 'owner' } } }).expect(200);
    await draft(first).expect(401);
  });

  it('[website 13] streams the bytes that were frozen, as long as the file may be public', async () => {
    const photo = await uploadedPhoto(ours.owner.client);
    const page = await pages.make('Page', {
      node_template: pages.library.plain,
      node_content: { title: 'P', body: [{ component: 'image', image: { file: photo.file_id, alt: 'x' } }] },
    });
    await live.publish(page.node_id, { locales: ['en'] });
    const urlOf = async (): Promise<string> => (await live.page('/page').expect(200)).body.content.body[0].image.url as string;
    const first = await urlOf();
    const answer = await bytesAt(first);
    expect(Buffer.from(await answer.arrayBuffer()).equals(photo.bytes)).toBe(true);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'image/jpeg',
      'content-length': String(photo.bytes.length),
      'x-content-type-options': 'nosniff',
      'access-control-allow-origin': '*',
    });
    const part = await bytesAt(first, { Range: 'bytes=10-19' });
    expect([part.status, Buffer.from(await part.arrayBuffer()).equals(photo.bytes.subarray(10, 20))]).toEqual([206, true]);
    expect(await statusAt(`${first}?size=small`)).toBe(200);
    expect(await statusAt(`${first}?size=enormous`)).toBe(404);

    const replaced = await photo.replace();
    expect(await urlOf()).toBe(first);
    expect(await statusAt(first)).toBe(200);
    expect(await statusAt(first.replace(photo.hash, replaced.hash))).toBe(404);
    await live.publish(page.node_id, { locales: ['en'] });
    const second = await urlOf();
    expect(second).toContain(replaced.hash);
    expect([await statusAt(second), await statusAt(first)]).toEqual([200, 404]);

    const unused = await uploadedPhoto(ours.owner.client);
    expect(await statusAt(second.replace(photo.file_id, unused.file_id).replace(replaced.hash, unused.hash))).toBe(404);
    await pages.client.delete(`/files/${photo.file_id}`).expect(204);
    expect(await statusAt(second)).toBe(404);
    expect(issuesOf(await pages.read(page.node_id)).filter((issue) => issue.startsWith('error'))).toEqual([
      'error file_unavailable node_content.body[0].image.file',
    ]);
    await live.tryPublish(page.node_id, { locales: ['en'] }).expect(422, /is in the trash/);
  });

  /** Twenty folders of fifty articles, with twenty titles and two authors; title and id of those that Ada wrote. */
  async function publishArticles(): Promise<readonly string[]> {
    const folder = await pages.folder('Articles');
    for (let at = 0; at < 50; at++)
      await pages.make(`Article ${at}`, {
        node_parent: folder.node_id,
        node_content: { title: `Title ${String(at % 20).padStart(2, '0')}`, author: at % 2 ? 'Ada' : 'Bo' },
      });
    for (let copy = 1; copy < 20; copy++) await pages.duplicate(folder.node_id, { node_name: `Copy ${copy}`, subtree: true }).expect(201);
    const nodes = await api.sql<{ node_id: string }>(`SELECT node_id FROM node WHERE node_site = $1 ORDER BY node_lineage`, [
      pages.site.site_id,
    ]);
    expect(nodes).toHaveLength(1_020);
    for (let from = 0; from < nodes.length; from += 500)
      await live.publishAll({ node_ids: nodes.slice(from, from + 500).map(({ node_id }) => node_id), locales: ['en'] }).expect(200);
    const shown = await api.sql<{ text: string }>(
      `SELECT (snap_doc -> 'content' ->> 'title') || ' ' || snap_node AS text FROM page_snapshot WHERE snap_site = $1 AND snap_doc -> 'content' ->> 'author' = 'Ada'`,
      [pages.site.site_id],
    );
    return shown.map(({ text }) => text);
  }

  it('[website 16] lists what is filtered and sorted of 1,000 articles without repeating or losing one while others are published', async () => {
    const expected = await publishArticles();
    expect(expected).toHaveLength(500);
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const query: string = `locale=en&template=article&content[author]=Ada&sort=content_title&limit=60${cursor ? `&cursor=${cursor}` : ''}`;
      const { body } = await live.visitor.get(`/delivery/${live.site_key}/pages?${query}`).expect(200);
      seen.push(
        ...(body.data as { content: { title: string }; node_id: string }[]).map(({ node_id, content }) => `${content.title} ${node_id}`),
      );
      cursor = body.next_cursor as string | null;
      const more = await pages.make('More', { node_content: { title: 'A first one', author: 'Bo' } });
      await live.publish(more.node_id, { locales: ['en'] });
    } while (cursor);
    expect([...seen].sort()).toEqual([...expected].sort());
    expect(seen.map((text) => text.slice(0, 8))).toEqual([...seen].map((text) => text.slice(0, 8)).sort());
    await live.visitor.get(`/delivery/${live.site_key}/pages?locale=en&content[author]=Ada`).expect(400, /template/);
    await live.visitor.get(`/delivery/${live.site_key}/pages`).expect(400, /locale.*required/);
  }, 120_000);

  it('shows a publish at once on another process', async () => {
    const second = await startAtrium({ DATABASE_URL: api.environment.DATABASE_URL ?? api.database.appUrl });
    try {
      const lamp = await pages.make('Lamp', { node_content: { title: 'One' } });
      const there = new URL(second.url);
      const at = (path: string): string => `${there.origin}/api/v1/delivery/${live.site_key}/page?path=${path}`;
      for (const title of ['One', 'Two', 'Three']) {
        await pages.write(lamp.node_id, { ...lamp.node_content, title }).expect(200);
        await live.publish(lamp.node_id, { locales: ['en'] });
        const body = (await (await fetch(at('/lamp'))).json()) as { content: { title: string } };
        expect(body.content.title).toBe(title);
      }
      await pages.client
        .patch(`/sites/${pages.site.site_id}`, {
          site_locales: [
            { code: 'en', prefix: 'en' },
            { code: 'de', prefix: 'de' },
          ],
        })
        .expect(200);
      expect(await (await fetch(at('/en/lamp'))).json()).toMatchObject({
        path: '/en/lamp',
        alternates: [{ locale: 'en', path: '/en/lamp' }],
      });
      expect((await fetch(at('/lamp'))).status).toBe(404);
    } finally {
      await second.close();
    }
  });

  it.each([
    ['of another host', '//evil.example'],
    ['with a NUL', '/%00'],
    ['of 2,001 characters', `/${'x'.repeat(2_000)}`],
    ['that leads upwards', '/a/..%2fb'],
    ['with a backslash', '/a\\b'],
    ['without a slash', 'lamp'],
    ['with a query', '/a?b'],
  ])('refuses a path %s', async (_, path) => {
    await live.page(path).expect(400, /path/);
  });

  it('belongs to the workspace of the key, whatever the request says of workspaces', async () => {
    const lamp = await pages.make('Lamp', { node_content: { title: 'Ours' } });
    await live.publish(lamp.node_id, { locales: ['en'] });
    const elsewhere = await api.workspace([]);
    const theirs = (await elsewhere.owner.client.post('/sites', { site_name: 'Theirs' }).expect(201)).body as { site_key: string };
    const as = live.visitor.with({ 'X-Tenant-Id': elsewhere.tenant_id });
    expect((await as.get(`/delivery/${live.site_key}/page?path=/lamp`).expect(200)).body.content.title).toBe('Ours');
    await as.get(`/delivery/${theirs.site_key}/page?path=/lamp`).expect(404);
    await live.visitor.get(`/delivery/wsk_${'x'.repeat(24)}/page?path=/lamp`).expect(404);
    await live.visitor.get(`/delivery/nothing/page?path=/lamp`).expect(404);
    await pages.client.delete(`/sites/${pages.site.site_id}`).expect(204);
    await live.page('/lamp').expect(404);
    await pages.client.post(`/sites/${pages.site.site_id}/restore`).expect(200);
    await eventually(
      () => live.page('/lamp'),
      ({ status }) => status === 200,
    );
  });

  it('shows nothing that an erasure took out of a live page, also to those who have it already', async () => {
    const email = `ada-${newId()}@quay.example`;
    const made = await pages.make('Lamp', { node_content: { title: `Ask ${email}` } });
    await live.publish(made.node_id, { locales: ['en'] });
    const named = await pages.make(`By ${email}`, { node_slug: 'named', node_content: { title: 'Nobody' } });
    await live.publish(named.node_id, { locales: ['en'] });
    const before = await Promise.all(['/lamp', '/named'].map((path) => live.page(path).expect(200)));
    expect(before.map(({ text }) => text.includes(email))).toEqual([true, true]);
    expect(JSON.stringify(await live.tree())).toContain(email);

    const order = { dsr_kind: 'erasure', dsr_subject_type: 'email', dsr_subject: email, execute_after_days: 0 };
    const { dsr_id } = await orderOf(ours.owner.client, order);
    expect((await over(ours.owner.client, dsr_id)).dsr_status).toBe('completed');
    for (const [index, path] of ['/lamp', '/named'].entries()) {
      const known = live.visitor.with({ 'If-None-Match': before[index]?.headers.etag ?? '' });
      const after = await known.get(`/delivery/${live.site_key}/page?path=${path}`).expect(200);
      expect(after.text).toContain('[erased]');
      expect(after.text).not.toContain(email);
    }
    expect(JSON.stringify(await live.tree())).not.toContain(email);
  });

  it('follows redirects of people, and never to another host that they do not name', async () => {
    const lamp = await pages.make('Lamp', { node_content: { title: 'Lamp' } });
    await live.publish(lamp.node_id, { locales: ['en'] });
    const post = (body: object) => pages.client.post(`/sites/${pages.site.site_id}/redirects`, body);
    await post({ red_from: '/old', red_to: '/lamp' }).expect(201);
    await post({ red_from: '/shop/*', red_to: 'https://shop.example.com/:splat', red_status: 302 }).expect(201);
    await post({ red_from: '/gone', red_status: 410 }).expect(201);
    await post({ red_from: '/to-page', red_node: lamp.node_id, red_status: 308 }).expect(201);
    const located = async (path: string): Promise<unknown> => (await live.page(path).expect(200)).body;
    expect(await located('/old')).toEqual({ kind: 'redirect', status: 301, location: '/lamp' });
    expect(await located('/shop/a/b')).toEqual({ kind: 'redirect', status: 302, location: 'https://shop.example.com/a/b' });
    expect(await located('/to-page')).toEqual({ kind: 'redirect', status: 308, location: '/lamp' });
    await live.page('/gone').expect(410);
    await post({ red_from: '/old', red_to: '/elsewhere' }).expect(409, /already_exists/);
    await post({ red_from: '/lamp', red_to: '/elsewhere' }).expect(400, /published page/);
    await post({ red_from: '/*', red_to: '/x/:splat' }).expect(400, /loop/);
    await post({ red_from: '/a', red_to: '/b' }).expect(201);
    await post({ red_from: '/b', red_to: '/a' }).expect(400, /loop/);
    await post({ red_from: '/c', red_to: '//evil.example' }).expect(400, /red_to/);
    await post({ red_from: '/c', red_to: 'javascript:alert(1)' }).expect(400, /red_to/);
    await post({ red_from: '/c' }).expect(400, /red_to/);
    await post({ red_from: '/c', red_node: newId() }).expect(400, /red_node.*reference/);
  });
});

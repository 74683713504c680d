import { newId } from '@atrium/platform/kernel';
import { eventually, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { Client as Postgres } from 'pg';
import { sharedAtrium } from '../support/shared-atrium';
import { LiveSite } from './live-site';
import { makePages, type Pages } from './pages';

let api: RunningApi;
let ours: TestWorkspace;
let pages: Pages;
let live: LiveSite;

beforeAll(async () => {
  api = await sharedAtrium();
  ours = await api.workspace([]);
});
beforeEach(async () => {
  pages = await makePages(ours.owner.client);
  live = await LiveSite.of(api, pages);
});
afterAll(() => api.close());

describe('publishing', () => {
  it('freezes what the draft shows, in one locale at a time', async () => {
    const lamp = await pages.make('Lamp', { node_content: { headline: 'Brass lamp', layout: 'wide' } });
    await live.page('/lamp').expect(404);
    const first = await live.publish(lamp.node_id);
    expect(first).toMatchObject({
      site_seq: 1,
      published: [{ node_id: lamp.node_id, locale: 'en', path: '/lamp' }],
      redirects: [],
      repathed: 0,
    });
    expect((await live.page('/lamp').expect(200)).body).toMatchObject({
      kind: 'page',
      node_id: lamp.node_id,
      locale: 'en',
      path: '/lamp',
      name: 'Lamp',
      template: 'article',
      content: { component: 'article', headline: 'Brass lamp', layout: 'wide' },
      alternates: [{ locale: 'en', path: '/lamp' }],
      breadcrumbs: [],
      seq: 1,
    });

    await pages.write(lamp.node_id, { ...lamp.node_content, headline: 'Steel lamp' }).expect(200);
    expect((await live.page('/lamp').expect(200)).body.content.headline).toBe('Brass lamp');
    expect(live.stateOf(await pages.read(lamp.node_id), 'en')).toBe('changed');

    await live.publish(lamp.node_id, { locales: ['de'] });
    const [german, english] = [(await live.page('/de/lamp').expect(200)).body, (await live.page('/lamp').expect(200)).body];
    expect([german.content.headline, german.seq]).toEqual(['Steel lamp', 2]);
    expect([english.content.headline, english.seq]).toEqual(['Brass lamp', 1]);
    expect(english.alternates).toEqual([
      { locale: 'en', path: '/lamp' },
      { locale: 'de', path: '/de/lamp' },
    ]);
    await live.unpublish(lamp.node_id, { locales: ['de'] });
    await live.page('/de/lamp').expect(404);
    await live.page('/lamp').expect(200);
    expect((await pages.read(lamp.node_id)).node_locales.map(({ locale, state }) => [locale, state])).toEqual([
      ['en', 'changed'],
      ['de', 'unpublished'],
    ]);
  });

  it('takes no number where nothing changes', async () => {
    const lamp = await pages.make('Lamp', { node_content: { headline: 'Brass lamp' } });
    expect((await live.publish(lamp.node_id)).site_seq).toBe(1);
    const again = await live.publish(lamp.node_id);
    expect([again.site_seq, again.published[0]?.path]).toEqual([1, '/lamp']);
    expect(await live.countPublications()).toBe(1);
  });

  it('[website 7] moves everything below a folder that gets another path, and the oldest address leads to the newest in one hop', async () => {
    const folder = await pages.folder('Products');
    const lamp = await pages.make('Lamp', { node_parent: folder.node_id, node_content: { headline: 'Brass lamp' } });
    await live.publish(lamp.node_id);
    await live.page('/products').expect(404);
    await live.page('/products/lamp').expect(200);

    await pages.change(folder.node_id, { node_slug: 'items' }).expect(200);
    await live.page('/products/lamp').expect(200);
    const moved = await live.publish(folder.node_id, { locales: ['en'] });
    expect(moved).toMatchObject({ repathed: 1, redirects: [{ red_from: '/products/*', node_id: folder.node_id }] });
    expect((await live.page('/items/lamp').expect(200)).body.content.headline).toBe('Brass lamp');
    expect((await live.page('/products/lamp').expect(200)).body).toEqual({ kind: 'redirect', status: 301, location: '/items/lamp' });
    expect(await live.redirects()).toEqual([['/products/*', 'auto']]);

    await pages.change(folder.node_id, { node_slug: 'goods' }).expect(200);
    await live.publish(folder.node_id, { locales: ['en'] });
    for (const path of ['/products/lamp', '/items/lamp'])
      expect((await live.page(path).expect(200)).body).toEqual({ kind: 'redirect', status: 301, location: '/goods/lamp' });

    await pages.change(folder.node_id, { node_slug: 'products' }).expect(200);
    await live.publish(folder.node_id, { locales: ['en'] });
    await live.page('/products/lamp').expect(200);
    expect((await live.page('/goods/lamp').expect(200)).body.location).toBe('/products/lamp');
    await live.page('/products/chair').expect(404);
  });

  it('[website 9] publishes several pages together or none of them, and their links resolve', async () => {
    const lamp = await pages.make('Lamp', { node_content: { headline: 'Lamp' } });
    const desk = await pages.make('Desk', { node_content: { headline: 'Desk', related: lamp.node_id } });
    await pages.write(lamp.node_id, { headline: 'Lamp', related: desk.node_id }).expect(200);
    const others = await Promise.all(['One', 'Two'].map((name) => pages.make(name, { node_content: { headline: name } })));
    const invalid = await pages.make('Without headline', { node_content: {} });
    const node_ids = [lamp, desk, ...others, invalid].map(({ node_id }) => node_id);

    const refused = await live.publishAll({ node_ids, locales: ['en'] }).expect(422, /unprocessable_content/);
    expect(refused.body.errors).toEqual([
      { path: `${invalid.node_id}.en.node_content.headline`, code: 'required', message: expect.any(String) },
    ]);
    for (const path of ['/lamp', '/desk', '/one', '/two']) await live.page(path).expect(404);
    expect(await live.seq()).toBe(0);

    await pages.write(invalid.node_id, { headline: 'Now with one' }).expect(200);
    const published = (await live.publishAll({ node_ids, locales: ['en'] }).expect(200)).body;
    expect([published.site_seq, published.published.length]).toEqual([1, 5]);
    expect((await live.page('/lamp').expect(200)).body.content.related).toEqual({ node_id: desk.node_id, url: '/desk', name: 'Desk' });
    expect((await live.page('/desk').expect(200)).body.content.related).toEqual({ node_id: lamp.node_id, url: '/lamp', name: 'Lamp' });
    await live.unpublish(desk.node_id);
    expect((await live.page('/lamp').expect(200)).body.content.related).toEqual({ node_id: desk.node_id, url: null, name: null });
  });

  it('gives the locales of all pages of a publish one number and one time', async () => {
    const made = await Promise.all(['One', 'Two'].map((name) => pages.make(name, { node_content: { headline: name } })));
    await live.publishAll({ node_ids: made.map(({ node_id }) => node_id), locales: ['en', 'de'] }).expect(200);
    const rows = await api.sql<{ seq: number; at: Date }>(
      `SELECT np_from_seq::integer AS seq, np_published AS at FROM page_publication WHERE np_site = $1`,
      [pages.site.site_id],
    );
    expect([rows.map(({ seq }) => seq), new Set(rows.map(({ at }) => at.getTime())).size]).toEqual([[1, 1, 1, 1], 1]);
  });

  it('refuses pages that are too many bytes together, before it reads them', async () => {
    const made = await Promise.all(['One', 'Two'].map((name) => pages.make(name, { node_content: { headline: name } })));
    const node_ids = made.map(({ node_id }) => node_id);
    const write = (characters: number) =>
      api.sql(`UPDATE node SET node_tree = jsonb_set(node_tree, '{headline}', to_jsonb(repeat('x', $2))) WHERE node_id = ANY($1)`, [
        node_ids,
        characters,
      ]);
    await write(30_000_000);
    await live.publishAll({ node_ids, locales: ['en', 'de'] }).expect(409, /limit_reached.*too large|too large.*limit_reached/);
    expect(await live.countPublications()).toBe(0);
    await write(10);
    await live.publishAll({ node_ids, locales: ['en', 'de'] }).expect(200);
  }, 60_000);

  it('swaps the paths of two pages that are published together', async () => {
    const [a, b] = [await pages.make('A', { node_content: { headline: 'A' } }), await pages.make('B', { node_content: { headline: 'B' } })];
    const below = await pages.make('Below A', { node_parent: a.node_id, node_content: { headline: 'Below A' } });
    await live.publishAll({ node_ids: [a.node_id, b.node_id, below.node_id], locales: ['en'] }).expect(200);
    await pages.change(a.node_id, { node_slug: 'c' }).expect(200);
    await pages.change(b.node_id, { node_slug: 'a' }).expect(200);
    await pages.change(a.node_id, { node_slug: 'b' }).expect(200);
    await live.publishAll({ node_ids: [a.node_id, b.node_id], locales: ['en'] }).expect(200);
    const headline = async (path: string): Promise<unknown> => (await live.page(path).expect(200)).body.content?.headline;
    expect([await headline('/a'), await headline('/b'), await headline('/b/below-a')]).toEqual(['B', 'A', 'Below A']);
    expect((await live.page('/a/below-a').expect(200)).body.location).toBe('/b/below-a');
  });

  it('lets one of two publishes to one path win', async () => {
    const [top, folder] = [await pages.make('Lamp', { node_content: { headline: 'Top' } }), await pages.folder('Folder')];
    const other = await pages.make('Lamp', { node_parent: folder.node_id, node_content: { headline: 'Below' } });
    await live.publish(other.node_id, { locales: ['en'] });
    await pages.change(other.node_id, { node_parent: null, node_slug: 'lamp-2' }).expect(200);
    await pages.change(top.node_id, { node_slug: 'lamp-3' }).expect(200);
    await pages.change(other.node_id, { node_slug: 'lamp' }).expect(200);
    await live.publish(other.node_id, { locales: ['en'] });
    await pages.change(other.node_id, { node_slug: 'elsewhere' }).expect(200);
    await pages.change(top.node_id, { node_slug: 'lamp' }).expect(200);
    // Its draft left the path, but it is live there still.
    await live.tryPublish(top.node_id, { locales: ['en'] }).expect(409, /already_exists/);
    const [one, two] = await Promise.all([
      live.tryPublish(other.node_id, { locales: ['en'] }),
      live.tryPublish(top.node_id, { locales: ['en'] }),
    ]);
    expect(one.status).toBe(200);
    expect([200, 409]).toContain(two.status);
    await live.tryPublish(top.node_id, { locales: ['en'] }).expect(200);
    expect((await live.page('/lamp').expect(200)).body.content.headline).toBe('Top');
  });

  it('keeps what is below a page that is taken down, and says where its visitors go', async () => {
    const shop = await pages.make('Shop', { node_content: { headline: 'Shop' } });
    const lamp = await pages.make('Lamp', { node_parent: shop.node_id, node_content: { headline: 'Lamp' } });
    await live.publishAll({ node_ids: [shop.node_id, lamp.node_id], locales: ['en'] }).expect(200);
    await live.tryUnpublish(shop.node_id, { redirect_to: '/shop', locales: ['en'] }).expect(400, /loop/);
    await live.unpublish(shop.node_id, { redirect_to: '/shop/lamp' });
    expect((await live.page('/shop').expect(200)).body).toEqual({ kind: 'redirect', status: 301, location: '/shop/lamp' });
    expect((await live.page('/shop/lamp').expect(200)).body.breadcrumbs).toEqual([]);
    expect((await live.tree()).map(({ name }) => name)).toEqual(['Lamp']);
    await live.tryUnpublish(shop.node_id).expect(409, /invalid_state/);
    await live.publish(shop.node_id, { locales: ['en'] });
    expect((await live.page('/shop').expect(200)).body.content.headline).toBe('Shop');
    await live.unpublish(lamp.node_id, { gone: true });
    await live.page('/shop/lamp').expect(410, /gone/);
    // Published again, it is not gone any more: where it was leads to where it is.
    await live.publish(lamp.node_id, { locales: ['en'] });
    expect(await live.redirects()).toEqual([]);
    await pages.change(lamp.node_id, { node_slug: 'light' }).expect(200);
    await live.publish(lamp.node_id, { locales: ['en'] });
    expect((await live.page('/shop/lamp').expect(200)).body).toEqual({ kind: 'redirect', status: 301, location: '/shop/light' });
  });

  it('keeps no editor waiting: 50 of them save while the site is being published', async () => {
    const made = await Promise.all(
      Array.from({ length: 50 }, (_, at) => pages.make(`Page ${at}`, { node_content: { headline: 'Before' } })),
    );
    const other = await pages.make('Other', { node_content: { headline: 'Other' } });
    const holder = new Postgres({ connectionString: api.database.ownerUrl });
    await holder.connect();
    let published: Promise<unknown> | undefined;
    try {
      await holder.query('BEGIN');
      await holder.query("SELECT set_config('app.tenant_id', $1, true)", [ours.tenant_id]);
      await holder.query('SELECT FROM site WHERE site_id = $1 FOR UPDATE', [pages.site.site_id]);
      published = live.publish(other.node_id, { locales: ['en'] });
      await eventually(
        () =>
          api.sql(
            'SELECT FROM pg_locks WHERE NOT granted AND pid IN (SELECT pid FROM pg_stat_activity WHERE datname = current_database())',
          ),
        ({ length }) => length > 0,
      );
      await Promise.all(made.map(({ node_id }) => pages.write(node_id, { headline: 'Saved' }).expect(200)));
      expect(await live.countPublications()).toBe(0);
    } finally {
      await holder.end();
    }
    await published;
    await Promise.all([
      ...made.map(({ node_id }) => pages.write(node_id, { headline: 'Saved again' }).expect(200)),
      live.publishAll({ node_ids: made.map(({ node_id }) => node_id), locales: ['en'] }).expect(200),
    ]);
    expect(await live.seq()).toBe(2);
    for (const { node_id } of made) expect((await pages.read(node_id)).node_content.headline).toBe('Saved again');
  }, 60_000);

  it('refuses pages that are unknown, in the trash or without a locale', async () => {
    const lamp = await pages.make('Lamp', { node_content: { headline: 'Lamp' } });
    await live.tryPublish(newId()).expect(404);
    await live.publishAll({ node_ids: [lamp.node_id, newId()] }).expect(400, /node_ids\[1\].*reference/);
    await live.tryPublish(lamp.node_id, { locales: ['fr'] }).expect(400, /locales\[0\]/);
    await live.tryPublish(lamp.node_id, { version: 99 }).expect(400, /version/);
    await pages.remove(lamp.node_id).expect(204);
    await live.tryPublish(lamp.node_id).expect(409, /trash/);
  });

  it('publishes a version instead of the draft', async () => {
    const lamp = await pages.make('Lamp', { node_content: { headline: 'First' } });
    await live.publish(lamp.node_id, { locales: ['en'] });
    await pages.write(lamp.node_id, { headline: 'Second' }).expect(200);
    const version = await live.newestVersion(lamp.node_id);
    await live.publish(lamp.node_id, { locales: ['en'] });
    await pages.write(lamp.node_id, { headline: 'Third' }).expect(200);
    await live.publish(lamp.node_id, { locales: ['en'], version });
    expect((await live.page('/lamp').expect(200)).body.content.headline).toBe('Second');
    expect(live.stateOf(await pages.read(lamp.node_id), 'en')).toBe('changed');
  });

  it('is for those who may publish, and unknown to other workspaces', async () => {
    const lamp = await pages.make('Lamp', { node_content: { headline: 'Lamp' } });
    const site = pages.site.site_id;
    const contributor = await ours.member('contributor');
    const viewer = await ours.member('viewer');
    const theirs = (await api.workspace([])).owner.client;
    for (const { client } of [contributor, viewer]) {
      await client.post(`/sites/${site}/nodes/${lamp.node_id}/publish`, {}).expect(403, /site:publish/);
      await client.post(`/sites/${site}/publish`, { node_ids: [lamp.node_id] }).expect(403);
      await client.post(`/sites/${site}/nodes/${lamp.node_id}/unpublish`, {}).expect(403);
      await client.post(`/sites/${site}/redirects`, { red_from: '/a', red_to: '/b' }).expect(403);
    }
    await theirs.post(`/sites/${site}/nodes/${lamp.node_id}/publish`, {}).expect(404);
    await theirs.post(`/sites/${site}/publish`, { node_ids: [lamp.node_id] }).expect(404);
    await theirs.post(`/sites/${site}/nodes/${lamp.node_id}/unpublish`, {}).expect(404);
    for (const part of ['schedules', 'redirects', 'preview-links']) await theirs.get(`/sites/${site}/${part}`).expect(404);
    const other = await makePages(ours.owner.client);
    await ours.owner.client.post(`/sites/${other.site.site_id}/nodes/${lamp.node_id}/publish`, {}).expect(404);
  });
});

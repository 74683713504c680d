import type { RunningApi, TestWorkspace } from '@atrium/platform/testing';
import { sharedAtrium } from '../support/shared-atrium';
import { LiveSite } from './live-site';
import { makePages, type Pages } from './pages';

let api: RunningApi;
let ours: TestWorkspace;
let pages: Pages;

beforeAll(async () => {
  api = await sharedAtrium();
  ours = await api.workspace([]);
  pages = await makePages(ours.owner.client);
});
afterAll(() => api.close());

describe('[website 15] the trash', () => {
  it('takes a page with pages below it only where a request says what becomes of these', async () => {
    const top = await pages.folder('Products');
    const middle = await pages.make('Lamps', { node_parent: top.node_id });
    const low = await pages.make('Desk lamps', { node_parent: middle.node_id });
    await pages.remove(middle.node_id).expect(409, /in_use/);
    await pages.remove(middle.node_id, '?children=keep').expect(400);
    await pages.remove(middle.node_id, '?children=delete').expect(204);
    await pages.remove(middle.node_id, '?children=delete').expect(204);
    expect(await pages.names('node_parent=root')).toEqual(['Products']);
    expect((await pages.names('node_active=false&sort=node_name')).slice(0, 2)).toEqual(['Desk lamps', 'Lamps']);
    expect((await pages.read(low.node_id)).node_active).toBe(false);
    await pages.change(low.node_id, { node_name: 'x' }).expect(409, /invalid_state/);
    await pages.write(low.node_id, {}).expect(409, /invalid_state/);
    await pages.restore(low.node_id).expect(409, /Lamps/);

    const restored = await pages.restore(middle.node_id).expect(200);
    expect(restored.body).toMatchObject({ node_active: true, node_path: { en: '/products/lamps' } });
    expect(await pages.names(`under=${top.node_id}&sort=node_name`)).toEqual(['Desk lamps', 'Lamps']);
    await pages.restore(middle.node_id).expect(409, /invalid_state/);
  });

  it('leaves pages below a deleted one in its place with `reparent`, in their order and with slugs that are free there', async () => {
    const own = await makePages(ours.owner.client);
    const first = await own.make('First');
    const folder = await own.folder('Group', { after: first.node_id });
    await own.make('Last');
    const content = { node_content: { headline: 'x' } };
    const a = await own.make('A', { node_parent: folder.node_id, node_slug: 'last', ...content });
    const b = await own.make('B', { node_parent: folder.node_id, ...content });
    const deep = await own.make('Deep', { node_parent: b.node_id, ...content });
    const live = await LiveSite.of(api, own);
    await live.publishAll({ node_ids: [folder.node_id, a.node_id, b.node_id, deep.node_id], locales: ['en'] }).expect(200);
    await own.remove(folder.node_id, '?children=reparent').expect(204);
    for (const { node_id } of [a, b, deep]) expect(live.stateOf(await own.read(node_id), 'en')).toMatch(/^(published|changed)$/);
    expect((await live.page('/group/b/deep').expect(200)).body.node_id).toBe(deep.node_id);
    expect(await own.names('node_parent=root')).toEqual(['First', 'A', 'B', 'Last']);
    expect(await own.read(a.node_id)).toMatchObject({
      node_parent: null,
      node_slug: 'last-2',
      node_path: { en: '/last-2', de: '/de/last-2' },
    });
    expect((await own.read(deep.node_id)).node_path.en).toBe('/b/deep');
    await own.make('Group again', { node_slug: 'group' });
    expect((await own.restore(folder.node_id).expect(200)).body).toMatchObject({ node_slug: 'group-2', node_path: { en: '/group-2' } });
  });

  it('gives a restored page a number where its slug was taken since', async () => {
    const page = await pages.make('Taken', { node_slugs: { de: 'vergeben' } });
    await pages.remove(page.node_id).expect(204);
    await pages.make('Taken', { node_slugs: { de: 'vergeben' } });
    expect((await pages.restore(page.node_id).expect(200)).body).toMatchObject({
      node_slug: 'taken-2',
      node_slugs: { de: 'vergeben-2' },
      node_path: { en: '/taken-2', de: '/de/vergeben-2' },
    });
  });

  it('leaves visitors of a live page the redirect that is asked for, which is a path of the site or a whole URL', async () => {
    const own = await makePages(ours.owner.client);
    const live = await LiveSite.of(api, own);
    const [old, low] = [
      await own.make('Old', { node_content: { headline: 'x' } }),
      await own.make('Low', { node_content: { headline: 'x' } }),
    ];
    await live.publishAll({ node_ids: [old.node_id, low.node_id], locales: ['en'] }).expect(200);
    for (const bad of ['//evil.example', 'javascript:alert(1)', 'new', '/a/../b', '/%00', '/a\\b', '/old'])
      expect([bad, (await own.remove(old.node_id, `?redirect_to=${encodeURIComponent(bad)}`).expect(400)).body.errors]).toMatchObject([
        bad,
        [{ path: expect.stringMatching(bad === '/old' ? /^red/ : /^redirect_to$/) as string }],
      ]);
    expect(live.stateOf(await own.read(old.node_id), 'en')).toBe('published');
    await own.remove(old.node_id, '?redirect_to=%2Fnew%2F').expect(204);
    expect((await live.page('/old').expect(200)).body).toMatchObject({ kind: 'redirect', location: '/new' });
    await live.unpublish(low.node_id, { redirect_to: '/new/' });
    expect((await live.page('/low').expect(200)).body).toMatchObject({ kind: 'redirect', location: '/new' });
  });

  it('honours the version of the page', async () => {
    const page = await pages.make('Versioned');
    const etag = await pages.etag(page.node_id);
    await pages.change(page.node_id, { node_name: 'Renamed' }).expect(200);
    await pages.remove(page.node_id).set('If-Match', etag).expect(412);
    await pages
      .remove(page.node_id)
      .set('If-Match', await pages.etag(page.node_id))
      .expect(204);
  });
});

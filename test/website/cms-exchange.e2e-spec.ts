import { StoryblokServer, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { newId } from '@atrium/platform/kernel';
import { startAtriumWithWorker } from '../support/api';
import { articleOf, connectedSite, fillComponents, finishedRun, type ShownRun } from './cms';

let api: RunningApi;
let ours: TestWorkspace;
let server: StoryblokServer;

beforeAll(async () => {
  server = await StoryblokServer.start();
  api = await startAtriumWithWorker({ STORYBLOK_BASE: `${server.url}/v1`, OUTBOUND_ALLOW: '127.0.0.1/32' });
  ours = await api.workspace();
  server.languages.push({ code: 'de', name: 'German' });
  fillComponents(server);
});
afterAll(async () => {
  await api.close();
  await server.stop();
});
beforeEach(() => {
  for (const story of [...server.stories.rows.values()]) server.stories.remove(story);
});

const client = () => ours.owner.client;

interface LinkShown {
  readonly lnk_node: string;
  readonly lnk_external_id: string;
  readonly lnk_name: string;
  readonly lnk_verdict: string;
}
const linksOf = async (site_id: string): Promise<Map<string, LinkShown>> => {
  const { data } = (await client().get(`/sites/${site_id}/cms/links?limit=1000`).expect(200)).body as { data: LinkShown[] };
  return new Map(data.map((link) => [link.lnk_name, link]));
};
const nodeOf = async (site_id: string, name: string): Promise<string> => (await linksOf(site_id)).get(name)?.lnk_node ?? '';
const rename = (site_id: string, node_id: string, node_name: string) =>
  client().patch(`/sites/${site_id}/nodes/${node_id}`, { node_name }).expect(200);

describe('An exchange with Storyblok', () => {
  it('brings folders, languages, translated slugs and links between pages', async () => {
    const site_id = await connectedSite(client(), server);
    const folder = server.addStory({ name: 'Products', slug: 'products', is_folder: true });
    const target = server.addStory({ name: 'Target', slug: 'target', content: articleOf('Target') });
    server.addStory({
      name: 'Lamp',
      slug: 'lamp',
      parent_id: folder.id,
      content: articleOf('Lamp', {
        title__i18n__de: 'Lampe',
        more: { fieldtype: 'multilink', linktype: 'story', id: target.uuid, url: '', cached_url: '' },
      }),
      translated_slugs: [{ lang: 'de', slug: 'lampe' }],
    });
    const run = (await client().post(`/sites/${site_id}/cms/pull`).expect(200)).body as ShownRun;
    expect(run).toMatchObject({ status: 'completed', created: 3, failed: 0 });
    const lamp = (
      await client()
        .get(`/sites/${site_id}/nodes/${await nodeOf(site_id, 'Lamp')}`)
        .expect(200)
    ).body as {
      node_content: { title: string; more: object };
      node_path: object;
    };
    expect(lamp.node_content).toMatchObject({ title: 'Lamp', more: { kind: 'page', ref: await nodeOf(site_id, 'Target') } });
    expect(lamp.node_path).toEqual({ en: '/products/lamp', de: '/de/products/lampe' });
    const german = (
      await client()
        .get(`/sites/${site_id}/nodes/${await nodeOf(site_id, 'Lamp')}?locale=de`)
        .expect(200)
    ).body as {
      node_content: { title: string };
    };
    expect(german.node_content.title).toBe('Lampe');
    expect((await client().post(`/sites/${site_id}/cms/pull`).expect(200)).body).toMatchObject({ unchanged: 3, total: 0 });
  });

  it('finds what each side changed, leaves conflicts, and ends them as the resolution says', async () => {
    const site_id = await connectedSite(client(), server);
    const stories = new Map(
      ['Here', 'There', 'Both'].map((name) => [name, server.addStory({ name, slug: name.toLowerCase(), content: articleOf(name) })]),
    );
    await client().post(`/sites/${site_id}/cms/pull`).expect(200);
    await rename(site_id, await nodeOf(site_id, 'Here'), 'Here, edited');
    await rename(site_id, await nodeOf(site_id, 'Both'), 'Both, edited here');
    for (const [name, edited] of [
      ['There', 'There, edited'],
      ['Both', 'Both, edited there'],
    ] as const) {
      const story = stories.get(name);
      if (story) server.stories.change(story, { name: edited });
    }
    const plan = (await client().get(`/sites/${site_id}/cms/plan`).expect(200)).body as { counts: object };
    expect(plan.counts).toEqual({ remote_changed: 1, local_changed: 1, conflict: 1 });
    const manual = (await client().post(`/sites/${site_id}/cms/pull`).expect(200)).body as ShownRun;
    expect(manual).toMatchObject({ status: 'partial', updated: 1, skipped: 1, conflicts: 1, unsettled: 1 });
    const pushed = (await client().post(`/sites/${site_id}/cms/push`).expect(200)).body as ShownRun;
    expect(pushed).toMatchObject({ status: 'completed', updated: 2, unchanged: 1 });
    expect([...stories.values()].map(({ name }) => name)).toEqual(['Here, edited', 'There, edited', 'Both, edited here']);
    expect(((await client().get(`/sites/${site_id}/cms/plan`).expect(200)).body as { counts: object }).counts).toEqual({ in_sync: 3 });
  });

  it('creates pages at the CMS once, and adopts a page that is equal there already', async () => {
    const site_id = await connectedSite(client(), server);
    const [site] = [(await client().get(`/sites/${site_id}`).expect(200)).body as { site_library: string }];
    const { data } = (await client().get(`/content-schemas?tpl_library=${site.site_library}&tpl_key=article`).expect(200)).body as {
      data: { tpl_id: string }[];
    };
    await client()
      .post(`/sites/${site_id}/nodes`, {
        node_name: 'Made here',
        node_slug: 'made-here',
        node_template: data[0]?.tpl_id,
        node_content: { component: 'article', _uid: newId(), title: 'Made here' },
      })
      .expect(201);
    const pushed = (await client().post(`/sites/${site_id}/cms/push`).expect(200)).body as ShownRun;
    expect(pushed).toMatchObject({ status: 'completed', created: 1, failed: 0 });
    expect([...server.stories.rows.values()].map(({ name }) => name)).toEqual(['Made here']);
    expect((await client().post(`/sites/${site_id}/cms/push`).expect(200)).body).toMatchObject({ unchanged: 1, total: 0 });
  });

  it('holds deletions of more than a fifth until they are forced', async () => {
    const site_id = await connectedSite(client(), server);
    const stories = Array.from({ length: 10 }, (_, at) =>
      server.addStory({ name: `Page ${at}`, slug: `page-${at}`, content: articleOf(`Page ${at}`) }),
    );
    await client().post(`/sites/${site_id}/cms/pull`).expect(200);
    for (const story of stories.slice(0, 5)) server.removeStory(story);
    const wish = { statuses: ['remote_deleted'] };
    const held = (await client().post(`/sites/${site_id}/cms/pull`, wish).expect(200)).body as ShownRun;
    expect(held).toMatchObject({ status: 'partial', held_deletes: 5, deleted: 0 });
    const forced = (
      await client()
        .post(`/sites/${site_id}/cms/pull`, { ...wish, force: true })
        .expect(200)
    ).body as ShownRun;
    expect(await finishedRun(client(), site_id, forced.job_id)).toMatchObject({ deleted: 5, held_deletes: 0 });
  });

  it('forgets links when it is disconnected, and leaves the content on both sides', async () => {
    const site_id = await connectedSite(client(), server);
    server.addStory({ name: 'Lamp', slug: 'lamp', content: articleOf('Lamp') });
    await client().post(`/sites/${site_id}/cms/pull`).expect(200);
    const node_id = await nodeOf(site_id, 'Lamp');
    await client().delete(`/sites/${site_id}/cms`).expect(204);
    expect((await client().get(`/sites/${site_id}/cms`).expect(200)).body).toEqual({ connected: false });
    expect((await linksOf(site_id)).size).toBe(0);
    await client().get(`/sites/${site_id}/nodes/${node_id}`).expect(200);
    expect(server.stories.rows.size).toBe(1);
    await client().post(`/sites/${site_id}/cms/pull`).expect(409);
  });
});

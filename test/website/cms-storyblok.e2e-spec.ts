import { StoryblokServer, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { startAtriumWithWorker } from '../support/api';
import { articleOf, connectedSite, fillComponents, finishedRun, type ShownRun } from './cms';

let api: RunningApi;
let ours: TestWorkspace;
let server: StoryblokServer;

beforeAll(async () => {
  server = await StoryblokServer.start();
  api = await startAtriumWithWorker({ STORYBLOK_BASE: `${server.url}/v1`, OUTBOUND_ALLOW: '127.0.0.1/32' });
  ours = await api.workspace();
});
afterAll(async () => {
  await api.close();
  await server.stop();
});
beforeEach(() => {
  server.languages.length = 0;
  server.languages.push({ code: 'de', name: 'German' });
  for (const id of server.components.keys()) server.components.delete(id);
  for (const story of [...server.stories.rows.values()]) server.stories.remove(story);
  fillComponents(server);
});

const client = () => ours.owner.client;

describe('A site that is connected to Storyblok', () => {
  it('[website 20] lists the providers, refuses a wrong token, stores nothing on a dry run and the token nowhere in clear', async () => {
    const { data } = (await client().get('/cms-providers').expect(200)).body as { data: { provider: string }[] };
    expect(data.map(({ provider }) => provider)).toEqual(['storyblok', 'contentful']);
    const { site_id } = (
      await client()
        .post('/sites', { site_name: 'Token', site_locales: [{ code: 'en' }] })
        .expect(201)
    ).body as { site_id: string };
    const settings = { spaceId: String(server.spaceId), token: 'sb-wrong', rate: 50 };
    const refused = await client().post(`/sites/${site_id}/cms/connect`, { provider: 'storyblok', settings }).expect(422);
    expect((refused.body as { errors: { path: string }[] }).errors[0]?.path).toBe('space');
    const right = { provider: 'storyblok', settings: { ...settings, token: server.token } };
    const dry = await client()
      .post(`/sites/${site_id}/cms/connect`, { ...right, dryRun: true })
      .expect(200);
    expect(dry.body).toMatchObject({ connected: true, space: { name: 'Loopback space' }, settings: { tokenSet: true } });
    expect((await client().get(`/sites/${site_id}/cms`).expect(200)).body).toEqual({ connected: false });
    const connected = await client().post(`/sites/${site_id}/cms/connect`, right).expect(200);
    const shown = await client().get(`/sites/${site_id}/cms`).expect(200);
    expect(shown.body).toMatchObject({ connected: true, provider: 'storyblok', status: 'ok', settings: { tokenSet: true } });
    const [stored] = await api.sql('SELECT c::text AS all FROM cms_connection c WHERE cms_site = $1', [site_id]);
    for (const text of [dry.text, connected.text, shown.text, JSON.stringify(stored)]) expect(text).not.toContain(server.token);
  });

  it('[website 22] pulls 3 pages while the request waits, 11 in the background, and 1 in the background when asked to', async () => {
    const site_id = await connectedSite(client(), server);
    for (let at = 1; at <= 3; at++) server.addStory({ name: `Page ${at}`, slug: `page-${at}`, content: articleOf(`Page ${at}`) });
    const pulled = (await client().post(`/sites/${site_id}/cms/pull`).expect(200)).body as ShownRun;
    expect(pulled).toMatchObject({ status: 'completed', total: 3, done: 3, created: 3, failed: 0 });
    expect(pulled.pages).toHaveLength(3);
    for (let at = 4; at <= 14; at++) server.addStory({ name: `Page ${at}`, slug: `page-${at}`, content: articleOf(`Page ${at}`) });
    const going = (await client().post(`/sites/${site_id}/cms/pull`, {}).expect(202)).body as ShownRun;
    expect(await finishedRun(client(), site_id, going.job_id)).toMatchObject({ status: 'completed', created: 11, unchanged: 3 });
    server.addStory({ name: 'Last', slug: 'last', content: articleOf('Last') });
    const behind = (await client().post(`/sites/${site_id}/cms/pull`, { background: true }).expect(202)).body as ShownRun;
    expect(await finishedRun(client(), site_id, behind.job_id)).toMatchObject({ status: 'completed', created: 1 });
  });

  it('fetches nothing of pages that have not changed, and finds changes of either side', async () => {
    const site_id = await connectedSite(client(), server);
    const story = server.addStory({ name: 'Lamp', slug: 'lamp', content: articleOf('Lamp') });
    server.addStory({ name: 'Chair', slug: 'chair', content: articleOf('Chair') });
    await client().post(`/sites/${site_id}/cms/pull`).expect(200);
    server.calls.length = 0;
    const again = (await client().post(`/sites/${site_id}/cms/pull`).expect(200)).body as ShownRun;
    expect(again).toMatchObject({ status: 'completed', unchanged: 2, total: 0 });
    expect(server.calls.filter(({ route }) => route === 'GET /stories/:id')).toEqual([]);
    server.stories.change(story, { content: articleOf('Floor lamp') });
    const plan = (await client().get(`/sites/${site_id}/cms/plan?direction=pull`).expect(200)).body as {
      counts: object;
      updated: { name: string }[];
    };
    expect(plan.counts).toEqual({ in_sync: 1, remote_changed: 1 });
    const updated = (await client().post(`/sites/${site_id}/cms/pull`).expect(200)).body as ShownRun;
    expect(updated).toMatchObject({ status: 'completed', updated: 1, unchanged: 1 });
  });
});

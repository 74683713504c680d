import { StoryblokServer, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { Hosts } from '../faults/hosts';
import { startAtriumWithWorker } from '../support/api';
import { articleOf, connectedSite, fillComponents, finishedRun, type ShownRun } from './cms';

let api: RunningApi;
let ours: TestWorkspace;
let server: StoryblokServer;
const hosts = new Hosts();

beforeAll(async () => {
  server = await StoryblokServer.start();
  api = await startAtriumWithWorker({ STORYBLOK_BASE: `${server.url}/v1`, OUTBOUND_ALLOW: '127.0.0.1/32' });
  ours = await api.workspace();
});
afterAll(async () => {
  await hosts.close();
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
  it('[website 20] lists the providers, refuses a wrong token, stores nothing on a dry run, and shows, logs and stores the token nowhere in clear', async () => {
    const host = await hosts.api({ LOG_LEVEL: 'debug', STORYBLOK_BASE: `${server.url}/v1`, OUTBOUND_ALLOW: '127.0.0.1/32' });
    const asked = host.client(client());
    const { data } = (await asked.get('/cms-providers').expect(200)).body as { data: { provider: string }[] };
    expect(data.map(({ provider }) => provider)).toEqual(['storyblok', 'contentful']);
    const { site_id } = (await asked.post('/sites', { site_name: 'Token', site_locales: [{ code: 'en' }] }).expect(201)).body as {
      site_id: string;
    };
    const settings = { spaceId: String(server.spaceId), token: 'sb-wrong', rate: 50 };
    const refused = await asked.post(`/sites/${site_id}/cms/connect`, { provider: 'storyblok', settings }).expect(422);
    expect((refused.body as { errors: { path: string }[] }).errors[0]?.path).toBe('space');
    const right = { provider: 'storyblok', settings: { ...settings, token: server.token } };
    const dry = await asked.post(`/sites/${site_id}/cms/connect`, { ...right, dryRun: true }).expect(200);
    expect(dry.body).toMatchObject({ connected: true, space: { name: 'Loopback space' }, settings: { tokenSet: true } });
    expect((await asked.get(`/sites/${site_id}/cms`).expect(200)).body).toEqual({ connected: false });
    const connected = await asked.post(`/sites/${site_id}/cms/connect`, right).expect(200);
    const shown = await asked.get(`/sites/${site_id}/cms`).expect(200);
    expect(shown.body).toMatchObject({ connected: true, provider: 'storyblok', status: 'ok', settings: { tokenSet: true } });
    for (const text of [refused.text, dry.text, connected.text, shown.text]) {
      expect(text).not.toContain(server.token);
      expect(text).not.toContain(settings.token);
    }
    expect(`${host.output}${host.errors}`).toContain('/cms/connect');
    for (const token of [server.token, settings.token]) expect(`${host.output}${host.errors}`).not.toContain(token);
    const tables = await api.sql<{ name: string }>(
      `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
    );
    expect(tables.length).toBeGreaterThan(100);
    for (const { name } of tables)
      for (const token of [server.token, settings.token])
        expect([name, await api.sql(`SELECT 1 FROM ${name} t WHERE position($1 IN t::text) > 0 LIMIT 1`, [token])]).toEqual([name, []]);
  });

  it('[website 22] pulls up to 10 pages while the request waits, 11 in the background, and 1 in the background when asked to', async () => {
    const site_id = await connectedSite(client(), server);
    const addPages = (from: number, to: number): void => {
      for (let at = from; at <= to; at++) server.addStory({ name: `Page ${at}`, slug: `page-${at}`, content: articleOf(`Page ${at}`) });
    };
    addPages(1, 3);
    const pulled = (await client().post(`/sites/${site_id}/cms/pull`).expect(200)).body as ShownRun;
    expect(pulled).toMatchObject({ status: 'completed', total: 3, done: 3, created: 3, failed: 0, dry_run: false, request: {} });
    expect(pulled.pages).toHaveLength(3);
    addPages(4, 13);
    const most = (await client().post(`/sites/${site_id}/cms/pull`).expect(200)).body as ShownRun;
    expect(most).toMatchObject({ status: 'completed', total: 10, created: 10, unchanged: 3 });
    addPages(14, 24);
    const answer = await client().post(`/sites/${site_id}/cms/pull`, {}).expect(202);
    const going = answer.body as ShownRun;
    expect(answer.headers['location']).toBe(`/api/v1/sites/${site_id}/cms/sync-jobs/${going.job_id}`);
    expect(going).not.toHaveProperty('pages');
    expect(await finishedRun(client(), site_id, going.job_id)).toMatchObject({ status: 'completed', created: 11, unchanged: 13 });
    addPages(25, 25);
    const behind = await client().post(`/sites/${site_id}/cms/pull`, { background: true }).expect(202);
    expect(behind.headers['location']).toContain((behind.body as ShownRun).job_id);
    expect(await finishedRun(client(), site_id, (behind.body as ShownRun).job_id)).toMatchObject({ status: 'completed', created: 1 });
    expect((await client().post(`/sites/${site_id}/cms/push`).expect(200)).body).toMatchObject({
      status: 'completed',
      total: 0,
      unchanged: 25,
    });
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

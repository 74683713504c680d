import { StoryblokServer, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { startAtrium } from '../support/api';
import { connectSite } from './cms';

let api: RunningApi;
let ours: TestWorkspace;
let server: StoryblokServer;

beforeAll(async () => {
  server = await StoryblokServer.start();
  api = await startAtrium({
    STORYBLOK_BASE: `${server.url}/v1`,
    OUTBOUND_ALLOW: '127.0.0.1/32',
    BASE_URL: 'https://atrium.example.com',
  });
  ours = await api.workspace();
});
afterAll(async () => {
  await api.close();
  await server.stop();
});

const client = () => ours.owner.client;
const automationOf = async (site_id: string): Promise<{ webhook: object | null }> =>
  (await client().get(`/sites/${site_id}/cms/automation`).expect(200)).body as { webhook: object | null };

describe('A connection to a CMS', () => {
  it('keeps its token for its space: another one must be given for another space', async () => {
    const site_id = await connectSite(client(), server);
    const connect = (settings: object) =>
      client().post(`/sites/${site_id}/cms/connect`, { provider: 'storyblok', settings: { rate: 50, ...settings }, dryRun: true });
    await connect({ spaceId: String(server.spaceId) }).expect(200);
    server.forgetCalls();
    for (const settings of [{ spaceId: '1' }, { spaceId: String(server.spaceId), region: 'us' }]) {
      const { errors } = (await connect(settings).expect(400)).body as { errors: object[] };
      expect(errors).toMatchObject([{ path: 'settings.token', code: 'required' }]);
    }
    expect(server.countCalls()).toBe(0);
  });

  it('keeps its webhook while a run is at work, and loses it when the site is disconnected', async () => {
    const site_id = await connectSite(client(), server);
    await client().post(`/sites/${site_id}/cms/webhook`).expect(201);
    const hooks = server.webhooks.size;
    // No worker is there: the run stays queued.
    const { job_id } = (await client().post(`/sites/${site_id}/cms/pull`, { background: true }).expect(202)).body as { job_id: string };
    const refused = await client().delete(`/sites/${site_id}/cms`).expect(409);
    expect(refused.text).toContain(job_id);
    expect(server.webhooks.size).toBe(hooks);
    expect((await automationOf(site_id)).webhook).not.toBeNull();
    await client().post(`/sites/${site_id}/cms/sync-jobs/${job_id}/cancel`).expect(200);
    await client().delete(`/sites/${site_id}/cms`).expect(204);
    expect(server.webhooks.size).toBe(hooks - 1);
    expect(await automationOf(site_id)).toMatchObject({ webhook: null });
  });

  it('shows the address of a webhook without a signature only to those who may connect the site', async () => {
    const [signed, unsigned] = [await connectSite(client(), server), await connectSite(client(), server)];
    await client().post(`/sites/${signed}/cms/webhook`).expect(201);
    server.allowsSecrets = false;
    await client().post(`/sites/${unsigned}/cms/webhook`).expect(201);
    server.allowsSecrets = true;
    const viewer = await ours.member('viewer');
    const urlFor = async (site_id: string): Promise<unknown> =>
      ((await viewer.client.get(`/sites/${site_id}/cms/automation`).expect(200)).body as { webhook: { url: string | null } }).webhook.url;
    expect(await urlFor(signed)).toMatch(/^https:\/\/atrium\.example\.com\/hooks\/cms\//);
    expect(await urlFor(unsigned)).toBeNull();
    expect((await automationOf(unsigned)).webhook).toMatchObject({ url: expect.stringContaining('/hooks/cms/') as string });
  });

  it('of a deleted site rests at night, and is due again once the site is restored', async () => {
    const site_id = await connectSite(client(), server);
    await client().put(`/sites/${site_id}/cms/automation`, { scan: true }).expect(200);
    await api.sql(`UPDATE cms_connection SET cms_next_scan = now() - interval '1 hour' WHERE cms_site = $1`, [site_id]);
    const due = async (): Promise<readonly unknown[]> =>
      (await api.sql<{ site_id: string }>('SELECT site_id FROM cms_sites_due(100)')).map((row) => row.site_id);
    expect(await due()).toEqual([site_id]);
    await client().delete(`/sites/${site_id}`).expect(204);
    expect(await due()).toEqual([]);
    await client().post(`/sites/${site_id}/restore`).expect(200);
    expect(await due()).toEqual([site_id]);
  });
});

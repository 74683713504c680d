import { ScheduleHost } from '@atrium/platform/messaging';
import { eventually, StoryblokServer, type Delivery, type RunningApi, type Story, type TestWorkspace } from '@atrium/platform/testing';
import request from 'supertest';
import { MailServer } from '../identity/mail-server';
import { startAtriumWithWorker } from '../support/api';
import { articleOf, CmsSite, fillComponents, finishedRun, titleOf, type ShownRun } from './cms';

const mailbox = new MailServer();
let api: RunningApi;
let ours: TestWorkspace;
let server: StoryblokServer;

beforeAll(async () => {
  server = await StoryblokServer.start();
  api = await startAtriumWithWorker({
    STORYBLOK_BASE: `${server.url}/v1`,
    OUTBOUND_ALLOW: '127.0.0.1/32',
    BASE_URL: 'https://atrium.example',
    SMTP_URL: await mailbox.start(),
    MAIL_FROM: 'Atrium <atrium@mail.example>',
  });
  ours = await api.workspace();
  server.languages.push({ code: 'de', name: 'German' });
  server.hookOrigin = api.url;
  fillComponents(server);
}, 120_000);
afterAll(async () => {
  await api.close();
  await server.stop();
  await mailbox.stop();
});
beforeEach(() => {
  server.allowsSecrets = true;
  server.webhooks.clear();
  server.deliveries.length = 0;
  for (const story of [...server.stories.rows.values()]) server.stories.remove(story);
});

const client = () => ours.owner.client;
const add = (name: string): Story => server.addStory({ name, slug: name.toLowerCase().replaceAll(' ', '-'), content: articleOf(name) });
const edit = (story: Story, title: string): void => {
  server.stories.change(story, { content: { ...story.content, title } });
  server.publishStory(story);
};
const titleHere = async (site: CmsSite, name: string): Promise<unknown> => (await site.page(name)).node_content['title'];
const automate = (site: CmsSite, automation: object) => client().put(`${site.path}/cms/automation`, automation).expect(200);
const automationOf = async (site: CmsSite): Promise<Record<string, unknown>> =>
  (await client().get(`${site.path}/cms/automation`).expect(200)).body as Record<string, unknown>;

/** The next run by itself that has finished. */
async function nextRun(site: CmsSite, trigger: string, { direction = 'pull', known = '' } = {}): Promise<ShownRun> {
  const [run] = await eventually(
    async () => {
      const { data } = (await client().get(`${site.path}/cms/sync-jobs?direction=${direction}`).expect(200)).body as {
        data: (ShownRun & { trigger: string })[];
      };
      return data.filter((one) => one.trigger === trigger && one.job_id !== known);
    },
    ({ length }) => length > 0,
    60_000,
  );
  return finishedRun(client(), site.site_id, run?.job_id ?? '');
}

/** The event again, as it was delivered, or changed. */
const replay = ({ url, headers, body }: Delivery, changes: Partial<Delivery> = {}) =>
  request(api.url)
    .post(new URL(url).pathname)
    .set({ ...headers, ...changes.headers })
    .send(changes.body ?? body);

describe('[website 29] a webhook of the CMS', () => {
  it('has signed events that pull pages nobody edited here, leave those that someone did, and mail what they found', async () => {
    const site = await CmsSite.connect(client(), server);
    await client()
      .patch(site.path, { site_contacts: [ours.owner.user_id] })
      .expect(200);
    const [lamp, chair] = [add('Lamp'), add('Chair')];
    await site.pull();
    await site.write('Chair', { title: 'Edited here' });
    await automate(site, { autoPull: 'unedited', notify: 'changes' });
    const made = (await client().post(`${site.path}/cms/webhook`).expect(201)).body as { url: string; actions: string[] };
    expect(made.url).toMatch(/^https:\/\/atrium\.example\/hooks\/cms\/[A-Za-z0-9_-]{32}$/);
    expect((await client().post(`${site.path}/cms/webhook`).expect(200)).body).toEqual(made);
    expect([...server.webhooks.values()]).toMatchObject([{ endpoint: made.url, secret: expect.any(String) as string }]);

    edit(lamp, 'Lamp, edited there');
    edit(chair, 'Chair, edited there');
    await server.delivered();
    expect(server.deliveries.map(({ status }) => status)).toEqual([202, 202]);
    const [event] = server.deliveries;
    if (!event) throw new Error('No event was delivered.');
    expect(event.headers).toHaveProperty('webhook-signature');
    await replay(event, { headers: { 'webhook-signature': '0'.repeat(40) } }).expect(401);
    await replay(event, { body: `${event.body} ` }).expect(401);
    await replay({ ...event, headers: { 'content-type': 'application/json' } }).expect(401);
    await replay({ ...event, url: `${api.url}/hooks/cms/${'x'.repeat(32)}` }).expect(404);
    // Sent again, it is one comparison with the others.
    await replay(event).expect(202);

    const run = await nextRun(site, 'webhook');
    expect(run).toMatchObject({ direction: 'pull', updated: 1, conflicts: 1, created: 0, user_id: null });
    expect([await titleHere(site, 'Lamp'), await titleHere(site, 'Chair')]).toEqual(['Lamp, edited there', 'Edited here']);
    expect([titleOf(lamp), titleOf(chair)]).toEqual(['Lamp, edited there', 'Chair, edited there']);
    expect((await site.link('Chair')).lnk_verdict).toBe('conflict');
    expect(await automationOf(site)).toMatchObject({
      webhook: { url: made.url, verified: true, lastEventAt: expect.any(String) as string },
    });
    const mails = await eventually(
      () => Promise.resolve(mailbox.mails.filter(({ mail }) => JSON.stringify(mail).includes('Chair'))),
      ({ length }) => length > 0,
      60_000,
    );
    expect(mails.map(({ to }) => to.join())).toEqual([ours.owner.email]);
  }, 120_000);

  it('works unsigned where the plan of the space has no secrets, and reports a page that is gone', async () => {
    server.allowsSecrets = false;
    const site = await CmsSite.connect(client(), server);
    const lamp = add('Lamp');
    await site.pull();
    await automate(site, { autoPull: 'all' });
    await client().post(`${site.path}/cms/webhook`).expect(201);
    edit(lamp, 'Lamp, edited there');
    const added = server.addStory({ name: 'Added', slug: 'added', content: articleOf('Added') });
    server.publishStory(added);
    await server.delivered();
    expect(server.deliveries.map(({ status, headers }) => [status, 'webhook-signature' in headers])).toEqual([
      [202, false],
      [202, false],
    ]);
    const first = await nextRun(site, 'webhook');
    expect(first).toMatchObject({ updated: 1, created: 1 });
    expect(await titleHere(site, 'Lamp')).toBe('Lamp, edited there');
    server.removeStory(lamp);
    const second = await nextRun(site, 'webhook', { known: first.job_id });
    expect(second).toMatchObject({ deleted: 0, skipped: 1 });
    expect(await site.link('Lamp')).toMatchObject({ lnk_verdict: 'remote_deleted' });
    expect((await site.page('Lamp')).node_active).toBe(true);
  }, 120_000);
});

describe('[website 30] pages that are gone from the CMS', () => {
  it('are held when they are many, until the pull is forced; a night compares all that is linked', async () => {
    const site = await CmsSite.connect(client(), server);
    const stories = Array.from({ length: 20 }, (_, at) => add(`Page ${at}`));
    await site.pull();
    for (const story of stories.slice(0, 6)) server.stories.remove(story);
    const gone = { statuses: ['remote_deleted'] };
    expect(await site.pull(gone)).toMatchObject({ status: 'partial', held_deletes: 6, deleted: 0 });
    expect((await site.plan()).counts).toEqual({ in_sync: 14, remote_deleted: 6 });
    const held = (await site.pull(gone)).pages ?? [];
    expect(held.filter(({ crp_status }) => crp_status === 'held')).toHaveLength(6);
    expect(await site.pull({ ...gone, force: true })).toMatchObject({ status: 'completed', held_deletes: 0, deleted: 6 });
    const [{ trashed } = { trashed: 0 }] = await api.sql<{ trashed: number }>(
      'SELECT count(*)::integer AS trashed FROM node WHERE node_site = $1 AND NOT node_active',
      [site.site_id],
    );
    expect(trashed).toBe(6);

    expect(await automationOf(site)).toMatchObject({ scan: false, autoPull: 'off', notify: 'off', nextScanAt: null });
    await automate(site, { scan: true });
    expect(await automationOf(site)).toMatchObject({ scan: true, nextScanAt: expect.any(String) as string });
    await api.sql(`UPDATE cms_connection SET cms_next_scan = now() - interval '1 second' WHERE cms_site = $1`, [site.site_id]);
    const before = (await automationOf(site))['lastScanAt'];
    await api.worker.get(ScheduleHost).runNow('website.nightly');
    expect(await nextRun(site, 'automation', { direction: 'scan' })).toMatchObject({
      direction: 'scan',
      status: 'completed',
      unchanged: 14,
    });
    const after = await automationOf(site);
    expect(after).toMatchObject({ coverage: { linked: 14, compared: 14, notCompared: 0 } });
    expect(Date.parse(after['lastScanAt'] as string)).toBeGreaterThan(Date.parse(before as string));
    expect(Date.parse(after['nextScanAt'] as string)).toBeGreaterThan(Date.now());
  }, 120_000);
});

describe('[website 32] a site that is disconnected', () => {
  it('has no links any more, all of its pages and stories, and no webhook at the CMS', async () => {
    const site = await CmsSite.connect(client(), server);
    const story = add('Lamp');
    await site.pull();
    const node_id = await site.node('Lamp');
    await client().post(`${site.path}/cms/webhook`).expect(201);
    expect(server.webhooks.size).toBe(1);
    const address = [...server.webhooks.values()][0]?.endpoint ?? '';
    await client().delete(`${site.path}/cms`).expect(204);
    expect(server.webhooks.size).toBe(0);
    expect((await client().get(`${site.path}/cms`).expect(200)).body).toEqual({ connected: false });
    expect(await site.links()).toEqual([]);
    expect(await site.read(node_id)).toMatchObject({ node_active: true, node_name: 'Lamp' });
    expect(server.stories.rows.get(story.id)?.name).toBe('Lamp');
    for (const direction of ['pull', 'push', 'scan']) await client().post(`${site.path}/cms/${direction}`).expect(409);
    await request(api.url).post(new URL(address).pathname).send({ action: 'published', story_id: story.id }).expect(404);
    await client().delete(`${site.path}/cms`).expect(204);
  });
});
